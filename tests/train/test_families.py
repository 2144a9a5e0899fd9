"""Every family asks for a change whose text follows, and never trains on the wordings that evaluations ask in."""

from __future__ import annotations

import inspect
import random
import re
import textwrap
from collections.abc import Sequence
from itertools import islice

import pytest

import fastedit.source.document as module
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.source.hunks import Hunk
from fastedit.train.changes.change import revision
from fastedit.train.changes.regions import sample_region
from fastedit.train.embedded.tokenizer import train_tokenizer
from fastedit.train.families import FAMILIES, Scene
from fastedit.train.families.wording import PLACE, chosen, dressed, sentences
from fastedit.train.sources.corpus import SourceFile
from fastedit.train.synthesis.examples import Example, ExampleSource, Stage

from .sources import SOURCES

PYTHON = inspect.getsource(module) + inspect.getsource(textwrap)
FILES = [
    SourceFile("own", "1", "Apache-2.0", f"file.{language}", language, text)
    for language, text in {**SOURCES, "python": SOURCES["python"] + PYTHON}.items()
]
BY_LANGUAGE = {file.language: file for file in FILES}


@pytest.fixture(scope="module")
def form() -> EmbeddedFormat:
    return EmbeddedFormat(train_tokenizer("\n".join(SOURCES.values()).split("\n"), 600))


def examples(form: EmbeddedFormat, count: int, held_out: bool = False, **shares: float) -> list[Example]:
    stage = Stage(3, 30, 1.0, 2, **shares)
    return list(islice(ExampleSource(FILES, form, stage, 0, held_out=held_out), count))


def scene(rng: random.Random, languages: Sequence[str]) -> Scene | None:
    file = BY_LANGUAGE[rng.choice(languages)]
    lines, donor = sample_region(rng, file, 3, 40), sample_region(rng, file, 8, 40)
    return Scene(rng, lines, donor, file.language) if lines and donor else None


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_each_family_makes_a_change_that_keeps_every_other_line(name):
    family, rng = FAMILIES[name], random.Random(0)
    spoken = [language for language in family.languages if language in BY_LANGUAGE]
    for _ in range(1500):
        region = scene(rng, spoken)
        result = family.bare(region) if region else None
        if result is None:
            continue
        instruction, change = result
        assert instruction.strip()
        assert not re.search(r"\[\w+\|", instruction), "a choice of words was left open"
        assert change.lines == region.lines
        assert change.text != region.lines
        for out in change.answer:
            assert not out.kept or out.text == region.lines[out.line]
        return
    pytest.fail("no change found")


def test_there_are_families_for_every_language_of_the_corpus():
    spoken = [language for family in FAMILIES.values() for language in family.languages]
    assert all(spoken.count(language) >= 3 for language in BY_LANGUAGE.keys() - {"markdown", "shell"})
    assert spoken.count("python") > 20


def test_sentences_that_are_held_out_are_no_part_of_training():
    for form in FAMILIES:
        assert sentences(form, True)
        assert set(sentences(form, True)).isdisjoint(sentences(form, False))


def said_in(example: Example, held_out: bool) -> bool:
    """Whether the instruction is one of the family's sentences with its places filled."""
    said, rng = example.task.instruction.lower(), random.Random(0)
    for text in sentences(example.kind, held_out):
        for spelled in {chosen(rng, text) for _ in range(20)}:
            pieces = PLACE.split(spelled.lower())[::2]
            if re.search(".*".join(map(re.escape, pieces)), said, re.DOTALL):
                return True
    return False


def test_training_asks_in_its_own_wordings_and_evaluation_in_those_kept_back(form):
    for held_out in (False, True):
        for example in examples(form, 80, held_out, several=0.0, idle=0.0):
            assert said_in(example, held_out), example.task.instruction


def test_what_the_region_has_no_place_for_changes_nothing(form):
    idle = [e for e in examples(form, 120, idle=0.7) if e.kind == "idle"]
    assert idle
    for example in idle:
        assert example.change.text == example.task.lines


def test_several_wishes_become_one_instruction_with_all_the_changes(form):
    several = [e for e in examples(form, 120, several=1.0) if e.kind == "several"]
    assert len(several) > 20
    for example in several:
        changed = [out for out in example.change.answer if not out.kept]
        gone = len(example.task.lines) - sum(out.line is not None for out in example.change.answer)
        assert len(changed) + gone > 1


def test_every_answer_reads_back_as_the_changed_region(form):
    for example in examples(form, 300, several=0.3, idle=0.1):
        reader = form.reader(example.task)
        lines = reader.push(example.ids[example.answer :]) + reader.finish()
        assert tuple(line.text for line in lines) == example.change.text


def test_a_wording_says_one_of_its_alternatives():
    rng = random.Random(0)
    said = {chosen(rng, "[drop|remove] {a}[ now|]") for _ in range(100)}
    assert said == {"drop {a}", "remove {a}", "drop {a} now", "remove {a} now"}


def test_sentences_around_an_instruction_leave_its_names_as_they_are_spelled():
    rng = random.Random(1)
    for _ in range(300):
        assert "load should be" in dressed(rng, "load should be `read`", ("load(path)", "other = load"))


CASES = [
    ("negate ANCHOR [in FUNCTION]", "go", "func f() {\n\tif a.b == 1 {\n\t\tf()\n\t}\n}", "if a.b != 1 {"),
    ("remove default of PARAMETER in FUNCTION", "python", "def f(a, b=1):\n    pass", "def f(a, b):"),
    ("delete TARGET", "go", "func f() {\n\tg()\n}\n\nvar x = 1", "var x = 1"),
    ("delete key KEY [in PARENT]", "yaml", "    a: 1\n    bcd: 2", "    a: 1"),
]


@pytest.mark.parametrize(("name", "language", "old", "new"), CASES)
def test_a_change_is_the_one_that_its_operation_makes_at_the_regions_own_indentation(
    name, language, old, new
):
    seen = set()
    for seed in range(60):
        region = Scene(random.Random(seed), tuple(old.split("\n")), ("other = 1",) * 8, language)
        made = FAMILIES[name].bare(region)
        if made is not None:
            seen.update(made[1].text)
    assert any(new in line for line in seen), seen


def test_new_lines_are_versions_of_the_old_ones_that_they_are_like():
    lines = ("def f():", "    run(path)", "    stop()")
    wrapped = revision(lines, (Hunk(1, 2, ("    try:", "        run(path)", "    except OSError:")),))
    assert [(out.line, out.kept) for out in wrapped.answer] == [
        (0, True),
        (None, False),
        (1, False),
        (None, False),
        (2, True),
    ]
    renamed = revision(lines, (Hunk(1, 3, ("    go(path)", "    stop()")),))
    assert [(out.line, out.kept) for out in renamed.answer] == [(0, True), (1, False), (2, True)]
