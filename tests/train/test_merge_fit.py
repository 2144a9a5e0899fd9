"""The fit of the alignment model: sums in torch, and what the command refuses."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest
import torch
from typer.testing import CliRunner

from fastedit.engine.merge.evidence import BY_HAND
from fastedit.sketch.align import Alignment, shipped
from fastedit.sketch.explain.grounds import counted
from fastedit.sketch.paths.lattice import Best, Lattice, Sums
from fastedit.sketch.paths.walks import likeliest, trace
from fastedit.sketch.paths.weights import FAMILIES, NAMES, SketchWeights
from fastedit.sketch.read.updates import read_update
from fastedit.train.__main__ import app
from fastedit.train.merge.cases import Case, Prepared, prepare
from fastedit.train.merge.fit import Recipe, fit
from fastedit.train.merge.places import changes_between
from fastedit.train.merge.ring import totals
from fastedit.train.merge.wording import crossed, fitted

OLD = """import os
import old_parser


class Store:
    def __init__(self, path):
        self.path = path

    def load(self):
        handle = open(self.path)
        return handle.read()

    def save(self, text):
        with open(self.path, "w") as handle:
            handle.write(text)


def main():
    store = Store("items.json")
    print(store.load())
"""
NEW = (
    OLD.replace("import old_parser\n", "")
    .replace(
        "handle = open(self.path)\n        return", "with open(self.path) as handle:\n            return"
    )
    .replace('Store("items.json")', 'Store("other.json")')
)


def case(sketch: str, new: str = NEW, **more) -> Case:
    return Case("own", "by hand", "python", OLD, sketch, new, **more)


SAVE = OLD.replace("handle.write(text)", "handle.write(text.strip())")
CASES = (
    case(NEW),
    case(
        "    def load(self):\n        return ''\n",
        OLD.replace("handle = open(self.path)\n        return handle.read()", "return ''"),
    ),
    case(
        "# ...\n    def save(self, text):\n        with open(self.path, 'w') as handle:\n            # ...\n",
        OLD.replace('"w"', "'w'"),
    ),
    case("# ... existing code ...\n            handle.write(text.strip())\n# ... existing code ...\n", SAVE),
    case("import os\n\n\nclass Store:\n    # rest unchanged\n", OLD.replace("import old_parser\n", "")),
)


SPOKEN = "# imports as they were\n            handle.write(text.strip())\n# ...\n", SAVE
COMMENTED = (
    "            # Strips what nobody wants.\n            handle.write(text.strip())\n# ...\n",
    SAVE.replace(
        "            handle.write", "            # Strips what nobody wants.\n            handle.write"
    ),
)


@pytest.fixture(scope="module")
def prepared() -> list[Prepared]:
    return [found for one in CASES if (found := prepare(one)) is not None]


def weights(cases: int = 1) -> torch.Tensor:
    return torch.tensor([shipped().values[name] for name in NAMES], dtype=torch.float64).repeat(cases, 1)


def test_sums_in_torch_are_those_of_the_lattice_and_the_true_text_has_a_part_of_them(prepared):
    assert len(prepared) == len(CASES)
    for found in prepared:
        lines, told = found.case.lines, SketchWeights(shipped().values, found.case.wording)
        alignment = Alignment(lines, read_update(found.case.sketch, "python", lines), told)
        every, true = totals([(found.features, found.allowed)], weights())[0].tolist()
        lattice = Lattice(replace(alignment.scores, blank=None), Sums())
        assert every == pytest.approx(float(lattice.total), abs=1e-6)
        assert true <= every


def test_a_batch_of_files_of_different_lengths_has_the_sums_of_each(prepared):
    longer = prepare(Case("own", "by hand", "python", "x = 1\n" + OLD, CASES[3].sketch, "x = 1\n" + SAVE))
    pair = [(found.features, found.allowed) for found in (prepared[3], longer)]
    together = totals(pair, weights(2))
    assert torch.allclose(together, torch.cat([totals([one], weights()) for one in pair]))


def test_a_fit_makes_true_texts_likelier(prepared):
    before = shipped().values
    first = fit(prepared, before, Recipe(epochs=1, rate=1e-9))
    again = fit(prepared, before, Recipe(epochs=4))
    assert again.losses[-1] < first.losses[0]
    assert again.losses == fit(prepared, before, Recipe(epochs=4)).losses
    assert all(0 < error <= Recipe().sigma for error in again.errors.values())


def test_a_feature_left_out_has_no_weight(prepared):
    fitted = fit(prepared, shipped().values, Recipe(epochs=1), without=frozenset({"leap"}))
    assert fitted.weights["leap"] == 0.0


def test_a_text_that_no_path_writes_is_no_case():
    assert prepare(case("def main():\n    pass\n", OLD + "print('from nowhere')\n")) is None


def test_a_line_that_comes_beside_an_equal_one_is_told_from_the_head_of_its_block():
    old = ["def a():", "    return 1", "def c():", "    return 1"]
    new = [*old[:2], "def b():", "    return 1", *old[2:]]
    assert changes_between(old, new) == [(2, 2, 2, 4)]


def test_the_features_of_a_path_times_the_weights_are_its_score():
    lines = tuple(OLD.split("\n"))
    for one in CASES:
        alignment = Alignment(lines, read_update(one.sketch, "python", lines))
        best = Lattice(replace(alignment.scores, blank=None), Best())
        counts = counted(alignment.features, trace(best, likeliest))
        score = sum(count * shipped().values[name] for name, count in counts.items())
        assert score == pytest.approx(float(best.total), abs=1e-6)


def test_words_are_fitted_without_the_comments_of_the_case_s_own_author():
    told = [case(sketch, new, author=author) for author in "abbb" for sketch, new in (SPOKEN, COMMENTED)]
    known = [one.wording.of_sketch.get("word: imports", 0.0) > 0.0 for one in crossed(told)]
    assert known == [True] * 2 + [False] * 6, "one comment with a word is too few"


def test_comments_of_the_code_and_of_the_sketch_are_told_apart_by_their_words():
    wording = fitted([case(*SPOKEN), case(*COMMENTED)] * 3)
    assert wording.speaks("# includes as they were") > wording.speaks("# Strips what it gets.")


def command(words: str):
    return CliRunner().invoke(app, f"merge {words}".split())


def test_the_command_writes_weights_and_how_they_were_made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"path": "a.py", "old": OLD, "edit": one.sketch, "new": one.new, "package": str(k)}
        for k, one in enumerate(CASES)
    ]
    with gzip.open("cases.jsonl.gz", "wt") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    done = command("--cases cases.jsonl.gz --epochs 1 --out w.json --ablate")
    assert done.exit_code == 0, done.output
    assert all(f"\n| {family} " in done.output for family in ("with all", *FAMILIES))
    written = json.loads((tmp_path / "w.json").read_text())
    assert set(written["weights"]) == set(NAMES)
    assert "any comment" in written["words"]["of_sketch"]
    assert sum(written["made"]["cases"].values()) + written["made"]["held out"]["cases"] == len(rows)
    assert str(tmp_path) not in json.dumps(written["made"])
    assert f"epoch 1 of 1: loss {written['made']['losses'][0]:.4f}" in done.stderr
    (tmp_path / "i.json").write_text(json.dumps(written | {"evidence": {"posterior": 0.9, "unseen": -2.0}}))
    again = command("--cases cases.jsonl.gz --init i.json --evidence-only --out e.json")
    assert again.exit_code == 0, again.output
    signs = json.loads((tmp_path / "e.json").read_text())
    assert (signs["weights"], signs["words"]) == (written["weights"], written["words"])
    assert signs["evidence"]["posterior"] != 0.9
    assert signs["evidence"]["unseen"] == -2.0
    assert signs["evidence"].keys().isdisjoint(BY_HAND)
    assert signs["evidence"].keys() >= {"posterior", "another text"}
    assert signs["made"].keys() == {*written["made"], "evidence"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--cases none.jsonl", "none.jsonl: no such file; check the path"),
        ("--cases empty.jsonl --out nowhere/w.json", "there is no folder nowhere; make it first"),
        (
            "--cases long.jsonl --evidence-only",
            "no signs to learn from: all sketches or their files are too long",
        ),
        ("--cases heavy.jsonl", "heavy.jsonl: `weight` is 'heavy', and no number"),
        ("--cases empty.jsonl", "empty.jsonl: no case in it"),
        ("--cases empty.jsonl --init none.json", "none.json: no weights"),
    ],
)
def test_what_it_cannot_use_is_told_in_one_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "long.jsonl").write_text(json.dumps({"old": "x = 1\n" * 1500, "edit": "y", "new": "y"}))
    (tmp_path / "heavy.jsonl").write_text(
        json.dumps({"old": OLD, "edit": OLD, "new": OLD, "weight": "heavy"})
    )
    done = command(f"--out w.json {words}")
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1
