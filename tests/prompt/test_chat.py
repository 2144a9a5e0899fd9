"""The chat format: any model folder with a tokenizer can be asked, whatever the file holds."""

from __future__ import annotations

import pytest
from transformers import PreTrainedTokenizerFast

from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import RegionTask
from fastedit.prompt.load import load_format
from fastedit.prompt.text import TextFormat
from fastedit.source.update import Update, UpdateLine
from fastedit.train.embedded.tokenizer import train_tokenizer

LINES = ("def load(path):", "    return open(path).read()", "", "print('</updated-code>')")
PLAIN = LINES[:3]
TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}<|assistant|>"


@pytest.fixture
def form(tmp_path) -> TextFormat:
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=train_tokenizer(LINES, 270), eos_token="<eos>")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(tmp_path)
    return load_format(tmp_path)


def read(form: TextFormat, task: RegionTask, ids: tuple[int, ...]) -> list[tuple[str, int | None]]:
    reader = form.reader(task)
    lines = [line for token in ids for line in reader.push([token])] + reader.finish()
    return [(line.text, line.origin) for line in lines]


@pytest.mark.parametrize("lines", [PLAIN, LINES])
def test_the_unchanged_answer_reads_back_even_where_the_file_holds_the_closing_tag(form, lines):
    task = RegionTask(lines, "rename load to read")
    ids = form.encode(task, None).original
    assert read(form, task, ids) == [(line, i) for i, line in enumerate(lines)]


def test_the_prompt_holds_file_update_and_instruction(form):
    update = Update((UpdateLine("// the rest", True), UpdateLine("x = 1")))
    task = RegionTask(PLAIN, "set x", update, (None, None))
    text = form.tokenizer.decode(form.encode(task, None).ids)
    for part in (
        "set x",
        "<code>\ndef load(path):",
        "# ... existing code ...\nx = 1\n</update>",
        "<updated-code>\n",
    ):
        assert part in text


def test_text_behind_the_closing_tag_is_dropped(form):
    task = RegionTask(PLAIN, "go")
    ids = form.tokenizer.encode("a = 1\n</updated-code>\nDone!\n", add_special_tokens=False)
    assert read(form, task, tuple(ids)) == [("a = 1", None)]


def test_an_answer_that_never_closes_is_not_well_formed(form):
    reader = form.reader(RegionTask(PLAIN, "go"))
    reader.push(form.tokenizer.encode("a = 1\n", add_special_tokens=False))
    with pytest.raises(ValueError, match="ended before"):
        reader.finish()


def test_a_folder_without_a_tokenizer_is_refused_by_name(tmp_path):
    with pytest.raises(ModelUnavailable, match="no usable tokenizer"):
        load_format(tmp_path)


def test_carriage_returns_that_a_model_adds_are_not_part_of_the_line(form):
    task = RegionTask(PLAIN, "go")
    ids = form.tokenizer.encode("a = 1\r\nb\r\n</updated-code>", add_special_tokens=False)
    assert read(form, task, tuple(ids)) == [("a = 1", None), ("b", None)]
