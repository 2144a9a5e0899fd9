"""All ways of decoding write the same tokens, and the figures add up."""

from __future__ import annotations

from evals.cases import Case
from evals.peers.__main__ import OFF, ON
from evals.ways import (
    Lookup,
    Timing,
    compare,
    fastedit_decoder,
    figures,
    region_parts,
    rewrite,
    transformers_decoder,
    tune_lookup,
)


def test_an_edit_that_is_refused_has_no_regions():
    lost = Case("x", "update", "python", "x.py", "x = 1\n", "x = 1\n", 1, instruction="  ")
    assert region_parts([lost]) == []


def test_an_instruction_that_names_too_many_places_has_no_regions():
    old = "".join(f"value = make({i})\n\n\ndef part{i}():\n    return value\n\n\n" for i in range(30))
    case = Case(
        id="many",
        kind="instruction",
        language="python",
        path="a.py",
        old=old,
        wanted=old,
        lines=1,
        instruction="make value better everywhere",
    )
    assert region_parts([case]) == []


def test_every_way_writes_the_same_tokens(model, plain, parts):
    ways = {
        ON: fastedit_decoder(model, speculation=True),
        OFF: fastedit_decoder(model, speculation=False),
        "plain": transformers_decoder(plain, None),
        "lookup": transformers_decoder(plain, Lookup(20, 3)),
    }
    found = figures(compare(model, parts, ways), ON)
    assert {row["identical"] for row in found.values()} == {1.0}
    assert len({row["tokens"] for row in found.values()}) == 1


def test_a_rewrite_that_copies_the_region_counts_its_characters(model, parts):
    timing = rewrite(model, lambda prompt: list(prompt.original), parts[0])
    assert timing.chars == sum(len(line) + 1 for line in parts[0].task.lines)


def test_an_answer_out_of_form_counts_no_characters(model, parts):
    assert rewrite(model, lambda prompt: [0, 1], parts[0]).chars == 0


def test_tuning_picks_one_of_the_settings(model, plain, parts):
    sweep = (Lookup(5, 2), Lookup(20, 3))
    assert tune_lookup(model, plain, parts[:1], sweep) in sweep


def test_speed_is_all_characters_over_all_seconds():
    timings = {
        ON: [Timing(1.0, (1, 2), 100), Timing(3.0, (3,), 100)],
        OFF: [Timing(4.0, (1, 2), 100), Timing(4.0, (4,), 100)],
    }
    found = figures(timings, ON)
    assert found[ON]["chars_per_s"] == 50
    assert found[OFF]["chars_per_s"] == 25
    assert found[OFF]["identical"] == 0.5
