"""A local checkpoint with a template of each kind carries an edit out, from the prompt to the new file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.models.folder import chats
from fastedit.prompt.base import RegionTask
from fastedit.prompt.load import load_format
from fastedit.prompt.template import rendered
from tests.prompt.kinds import KINDS, checkpoint, tokenizer_of

FILE = "def load(path):\n    return open(path).read()\n"
NEW = ("def load(path):\n", "    return open(path, 'rb').read()\n")
OPEN, CLOSE, FENCE = "<updated-code>\n", "</updated-code>", "```"
BLOCK = (
    "<<<<<<< SEARCH\n",
    "    return open(path).read()\n",
    "=======\n",
    "    return open(path, 'rb').read()\n",
    ">>>>>>> REPLACE\n",
)
THOUGHT = ("It says: ", "read bytes.\n", "</think>")
BEGINS = {"fill-in": "<|fim_middle|>", "base": f"{FENCE}python\n"}  # what the answer goes on from
CHATS = [name for name, kind in KINDS.items() if kind.template is not None]


def wish(**more) -> EditRequest:
    return EditRequest(Document.from_text(FILE, Path("a.py")), "let it read bytes, please", **more)


@pytest.mark.parametrize("name", KINDS)
def test_a_checkpoint_of_each_kind_rewrites_a_region(name, tmp_path):
    kind, begins = KINDS[name], BEGINS.get(name, OPEN)
    end = () if name == "fill-in" else (FENCE if name == "base" else CLOSE,)
    tokenizer = tokenizer_of(kind, (OPEN, CLOSE, f"{FENCE}python\n", FENCE, *NEW))
    model = checkpoint(tmp_path, tokenizer, (begins, *NEW, *end, kind.end))
    assert chats(model) == (name in CHATS)
    result = Engine.load(model).apply(wish())
    assert (result.status, result.text) == (Status.OK, "".join(NEW))
    assert result.receipt.plan == "rewrite"
    assert result.receipt.output_tokens == len(NEW) + len(end)


@pytest.mark.parametrize("name", CHATS)
def test_a_chat_checkpoint_of_each_kind_answers_with_blocks_whether_or_not_it_thinks_first(name, tmp_path):
    kind = KINDS[name]
    tokenizer = tokenizer_of(kind, (*BLOCK, *THOUGHT))
    head = rendered(tokenizer, (("system", "x"), ("user", "x")))
    begins = tokenizer.convert_ids_to_tokens(tokenizer.encode(head, add_special_tokens=False))[-1]
    thought = THOUGHT if name == "reasoning" else ()
    model = checkpoint(tmp_path, tokenizer, (begins, *thought, *BLOCK, kind.end))
    result = Engine.load(model).apply(wish(plan="sketch"))
    assert (result.status, result.text) == (Status.OK, "".join(NEW))
    assert result.receipt.plan == "sketch"


def test_a_thought_that_a_template_begins_is_ended_before_an_answer_that_is_begun_for_the_model(tmp_path):
    tokenizer_of(KINDS["reasoning"]).save_pretrained(tmp_path)
    form = load_format(tmp_path)
    asked = form.tokenizer.decode(form.encode(RegionTask(tuple(NEW), "go"), None).ids)
    assert asked.endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n<updated-code>\n")
