"""What a distilled head gained is told with an interval over the answers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np

from evals.distillation import Outcome, rows, sources


def outcome(name: str, right: float) -> Outcome:
    rng = np.random.default_rng(3)
    hits = rng.random((40, 10)) < right
    accepted = hits.sum(axis=1)
    return Outcome(
        name, np.stack([10.0 + accepted, np.full(40, 10.0), accepted, np.full(40, 10.0)], axis=1), 1.0
    )


def test_a_gain_is_told_from_noise_by_its_interval():
    base, same, better = outcome("eagle3", 0.3), outcome("same", 0.3), outcome("better", 0.6)
    low, high = same.gain(base)
    assert low <= 0.0 <= high
    assert better.gain(base)[0] > 0.2
    shown = {row[0]: row[1:] for row in rows([base, better])}
    assert shown["eagle3"][1] == ""
    assert float(shown["better"][0]) > float(shown["eagle3"][0])


def test_a_head_is_scored_on_edits_of_packages_that_it_did_not_learn_from(tmp_path: Path):
    path = tmp_path / "edits.jsonl.gz"
    with gzip.open(path, "wt") as out:
        for package in "abcdefgh":
            old = "".join(f"{package}_{i} = {i}\n" for i in range(12))
            new = old.replace(f"{package}_5 = 5", f"{package}_5 = 55")
            out.write(json.dumps({"package": package, "old": old, "new": new}) + "\n")
    seen = []
    for source in sources(path):
        examples = iter(source)
        seen.append({next(examples).task.lines[0][0] for _ in range(30)})
    assert seen[0]
    assert seen[1]
    assert not seen[0] & seen[1]
