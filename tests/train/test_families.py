"""Every family asks for a change whose text follows, and never trains on the wordings that evaluations ask in."""

from __future__ import annotations

import inspect
import random
import re
import textwrap
from itertools import islice

import pytest

import fastedit.edit.document as module
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.corpus import SourceFile
from fastedit.train.examples import Example, ExampleSource, Stage
from fastedit.train.families import FAMILIES, Scene
from fastedit.train.families.entries import opened
from fastedit.train.families.wording import Wordings, dressed
from fastedit.train.regions import sample_region
from fastedit.train.tokenizer import train_tokenizer

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
    stage = Stage(3, 30, 1.0, 0.0, 2, **shares)
    return list(islice(ExampleSource(FILES, form, stage, 0, held_out=held_out), count))


@pytest.mark.parametrize("name", FAMILIES)
def test_each_family_makes_a_change_that_keeps_every_other_line(name):
    family, rng, made = FAMILIES[name], random.Random(0), 0
    for _ in range(3000):
        file = BY_LANGUAGE[rng.choice(family.languages)]
        lines = sample_region(rng, file, 2, 40, [mark for mark in family.near if mark in file.text])
        donor = sample_region(rng, file, 8, 40)
        result = family(rng, lines, donor, file.language) if lines and donor else None
        if result is None:
            continue
        made += 1
        instruction, change = result
        assert instruction.strip()
        assert not re.search(r"\[\w+\|", instruction), "a choice of words was left open"
        assert change.lines == lines
        assert change.text != lines
        for out in change.answer:
            assert not out.kept or out.text == lines[out.line]
        if made == 4:
            return
    pytest.fail(f"only {made} of 4 changes found")


@pytest.mark.parametrize("name", FAMILIES)
def test_each_family_has_many_wordings_and_keeps_some_back_from_training(name):
    told = {spelled.lower() for spelled in FAMILIES[name].wordings.spelled(held_out=False)}
    back = {spelled.lower() for spelled in FAMILIES[name].wordings.spelled(held_out=True)}
    assert len(told) >= 8
    assert len(back) >= 2
    assert told.isdisjoint(back)


def test_there_are_families_for_every_language_of_the_corpus():
    spoken = [language for family in FAMILIES.values() for language in family.languages]
    assert len(FAMILIES) >= 25
    assert all(spoken.count(language) >= 10 for language in BY_LANGUAGE)


def asked_in(example: Example, held_out: bool) -> bool:
    """Whether the instruction is one of the family's sentences with its places filled."""
    said = example.task.instruction.lower()
    for spelled in FAMILIES[example.kind].wordings.spelled(held_out):
        pieces = re.split(r"\{\w+\}", spelled.lower())
        if re.search(".*".join(map(re.escape, pieces)), said, re.DOTALL):
            return True
    return False


def test_training_asks_in_its_own_wordings_and_evaluation_in_those_kept_back(form):
    for held_out in (False, True):
        for example in examples(form, 80, held_out, several=0.0, idle=0.0):
            assert asked_in(example, held_out), example.task.instruction


def test_what_the_region_has_no_place_for_changes_nothing(form):
    idle = [e for e in examples(form, 120, idle=0.7) if e.kind == "idle"]
    assert idle
    for example in idle:
        assert example.change.text == example.task.lines
        assert not any(example.novel)


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
    wordings = Wordings(("[drop|remove] {a}[ now|]",), ("off with {a}",))
    rng = random.Random(0)
    said = {wordings.say(rng, {"a": "`x`"}) for _ in range(100)}
    assert said == {"drop `x`", "remove `x`", "drop `x` now", "remove `x` now"}
    assert set(wordings.spelled(False)) == {"drop {a}", "remove {a}", "drop {a} now", "remove {a} now"}
    assert wordings.say(rng, {"a": "`x`"}, held_out=True) == "off with `x`"


def test_sentences_around_an_instruction_leave_its_names_as_they_are_spelled():
    rng = random.Random(1)
    for _ in range(300):
        assert "load should be" in dressed(rng, "load should be `read`", ("load(path)", "other = load"))


def test_nothing_is_put_behind_a_last_entry_that_has_a_comment_behind_it():
    plain = ("names = [", '    "first",', '    "second"', "]")
    commented = (*plain[:2], '    "second"  # the last', "]")
    pattern = re.compile(r"(?P<name>\w+) = \[$")
    assert opened(Scene(random.Random(0), plain, ()), pattern)
    assert not opened(Scene(random.Random(0), commented, ()), pattern)


def test_a_step_of_indentation_is_that_of_the_block_around_a_line():
    lines = (
        "def load(path):",
        "    text = f(",
        "      path)",
        "    if text:",
        "        return text",
        "x = 1",
    )
    scene = Scene(random.Random(0), lines, ())
    assert [len(scene.unit(line)) for line in (1, 4, 5)] == [4, 4, 4]


def test_a_scene_offers_only_what_a_sentence_can_mean_once():
    scene = Scene(random.Random(0), ("a = first", "b = second", "a = first", "}"), ("other = 1",))
    assert scene.unique() == [1]
    assert scene.once("second")
    assert not scene.once("first")
    assert scene.name() not in {"a", "b", "first", "second"}


CASES = [
    ("negate_condition", "python", "if x is None:\n    pass", "if x is not None:\n    pass"),
    ("negate_condition", "python", "if x is not None:\n    pass", "if x is None:\n    pass"),
    ("negate_condition", "go", "if a.b == 1 {\n\tf()\n}", "if a.b != 1 {\n\tf()\n}"),
    ("make_async", "javascript", "export function f(a) {\n}", "export async function f(a) {\n}"),
    ("make_sync", "python", "async def f(a):\n    pass", "def f(a):\n    pass"),
    ("remove_docstring", "python", 'def f():\n    """Say."""\n    return 1', "def f():\n    return 1"),
    ("to_fstring", "python", 'print("{} of {}".format(a, b.c))', 'print(f"{a} of {b.c}")'),
    ("remove_key", "json", '{\n  "a": 1,\n  "bcd": 2\n}', None),
    ("uncomment", "c", "f();\n// return 1;\ng();", "f();\nreturn 1;\ng();"),
    ("change_visibility", "rust", "    fn f(a: u8) -> u8 {\n    }", "    pub fn f(a: u8) -> u8 {\n    }"),
    ("remove_default", "python", "def f(a, b=1):\n    pass", "def f(a, b):\n    pass"),
    ("delete_definition", "go", "func f() {\n\tg()\n}\n\nvar x = 1", "var x = 1"),
]


@pytest.mark.parametrize(("name", "language", "old", "new"), CASES)
def test_a_change_is_the_one_that_its_instruction_asks_for(name, language, old, new):
    wanted = new or '{\n  "a": 1\n}'
    seen = set()
    for seed in range(60):
        lines = tuple(old.split("\n"))
        made = FAMILIES[name](random.Random(seed), lines, ("other = 1",) * 8, language)
        if made is not None:
            seen.add("\n".join(made[1].text))
    assert wanted in seen
