"""The embedded format: what is written can be read back, and tags never leak into text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import ORIGINAL_TAGS, TagIds
from fastedit.sketch.align import lay
from fastedit.source.update import Update, UpdateLine
from fastedit.train.embedded.tokenizer import train_tokenizer
from tests.prompt.described import described

LINES = ("def load(path):", "    data = open(path).read()", "    return data", "", "x = load('a')")
TEXT = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"]), max_size=30)


@pytest.fixture(scope="module")
def form() -> EmbeddedFormat:
    return EmbeddedFormat(train_tokenizer(LINES, 270))


def read(form: EmbeddedFormat, task: RegionTask, ids: tuple[int, ...]) -> list[tuple[str, int | None]]:
    reader = form.reader(task)
    lines = [line for token in ids for line in reader.push([token])] + reader.finish()
    return [(line.text, line.origin) for line in lines]


def test_the_unchanged_answer_reads_back_as_the_original_with_its_origins(form):
    task = RegionTask(LINES, "rename load to read")
    assert read(form, task, form.encode(task, None).original) == [(line, i) for i, line in enumerate(LINES)]


@given(lines=st.lists(TEXT, min_size=1, max_size=20))
def test_any_text_survives_encoding_and_reading(form, lines):
    task = RegionTask(tuple(lines), "do nothing")
    assert [text for text, _ in read(form, task, form.encode(task, None).original)] == lines


def test_text_that_spells_a_tag_encodes_to_text_only(form):
    assert all(
        token < form.text_vocab for token in form.encode_line("<o17> <|end|> </code> # ... existing code ...")
    )


def test_the_predicted_merge_reads_back_as_the_merge(form):
    update = Update(
        (UpdateLine("# ...", True), UpdateLine(LINES[1]), UpdateLine("    log(data)"), UpdateLine(LINES[2]))
    )
    laid = lay(LINES, update)
    prediction = laid.prediction
    task = RegionTask(LINES, None, update, laid.targets)
    prompt = form.encode(task, prediction)
    assert prompt.prediction is not None
    assert tuple(text for text, _ in read(form, task, prompt.prediction)) == prediction.lines


def test_a_line_whose_text_changed_has_no_origin(form):
    task = RegionTask(LINES, "change it")
    tags = form.tags
    ids = form.tagged([(tags.of_original(0), "def read(path):"), (tags.of_original(1), LINES[1])])
    assert read(form, task, tuple(ids)) == [("def read(path):", None), (LINES[1], 1)]


def test_a_dropped_line_is_not_in_the_text_and_the_next_one_is_found(form):
    task, tags = RegionTask(LINES, "delete it"), form.tags
    ids = (
        *form.dropped(tags, 0),
        *form.kept(task, tags, 1),
        *form.dropped(tags, 2),
        *form.kept(task, tags, 3),
    )
    assert read(form, task, ids) == [(LINES[1], 1), (LINES[3], 3)]
    assert read(form, task, form.encode(task, None).removal) == []


@pytest.mark.parametrize("wrong", ["drop behind text", "text behind drop", "drop without a line"])
def test_a_line_is_dropped_whole_or_not_at_all(form, wrong):
    tags = form.tags
    tag, x = tags.of_original(0), form.encode_line("x")
    ids = {"drop behind text": (tag, *x, tags.drop), "text behind drop": (tag, tags.drop, *x)}.get(
        wrong, (tags.drop,)
    )
    with pytest.raises(ValueError, match="outside a line"):
        form.reader(RegionTask(LINES)).push(ids)


def test_text_before_the_first_tag_is_not_well_formed(form):
    with pytest.raises(ValueError, match="outside a line"):
        form.reader(RegionTask(LINES)).push(form.encode_line("x"))


@pytest.mark.parametrize("count", [1, ORIGINAL_TAGS, ORIGINAL_TAGS + 1, 3 * ORIGINAL_TAGS])
@pytest.mark.parametrize("first", [0, 200])
def test_round_counting_tags_name_each_line_in_order(count, first):
    tags = TagIds(1000, first_original=first)
    after = -1
    for line in range(count):
        assert tags.original_line(tags.of_original(line), after, count) == line
        after = line


def test_the_answer_limit_follows_the_length_of_the_region(form):
    short = form.encode(RegionTask(LINES[:1], "go"), None)
    long = form.encode(RegionTask(LINES * 20, "go"), None)
    assert short.answer_limit > len(short.original)
    assert long.answer_limit > len(long.original) > short.answer_limit


def test_an_answer_that_spells_a_line_end_inside_a_line_is_not_well_formed(form):
    newline = form.tokenizer.encode("\n").ids
    with pytest.raises(ValueError, match="line end"):
        form.reader(RegionTask(LINES)).push([form.tags.of_original(0), *newline, form.tags.end])


def test_what_is_named_stands_between_marks_in_the_instruction_and_wherever_the_region_has_it(form):
    shown = described(form, form.encode(RegionTask(LINES, "rename `load` to `fetch`"), None).ids)
    assert shown.split("\n")[1:5] == [
        "<instruction>rename `<m0>load<close>`",
        "<n0>",
        "<n4> to `<given>fetch<close>`",
        "<original>",
    ]
    assert "\n<n0>def <m0>load<close>(path):\n" in shown
    assert "\n<n4>x = <m0>load<close>('a')\n" in shown


def test_marks_of_overlapping_names_do_not_cross(form):
    task = RegionTask(("a.load(x)", "load(x)"), "change `load(x)` in `a.load` and `load`")
    shown = described(form, form.encode(task, None).ids)
    assert "<n0><m1>a.load<close>(x)" in shown
    assert "<n1><m2>load<close>(x)" in shown
    assert [text for text, _ in read(form, task, form.encode(task, None).original)] == list(task.lines)


def test_where_an_update_shows_what_to_write_nothing_is_marked_or_spelled_out_as_gone(form):
    update = Update((UpdateLine(LINES[0]), UpdateLine(LINES[2])))
    laid = lay(LINES, update)
    task = RegionTask(LINES, "shorten `load`", update, laid.targets)
    prompt = form.encode(task, laid.prediction)
    tags = form.tags
    assert prompt.removal == ()
    assert not {tags.drop, tags.given, tags.close}.intersection(prompt.ids + prompt.prediction)
    assert described(form, prompt.prediction).split("\n")[1:3] == [
        "<n0>def load(path):",
        "<n2>    return data",
    ]


def test_lines_that_the_request_names_or_shows_have_tags_of_their_own(form):
    update = Update((UpdateLine("# ...", True), UpdateLine(LINES[1]), UpdateLine("    log(data)")))
    task = RegionTask(LINES, "fix `x`", update, (None, 1, None))
    shown = described(form, form.encode(task, None).original)
    assert [line[:4] for line in shown.split("\n")[1:]] == ["<o0>", "<n1>", "<o2>", "<o3>", "<n4>"]
    assert read(form, task, form.encode(task, None).original) == [(line, i) for i, line in enumerate(LINES)]
