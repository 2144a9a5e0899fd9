"""What holds for every file and every sketch."""

from __future__ import annotations

import inspect
import random
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.sketch.align import Alignment, lay
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.sampled import likely_texts
from fastedit.source.update import Update, UpdateLine

SOURCE = inspect.getsource(textwrap).splitlines()
MARKER = "# ... existing code ..."
LINES = st.lists(
    st.sampled_from(["", "x = 1", "def f():", "    return 1", "}", "    y = 2", "class A:"]), max_size=12
)


def merged(sketch: list[str], lines: list[str] = SOURCE) -> list[str]:
    return list(lay(lines, read_update("\n".join(sketch), "python", lines)).text.lines)


def unique(lines: list[str]) -> list[int]:
    return [at for at, line in enumerate(lines) if line.strip() and lines.count(line) == 1]


@given(LINES)
def test_a_sketch_that_is_the_whole_file_gives_the_file(lines):
    update = Update(tuple(map(UpdateLine, lines)))
    if any(line.strip() for line in lines):
        assert list(lay(lines, update).text.lines) == lines


@given(LINES, st.integers(1, 3))
def test_markers_alone_keep_every_line(lines, count):
    update = Update((UpdateLine(MARKER, True),) * count)
    assert list(lay(lines, update).text.lines) == lines


@pytest.mark.parametrize("seed", range(8))
def test_a_marker_loses_no_line_wherever_it_stands(seed):
    rng = random.Random(seed)
    shown = sorted(rng.sample(unique(SOURCE), 6))
    sketch = [MARKER]
    for at in shown:
        sketch += [SOURCE[at], MARKER]
    assert merged(sketch) == SOURCE


@pytest.mark.parametrize("seed", range(3))
def test_a_change_between_lines_that_stand_once_comes_back_and_nothing_else_changes(seed):
    rng = random.Random(seed)
    places = [
        at for at in unique(SOURCE) if 0 < at < len(SOURCE) - 1 and {at - 1, at + 1} <= set(unique(SOURCE))
    ]
    at = rng.choice(places)
    changed = SOURCE[at] + "  # changed"
    wanted = [*SOURCE[:at], changed, *SOURCE[at + 1 :]]
    for before, after in ((1, 1), (3, 3)):
        sketch = [MARKER, *SOURCE[at - before : at], changed, *SOURCE[at + 1 : at + 1 + after], MARKER]
        assert merged(sketch) == wanted, "more context changes nothing"


def test_what_is_copied_is_told_by_rising_origins():
    sketch = [
        MARKER,
        "def wrap(text, width=70, **kwargs):",
        MARKER,
        "    return w.wrap(text.strip())",
        MARKER,
    ]
    text = lay(SOURCE, read_update("\n".join(sketch), "python", SOURCE)).text
    origins = [origin for origin in text.origins if origin is not None]
    assert origins == sorted(set(origins))
    assert all(
        SOURCE[origin] == line
        for line, origin in zip(text.lines, text.origins, strict=True)
        if origin is not None
    )


def test_in_a_long_file_the_places_left_out_change_neither_the_text_nor_much_of_its_posterior():
    sketch = [
        MARKER,
        "def fill(text, width=70, **kwargs):",
        MARKER,
        "    return w.fill(text.strip())",
        MARKER,
    ]
    update = read_update("\n".join(sketch), "python", SOURCE)
    squeezed = Alignment(SOURCE, update).best()
    whole = Alignment(SOURCE, update, long=len(SOURCE)).best()
    assert squeezed.text == whole.text
    assert squeezed.posterior == pytest.approx(whole.posterior, abs=0.05)


def test_a_wrap_whose_end_is_open_is_not_counted_as_one_text():
    lines = ["def f(a):", "    b = a", "    c = b", "    return c", "", "", "x = 1"]
    update = read_update(f"def f(a):\n    if a:\n        {MARKER}\n    {MARKER}\n", "python", lines)
    alignment = Alignment(lines, update)
    found = likely_texts(alignment, alignment.best())
    assert sum(one.posterior for one in found) <= 1.0 + 1e-6


def test_a_line_longer_than_any_screen_is_laid_like_others():
    lines = ["a = 1", "b = [" + "1234567, " * 12_000 + "]", "c = 3"]
    assert merged(["a = 2", MARKER], lines) == ["a = 2", *lines[1:]]
