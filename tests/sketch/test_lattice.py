"""The sums over all alignments against all alignments, one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from fastedit.sketch.paths.lattice import NEVER, Best, Lattice, Layer, Scores, Sums
from fastedit.sketch.paths.walks import Walks, likeliest, sampler, steps_of, trace

M, N = 3, 3
INTO = {
    Layer.MATCH: {Layer.EDGE, Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP, Layer.LEAP},
    Layer.NEW: {Layer.EDGE, Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP, Layer.LEAP},
    Layer.MARK: {Layer.EDGE, Layer.MATCH, Layer.NEW, Layer.GONE, Layer.MARK, Layer.KEEP},
    Layer.KEEP: {Layer.MARK, Layer.KEEP},
    Layer.GONE: {Layer.EDGE, Layer.MATCH, Layer.MARK, Layer.KEEP, Layer.GONE},
    Layer.LEAP: {Layer.EDGE, Layer.MATCH, Layer.NEW, Layer.GONE, Layer.KEEP, Layer.LEAP},
}


@pytest.fixture(params=range(4))
def scores(request) -> Scores:
    rng = np.random.default_rng(request.param)
    turns = rng.normal(size=(7, 7))
    ended = np.where(rng.random((M + 1, N + 1)) < 0.3, 0.0, NEVER)
    ended[0] = NEVER  # above which nothing is shown
    return Scores(
        match=np.concatenate((rng.normal(size=(M, N)), np.full((M, 1), NEVER)), axis=1),
        new=rng.normal(size=(M, N + 1)),
        gone=rng.normal(size=(M + 1, N)),
        mark=np.where(rng.random(M) < 0.5, rng.normal(size=M), NEVER),
        note=np.where(rng.random(M) < 0.7, rng.normal(size=M), NEVER),
        begin=rng.normal(size=(M, N + 1)),
        keep=rng.normal(size=(M, N)),
        onward=np.where(rng.random(M) < 0.5, 0.0, NEVER),
        stay=rng.normal(size=(M + 1, N)),
        leap=rng.normal(size=M + 1),
        enter=rng.normal(size=(M + 1, N + 1)),
        ended=ended,
        leave=rng.normal(size=N + 1),
        cut=rng.normal(size=N + 1),
        join=rng.normal(size=N + 1),
        turns=turns,
    )


def paths(s: Scores, i: int, j: int, before: Layer, marker: int, noted: bool = False) -> Iterator[float]:
    """The score of every way from here to the end; `noted`: the last step was a note behind lines that went."""
    leaves = s.leave[j] if before is Layer.LEAP else s.join[j] if before is Layer.GONE and not noted else 0.0
    if (i, j) == (M, N) and before is not Layer.EDGE:
        yield leaves + s.turns[before, Layer.EDGE]
    yield from notes(s, i, j, before, leaves)
    for layer in INTO:
        if before not in INTO[layer]:
            continue
        goes_on = layer is before and layer in (Layer.KEEP, Layer.GONE, Layer.LEAP)
        turn = 0.0 if goes_on or layer is Layer.KEEP else s.turns[before, layer]
        left = 0.0 if goes_on else leaves
        if layer is Layer.MATCH and i < M and j < N:
            step, at, mark = s.match[i, j], (i + 1, j + 1), marker
        elif layer is Layer.NEW and i < M:
            step, at, mark = s.new[i, j], (i + 1, j), marker
        elif layer is Layer.MARK and i < M:
            step, at, mark = s.mark[i], (i + 1, j), i
        elif layer is Layer.KEEP and j < N:
            begun = s.begin[marker, j] if before is Layer.MARK else 0.0
            step, at, mark = s.keep[marker, j] + begun, (i, j + 1), marker
        elif layer is Layer.GONE and j < N:
            begun = 0.0 if goes_on and not noted else s.cut[j]
            step, at, mark = s.gone[i, j] + begun, (i, j + 1), marker
        elif layer is Layer.LEAP and j < N:
            begun = 0.0 if goes_on else s.leap[i] + s.enter[i, j]
            begun += s.onward[marker] if before is Layer.KEEP else 0.0
            begun += s.ended[i, j] if before is Layer.GONE else 0.0
            step, at, mark = s.stay[i, j] + begun, (i, j + 1), marker
        else:
            continue
        for rest in paths(s, *at, layer, mark):
            yield left + turn + step + rest


def notes(s: Scores, i: int, j: int, before: Layer, leaves: float) -> Iterator[float]:
    """The score of every way from here on that begins with a note: behind lines that went, or before such lines."""
    if before is Layer.LEAP or i == M:
        return
    told = leaves + s.turns[before, Layer.MARK]
    if before is Layer.GONE:
        for rest in paths(s, i + 1, j, Layer.GONE, -1, noted=True):
            yield told + s.note[i] + rest
        return
    for at in range(i, M):
        told += s.note[at]
        if j < N:
            for rest in paths(s, at + 1, j + 1, Layer.GONE, -1):
                yield told + s.cut[j] + s.gone[at + 1, j] + rest


def test_the_sum_and_the_best_path_are_those_of_all_paths(scores):
    every = list(paths(scores, 0, 0, Layer.EDGE, -1))
    assert len(every) > 100
    assert float(Lattice(scores, Sums()).total) == pytest.approx(
        math.log(sum(map(math.exp, every))), abs=1e-6
    )
    assert float(Lattice(scores, Best()).total) == pytest.approx(max(every), abs=1e-6)


@pytest.mark.parametrize("ring", [Best, Sums])
def test_a_traced_path_consumes_every_line_once_and_in_order(scores, ring):
    pick = likeliest if ring is Best else sampler()
    for _ in range(5):
        path = trace(Lattice(scores, ring()), pick)
        assert [step.sketch for step in path if step.sketch is not None] == list(range(M))
        assert [row for step in path for row in step.lines] == list(range(N))


def test_several_cases_in_one_lattice_have_the_totals_of_each_alone(scores):
    other = scores.match + 1.0
    both = replace(
        scores,
        match=np.stack((scores.match, other), axis=-2),
        mark=np.stack((scores.mark, scores.mark), axis=-1)[..., None],
    )
    alone = [float(Lattice(one, Sums()).total) for one in (scores, replace(scores, match=other))]
    assert Lattice(both, Sums(2)).total.tolist() == pytest.approx(alone, abs=1e-9)


def test_walks_of_one_path_are_equal_and_those_of_others_are_not(scores):
    walks = Walks(Lattice(scores, Sums()), sampler())
    found = {walk: steps_of(walk) for walk in (walks.walk() for _ in range(50))}
    assert 1 < len(found) < 50
    assert len({tuple(path) for path in found.values()}) == len(found)
