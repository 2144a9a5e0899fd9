import random
import subprocess
import sys
from dataclasses import replace

import fastedit.draft
from fastedit.draft import drafters_for
from fastedit.draft.budget import CostTable
from fastedit.draft.tree import Merger
from fastedit.prompt.base import Prompt
from tests.draft.helpers import choose

FLAT = CostTable((1, 128), (10.0, 10.5))


def prompt(original: tuple[int, ...], prediction: tuple[int, ...] | None = None) -> Prompt:
    return Prompt((), original, (), prediction, frozenset(), 2 * len(original))


def test_a_prediction_is_drafted_from_only_where_there_is_one():
    assert [d.name for d in drafters_for(prompt((1, 2)))] == ["original", "suffix", "ngram"]
    assert drafters_for(prompt((1, 2), (1, 3)))[0].name == "prediction"


def test_where_they_disagree_the_prediction_is_asked_first():
    old = tuple(range(100, 160))
    new = (*old[:10], 1, 2, 3, *old[10:])
    branches = [b for d in drafters_for(prompt(old, new)) for b in d.propose(40)]
    merger = Merger(branches)
    tree, survival = merger.tree([len(run.tokens) for run in merger.runs]), merger.survival()
    by_token = dict(zip(tree.tokens.tolist(), survival.tolist(), strict=True))
    assert by_token[1] > 0.5
    assert by_token.get(old[10], 0.0) > 0.0
    assert by_token[1] > survival[tree.parents.tolist().index(9)] - 1e-6


def test_any_edit_is_written_with_every_drafter_and_few_passes():
    draw = random.Random(3)
    old = [draw.randrange(40) for _ in range(600)]
    new = [*old[:100], *(draw.randrange(40) for _ in range(12)), *old[130:400], *old[380:]]
    assert passes(prompt(tuple(old)), new) < 60


def test_many_lines_in_a_row_that_are_spelled_out_as_gone_take_few_passes():
    draw, drop = random.Random(4), 99
    lines = [[100 + line, *(draw.randrange(40) for _ in range(6))] for line in range(60)]
    old = tuple(token for line in lines for token in line)
    spelled = replace(prompt(old), removal=tuple(token for line in lines for token in (line[0], drop)))
    new = [t for i, line in enumerate(lines) for t in ((line[0], drop) if 20 <= i < 50 else line)]
    assert passes(spelled, new) < passes(prompt(old), new) / 2


def passes(prompt: Prompt, answer: list[int]) -> int:
    """How many passes an answer takes that is verified as a model would that writes it."""
    drafters = drafters_for(prompt)
    at = count = 0
    while at < len(answer):
        tree = choose([b for d in drafters for b in d.propose(63)], FLAT, 63)
        node = -1
        found = at
        while found < len(answer):
            children = [i for i, parent in enumerate(tree.parents.tolist()) if parent == node]
            step = next((i for i in children if tree.tokens[i] == answer[found]), None)
            if step is None:
                break
            node, found = step, found + 1
        accepted = answer[at : found + 1]
        for drafter in drafters:
            drafter.observe(accepted)
        at, count = at + len(accepted), count + 1
    return count


def test_drafting_needs_no_torch():
    code = "import sys, fastedit.draft; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_package_names_what_it_offers():
    assert all(hasattr(fastedit.draft, name) for name in fastedit.draft.__all__)
