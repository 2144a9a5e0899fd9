from pathlib import Path

import pytest

from evals import drafts
from evals.drafts import COLUMNS, COSTS, INSTRUCTION, UPDATE, case, measure, pick
from evals.edits import RealEdit
from evals.public import NgramLookup
from evals.replay import Tally, accepted_path, replay
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable, choose
from fastedit.prompt.base import Prompt

OLD = "\n".join(f"def f{i}(a, b):\n    return a * {i} + b\n" for i in range(40))
NEW = OLD.replace("return a * 7 + b", "return a + b").replace("def f20(a, b)", "def f20(a, b, c=0)")


def by_character(text: str) -> tuple[int, ...]:
    return tuple(map(ord, text))


def edit(changed: float = 0.03, name: str = "a.py") -> RealEdit:
    return RealEdit("pkg", name, OLD, NEW, changed)


def test_nothing_drafted_takes_a_pass_for_every_token():
    tally = replay(Prompt((), (), (), None, frozenset(), 9), by_character("abc"), lambda p: [], COSTS, 128)
    assert (tally.tokens, tally.passes, tally.drafted) == (3, 4, 0)


@pytest.mark.parametrize("name", INSTRUCTION)
def test_every_instruction_scheme_writes_the_new_file(name: str):
    prompt, wanted = case(edit(), by_character, with_update=False)
    tally = replay(prompt, wanted, INSTRUCTION[name], COSTS, 128)
    assert prompt.prediction is None
    assert tally.tokens == len(NEW)
    assert tally.tokens + 1 == tally.passes + sum(tally.accepted.values())
    assert tally.drafted <= 127 * tally.passes


@pytest.mark.parametrize("name", UPDATE)
def test_every_update_scheme_writes_the_new_file(name: str):
    prompt, wanted = case(edit(), by_character, with_update=True)
    tally = replay(prompt, wanted, UPDATE[name], COSTS, 128)
    assert tally.tokens + 1 == tally.passes + sum(tally.accepted.values())


def test_an_update_takes_fewer_passes_than_an_instruction():
    passes = [
        replay(*case(edit(), by_character, with_update=update), INSTRUCTION["all"], COSTS, 128).passes
        for update in (False, True)
    ]
    assert passes[1] < passes[0] < len(NEW) / 30


def test_the_accepted_path_follows_the_branch_that_is_right():
    tree = choose(
        [Branch((1, 2, 3), (0.9, 0.5, 0.5), "a"), Branch((1, 5, 6), (0.8, 0.4, 0.4), "b")],
        CostTable((1, 9), (1.0, 1.0)),
        9,
    )
    assert tree.tokens[accepted_path(tree, [1, 5, 6, 7])].tolist() == [1, 5, 6]
    assert accepted_path(tree, [9]) == []


def test_a_column_holds_the_same_edits_on_every_machine():
    edits = [edit(0.03, f"{i}.py") for i in range(20)] + [edit(0.3, "x.py"), edit(0.02, "y.py")]
    picked = pick(edits, 0.02, 0.05, 7)
    assert picked == pick(edits[::-1], 0.02, 0.05, 7)
    assert len(picked) == 7
    assert all(0.02 <= e.changed < 0.05 for e in picked)


def test_the_headline_names_every_column_and_the_dearer_mode():
    cheap, dear = Tally(100, 10, 100, 1e-4), Tally(100, 20, 150, 5e-4)
    figures = {
        "instruction": {"all": dict.fromkeys(COLUMNS, dear)},
        "update": {"all": dict.fromkeys(COLUMNS, cheap)},
    }
    headline = drafts._headline(figures)
    assert headline["instruction_lt2"] == 5.0
    assert headline["update_5to15"] == 10.0
    assert headline["drafted_per_token"] == 1.5
    assert headline["draft_us_per_token"] == pytest.approx(5.0)
    assert len(headline) == 8


def test_tallies_add_up_by_column():
    cases = [case(edit(), by_character, with_update=False)] * 2
    one = measure({"a": cases[:1]}, INSTRUCTION["all"])["a"]
    two = measure({"a": cases}, INSTRUCTION["all"])["a"]
    assert (two.tokens, two.passes, two.drafted) == (2 * one.tokens, 2 * one.passes, 2 * one.drafted)


def test_lookup_continues_the_first_occurrence_at_its_fixed_length():
    lookup = NgramLookup([1, 2, 3, 4, 5, 6, 1, 2, 9], 1, 2, 3)
    lookup.observe([8, 1, 2])
    (branch,) = lookup.propose(127)
    assert list(branch.tokens) == [3, 4, 5]
    lookup.observe([77])
    assert lookup.propose(127) == []


def test_the_shipped_tokenizer_never_crosses_a_line_end(tmp_path: Path):
    encode = drafts.line_encoder(drafts.TOKENIZER)
    first, second = encode("def f():"), encode("    return 1")
    assert encode("def f():\n    return 1") == (*first, encode("\n")[0], *second)
