"""Synthetic edits: every instruction has one right answer, every sketch shows what changed."""

from __future__ import annotations

import gzip
import inspect
import json
import random
import textwrap
from collections.abc import Iterator
from itertools import islice

import pytest

import fastedit.source.document as module
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.source.markers import looks_like_marker
from fastedit.source.update import Update, UpdateLine
from fastedit.train.changes.change import Out, RegionChange, combined, kept
from fastedit.train.changes.edits import random_change
from fastedit.train.changes.real import FilePair, RealChanges
from fastedit.train.changes.regions import sample_region
from fastedit.train.embedded.tokenizer import train_tokenizer
from fastedit.train.sources.corpus import SourceFile
from fastedit.train.synthesis.examples import Example, ExampleSource, Stage, pack
from fastedit.train.synthesis.sketch import TracedSketch, sketch, told

TEXT = inspect.getsource(module) + inspect.getsource(textwrap)
FILES = [SourceFile("own", "1", "Apache-2.0", "document.py", "python", TEXT)]


@pytest.fixture(scope="module")
def form() -> EmbeddedFormat:
    return EmbeddedFormat(train_tokenizer(TEXT.split("\n"), 600))


def examples(form: EmbeddedFormat, count: int, instruction: float, seed: int = 0) -> list[Example]:
    source = ExampleSource(FILES, form, Stage(4, 30, instruction, 3), seed)
    return list(islice(source, count))


def test_a_change_keeps_lines_in_order_and_never_cuts_the_ends_silently():
    rng = random.Random(1)
    for _ in range(200):
        lines, donor = sample_region(rng, FILES[0], 4, 40), sample_region(rng, FILES[0], 8, 40)
        change = random_change(rng, lines, donor, 3)
        if change is None:
            continue
        sources = [out.line for out in change.answer if out.line is not None]
        assert sources == sorted(set(sources))
        assert (sources[0], sources[-1]) == (0, len(lines) - 1)


def sketches(count: int, seed: int) -> Iterator[tuple[RegionChange, TracedSketch]]:
    rng = random.Random(seed)
    while count:
        lines, donor = sample_region(rng, FILES[0], 4, 40), sample_region(rng, FILES[0], 8, 40)
        change = random_change(rng, lines, donor, 3)
        if change is not None:
            count -= 1
            yield change, sketch(rng, change, "python")


def test_a_sketch_shows_every_changed_line_in_order():
    for change, drawn in sketches(200, 2):
        shown = [source for source in drawn.sources if source is not None]
        assert shown == sorted(set(shown))
        inked = {i for i, out in enumerate(change.answer) if not out.kept and out.text.strip()}
        assert inked <= set(shown)
        for line, source in zip(drawn.update.lines, drawn.sources, strict=True):
            assert source is None or line.text.strip() == change.answer[source].text.strip()


def test_markers_are_spelled_so_that_the_engine_takes_them_for_markers():
    for _, drawn in sketches(200, 3):
        for line in drawn.update.lines:
            assert looks_like_marker(line.text) == line.marker


def test_sketches_come_in_the_styles_that_people_write():
    whole = shifted = moved = 0
    for change, drawn in sketches(600, 4):
        whole += not any(line.marker for line in drawn.update.lines) and len(drawn.sources) >= len(
            change.answer
        )
        shifted += any(
            source is not None and line.text != change.answer[source].text
            for line, source in zip(drawn.update.lines, drawn.sources, strict=True)
        )
        moved += not set(change.text) ^ set(change.lines) and change.text != change.lines
    assert min(whole, shifted, moved) > 0


def test_a_change_that_its_sketch_does_not_tell_is_no_example():
    lines = ("a = 1", "", "b = 2", "", "c = 3", "", "d = 4")
    gone = RegionChange(lines, (*kept(lines, 0, 1), *kept(lines, 3)))
    shown = Update((UpdateLine("a = 1"), UpdateLine("# ... existing code ...", True), UpdateLine("c = 3")))
    assert told(gone, TracedSketch(shown, (0, None, 2))) is None
    assert told(RegionChange(lines, tuple(kept(lines))), TracedSketch(shown, (0, None, 4))) is not None


def test_of_lines_that_are_alike_the_one_is_meant_that_the_alignment_takes():
    lines = ("a = 1", "x", "x", "b = 2")
    one_less = RegionChange(lines, (*kept(lines, 0, 1), *kept(lines, 2)))
    shown = Update(tuple(UpdateLine(text) for text in one_less.text))
    plain = told(one_less, TracedSketch(shown, (0, 1, 2)))
    assert plain is not None
    assert plain.change.text == one_less.text
    stays = [out.line for out in plain.change.answer]
    assert stays == [target for target in plain.targets if target is not None]


def test_the_answer_of_an_example_reads_back_as_the_changed_region(form):
    for example in examples(form, 200, 0.5):
        reader = form.reader(example.task)
        # The tags of training start at random places, which only the example's own prompt knows.
        lines = reader.push(example.ids[example.answer :]) + reader.finish()
        assert tuple(line.text for line in lines) == example.change.text


