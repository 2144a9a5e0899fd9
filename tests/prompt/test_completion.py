"""Models without a chat template go on with a text, or fill in the region as the gap that they were trained to fill."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest
import torch
from tokenizers import AddedToken
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from fastedit import Document, EditRequest, Engine
from fastedit.engine import Progressed, Resulted
from fastedit.engine.models.folder import chats
from fastedit.prompt.base import RegionTask
from fastedit.prompt.completion import CompletionFormat
from fastedit.prompt.fill import AFTER, BEFORE, ORDERS, FillFormat
from fastedit.prompt.load import load_format
from fastedit.prompt.text import TextFormat
from fastedit.source.update import Update, UpdateLine
from fastedit.train.embedded.tokenizer import train_tokenizer
from tests.checkpoints import SIZES

SOURCE = inspect.getsource(textwrap).split("\n")
LINES = ("    def load(self):", "        return 1")
TASK = RegionTask(
    LINES, "let load return 2", None, None, "python", "File: a.py", ("class Store:",), ("", "x = Store()")
)
NAMES = {order[0]: tuple(part for part in order if part not in (BEFORE, AFTER)) for order in ORDERS}


def saved(folder: Path, *special: str, **more) -> Path:
    """A tiny random model without a chat template, whose tokenizer has these special tokens too."""
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=train_tokenizer(SOURCE, 300), eos_token="<eos>", **more
    )
    tokenizer.add_special_tokens(
        {"additional_special_tokens": [AddedToken(each, special=True, normalized=False) for each in special]}
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(**SIZES | {"vocab_size": len(tokenizer) + 8}, head_dim=16)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def read(form: TextFormat, ids: tuple[int, ...]) -> list[str]:
    reader = form.reader(TASK)
    lines = [line for token in ids for line in reader.push([token])] + reader.finish()
    return [line.text for line in lines]


@pytest.fixture(params=["base", *NAMES])
def form(request, tmp_path) -> TextFormat:
    return load_format(saved(tmp_path, *NAMES.get(request.param, ())))


def test_the_answer_that_changes_nothing_reads_back(form):
    assert read(form, form.encode(TASK, None).original) == list(LINES)


def test_a_model_that_fills_in_is_told_from_its_tokens(form):
    prompt = form.encode(TASK, None)
    tokens = form.tokenizer.convert_ids_to_tokens(prompt.ids)
    named = [token for token in tokens if any(token in names for names in NAMES.values())]
    assert isinstance(form, FillFormat) == bool(named)
    if named:
        assert named == list(NAMES[named[0]])
    else:
        assert isinstance(form, CompletionFormat)


def test_the_gap_stands_between_the_lines_around_it_behind_a_comment_that_says_what_goes_there(tmp_path):
    form = load_format(saved(tmp_path, "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|file_sep|>"))
    prompt = form.encode(TASK, None)
    assert form.tokenizer.decode(prompt.ids, clean_up_tokenization_spaces=False) == (
        "<|fim_prefix|>class Store:\n"
        "    # Change: let load return 2\n    #\n"
        "    # Before:\n    #     def load(self):\n    #         return 1\n    #\n    # After:\n"
        "<|fim_suffix|>\nx = Store()\n<|fim_middle|>"
    )
    assert form.tokenizer.convert_tokens_to_ids("<|file_sep|>") in prompt.stop


def test_an_answer_that_fills_a_gap_may_end_with_or_without_a_line_end_or_be_empty(tmp_path):
    form = load_format(saved(tmp_path, *NAMES["<fim_prefix>"]))
    for answer, lines in (("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("", []), ("a\n  ", ["a"])):
        assert read(form, form.text_ids(answer)) == lines


@pytest.mark.parametrize(
    ("language", "line", "comments"),
    [
        ("go", "\tx := 1", "\t// Change: say y\n\t//\n\t// Before:\n\t// \tx := 1\n"),
        ("css", "a {}", "/* Change: say y */\n/*  */\n/* Before: */\n/* a {} */\n"),
    ],
)
def test_other_languages_have_other_comments(tmp_path, language, line, comments):
    form = load_format(saved(tmp_path, *NAMES["<fim_prefix>"]))
    ids = form.encode(RegionTask((line,), "say y", language=language), None).ids
    assert comments in form.tokenizer.decode(ids, clean_up_tokenization_spaces=False)


def test_a_base_model_sees_the_file_the_edit_and_an_example(tmp_path):
    form = load_format(saved(tmp_path))
    text = form.tokenizer.decode(form.encode(TASK, None).ids)
    assert text.startswith("# Edits of code\n")
    assert text.endswith(
        "## Edit 2\n\nFile: a.py\n\nInstruction: let load return 2\n\n"
        "Before:\n```python\n    def load(self):\n        return 1\n```\n\nAfter:\n```python\n"
    )


def test_a_region_that_holds_fences_stands_between_longer_ones(tmp_path):
    form = load_format(saved(tmp_path))
    task = RegionTask(("```", "x", "```"), "fix it")
    prompt = form.encode(task, None)
    assert "Before:\n````\n```\nx\n```\n````\n" in form.tokenizer.decode(prompt.ids)
    assert form.tokenizer.decode(prompt.original).endswith("\n````")


def test_an_update_is_told_too(form):
    update = Update((UpdateLine("# ...", True), UpdateLine("        return 2")))
    task = RegionTask(LINES, None, update, (None, None), "python")
    text = form.tokenizer.decode(form.encode(task, None).ids)
    assert "# ... existing code ...\n" in text
    assert "        return 2\n" in text


def test_a_text_begins_as_the_tokenizer_begins_it(tmp_path):
    from tokenizers.processors import TemplateProcessing

    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=train_tokenizer(SOURCE, 300), eos_token="<eos>", bos_token="<s>"
    )
    begin = ("<s>", tokenizer.bos_token_id)
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(single="<s> $A", special_tokens=[begin])
    tokenizer.save_pretrained(tmp_path)
    ids = load_format(tmp_path).encode(TASK, None).ids
    assert ids[0] == tokenizer.bos_token_id
    assert tokenizer.bos_token_id not in ids[1:]


@pytest.mark.parametrize("kind", ["base", "<|fim_prefix|>"])
def test_a_checkpoint_of_each_kind_rewrites_its_region(kind, tmp_path):
    folder = saved(tmp_path, *NAMES.get(kind, ()))
    assert not chats(str(folder))
    document = Document.from_text("def load():\n    return 1\n", Path("a.py"))
    events = list(Engine.load(str(folder)).stream(EditRequest(document, "let it return 2, please")))
    assert isinstance(events[-1], Resulted)
    assert any(isinstance(event, Progressed) for event in events)
    assert events[-1].result.receipt.plan == "rewrite"
    assert Engine.load(str(folder)).verify(EditRequest(document, "let it return 2, please")).identical