def test_some_updates_come_with_an_instruction_that_says_the_same(form):
    both = [example for example in examples(form, 300, 0.0) if example.kind == "both"]
    assert len(both) > 5
    assert all(example.task.instruction and example.task.update for example in both)


def test_examples_repeat_with_the_same_seed(form):
    assert [e.ids for e in examples(form, 20, 0.5)] == [e.ids for e in examples(form, 20, 0.5)]
    assert [e.ids for e in examples(form, 20, 0.5)] != [e.ids for e in examples(form, 20, 0.5, seed=1)]


def test_batches_hold_every_example_once_within_the_token_budget(form):
    made = examples(form, 60, 0.5)
    packed = pack(made, 4096)
    assert sorted(e.ids for batch in packed for e in batch) == sorted(e.ids for e in made)
    assert all(len(batch) == 1 or len(batch) * max(len(e.ids) for e in batch) <= 4096 for batch in packed)


def test_two_changes_of_different_lines_combine_into_both():
    lines = ("a", "b", "c", "d", "e", "f")
    first = RegionChange(lines, (Out("A", 0), *kept(lines, 1)))
    second = RegionChange(lines, (*kept(lines, 0, 4), Out("new"), *kept(lines, 5)))
    assert combined(first, second).text == ("A", "b", "c", "d", "new", "f")
    assert combined(second, first).text == ("A", "b", "c", "d", "new", "f")


def test_changes_of_the_same_or_neighbouring_lines_do_not_combine():
    lines = ("a", "b", "c")
    first = RegionChange(lines, (*kept(lines, 0, 1), Out("B", 1), *kept(lines, 2)))
    assert combined(first, RegionChange(lines, (*kept(lines, 0, 1), *kept(lines, 2)))) is None
    assert combined(first, RegionChange(lines, (*kept(lines, 0, 2), Out("new"), *kept(lines, 2)))) is None


def test_a_real_change_holds_whole_hunks_between_lines_that_stay():
    old = [f"line {i}" for i in range(60)]
    new = [*old[:10], "new", *old[12:40], "more", *old[40:]]
    real = RealChanges([FilePair("\n".join(old) + "\n", "\n".join(new) + "\n", "python")])
    rng, seen = random.Random(0), set()
    for _ in range(60):
        change, _ = real.draw(rng, 20)
        if change is None:
            continue
        added = {out.text for out in change.answer if not out.kept}
        assert added in ({"new"}, {"more"})
        assert change.answer[0].kept
        assert change.answer[-1].kept
        assert len(change.lines) <= 20
        seen |= added
    assert seen == {"new", "more"}


def test_real_changes_make_examples_without_any_sources(form):
    real = RealChanges([FilePair("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 7\nc = 3\n", "python")])
    source = ExampleSource([], form, Stage(2, 8, 0.0, 1, real=1.0), 0, real)
    assert {example.kind for example in islice(source, 40)} == {"update"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_real_changes_are_the_same_in_files_with_other_line_ends(end):
    old, new = (end.join(("a = 1", f"b = {b}", "c = 3", "")) for b in (2, 7))
    change, _ = RealChanges([FilePair(old, new, "python")]).draw(random.Random(0), 8)
    assert change == RegionChange(
        ("a = 1", "b = 2", "c = 3"), (Out("a = 1", 0, True), Out("b = 7"), Out("c = 3", 2, True))
    )


def test_a_real_change_has_the_language_of_its_file(tmp_path):
    path = tmp_path / "edits.jsonl.gz"
    with gzip.open(path, "wt") as out:
        for name in ({"path": "src/load.ts"}, {}):
            out.write(json.dumps({**name, "old": "a\nb\nc\nd\n", "new": "a\nB\nc\nd\n"}) + "\n")
    real = RealChanges.load([path])
    assert {real.draw(random.Random(seed), 8)[1] for seed in range(9)} == {"typescript", "python"}


def test_real_changes_of_the_evaluation_packages_are_left_out(tmp_path):
    path = tmp_path / "edits.jsonl.gz"
    with gzip.open(path, "wt") as out:
        for package in ("flask", "pypi:Flask", "own"):
            out.write(json.dumps({"package": package, "old": "a\nb\nc\n", "new": "a\nB\nc\n"}) + "\n")
    real = RealChanges.load([path])
    assert (len(real), real.packages) == (1, ["own"])


def test_a_lines_tag_weighs_more_than_its_text_copied_or_not(form):
    for example in examples(form, 60, 0.7):
        answer = example.ids[example.answer :]
        weights = list(zip(answer, example.weights, strict=True))
        texts = {weight for token, weight in weights if token < form.text_vocab}
        tags = {weight for token, weight in weights if token >= form.text_vocab}
        assert len(texts) == len(tags) == 1
        assert max(texts) < min(tags)
