"""Texts that leave as many brackets open as the file does, looked for where the likeliest one does not."""

from __future__ import annotations

from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.sketch.align import Alignment
from fastedit.sketch.paths.lattice import Layer, PathStep
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.paired import Opened, even_tilt
from fastedit.sketch.sampled import paired_texts
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

PANEL = """\
export const Panel = () => {
    const [open, setOpen] = useState(false);
    return (
        <>
            <button onClick={() => setOpen(true)}>open</button>
            <Dialog
                title="Delete"
                tone="primary"
                onClose={() => setOpen(false)}
            />
        </>
    );
};
"""
# Its last lines are like those above `Panel.args`, which is what the likeliest path takes them for.
WITH_ARGUMENTS = """\
export const Panel = ({
    tone,
}: {
    tone?: 'primary' | 'warning';
}) => {
    const [open, setOpen] = useState(false);
    // ...
                title="Delete"
                tone={tone}
                // ...
    );
};
Panel.args = {
    tone: 'primary',
};
Panel.argTypes = {
    tone: {
        options: ['primary', 'warning'],
    },
};
"""


def alignment(old: str, update: str, language: str = "typescript") -> Alignment:
    lines = old.splitlines()
    return Alignment(lines, read_update(update, language, lines))


def left_open(lines: tuple[str, ...]) -> int:
    text = "\n".join(lines)
    return sum(map(text.count, "([{")) - sum(map(text.count, ")]}"))


def test_a_text_that_leaves_brackets_open_gives_way_to_one_that_does_not() -> None:
    assert left_open(alignment(PANEL, WITH_ARGUMENTS).best().text.lines)
    document = Document.from_text(PANEL, Path("panel.tsx"))
    reading = Merge(document, WITH_ARGUMENTS, LineRange(0, len(document.lines))).best
    head, _, tail = WITH_ARGUMENTS.partition("    // ...\n")
    hidden = "".join(PANEL.splitlines(keepends=True)[2:6])
    assert apply_hunks(document, reading.hunks) == (
        head
        + hidden
        + """\
                title="Delete"
                tone={tone}
                onClose={() => setOpen(false)}
            />
        </>
    );
};
"""
        + tail[tail.index("Panel.args") :]
    )


def test_posteriors_are_those_among_texts_that_leave_no_bracket_open() -> None:
    laid = alignment(PANEL, WITH_ARGUMENTS)
    found = paired_texts(laid, laid.best(), most=3, samples=400)
    assert found
    assert sum(one.posterior for one in found) <= 1.0
    for one in found:
        assert left_open(one.text.lines) == 0
    likeliest = found[0]
    exact = laid.candidate(likeliest.path).posterior
    assert likeliest.posterior * exp(-likeliest.rare) == pytest.approx(exact, rel=0.2)


def test_where_the_likeliest_text_leaves_no_bracket_open_there_is_nothing_to_look_for() -> None:
    laid = alignment("a = [\n    1,\n]\nb = 2\n", "a = [\n    1,\n    3,\n]\n# ...\n", "python")
    assert left_open(laid.best().text.lines) == 0
    assert paired_texts(laid, laid.best(), most=3, samples=64) == []


def test_a_path_opens_what_its_new_lines_open_and_its_lost_ones_do_not() -> None:
    file, sketch = Outline(["f(", "a)"], language="python"), Outline(["f(g(", "a)"], language="python")
    opened = Opened.of(file, sketch, np.zeros((2, 2), dtype=bool))
    changed = [PathStep(Layer.MATCH, 0, range(1)), PathStep(Layer.MATCH, 1, range(1, 2))]
    added = [PathStep(Layer.NEW, 0), PathStep(Layer.GONE, None, range(2)), PathStep(Layer.NEW, 1)]
    assert [opened.by(changed), opened.by(added)] == [1, 1]


def test_the_even_tilt_is_where_all_paths_together_are_least() -> None:
    def total(tilt: float) -> float:
        return float(
            np.logaddexp(2.0 * tilt, -4.0 - tilt)
        )  # of two paths, one opens two brackets, one closes one

    least = -(4.0 + log(2.0)) / 3.0
    assert even_tilt(True, total) == pytest.approx(least, abs=0.5)


def test_an_update_with_a_bracket_too_many_of_its_own_is_not_delivered_for_texts_that_pair() -> None:
    document = Document.from_text(
        'fn label(key: &str) -> Kind {\n    match key {\n        "a" => Kind::First,\n        "b" => Kind::Second,\n'
        "        _ => Kind::Other,\n    }\n}\n",
        Path("label.rs"),
    )
    update = "fn label(key: &str) -> Kind {\n    match key {\n        _ => {{ warn(key);\n    }\n}\n"
    merge = Merge(document, update, LineRange(0, len(document.lines)))
    assert not merge.best.sure


def test_texts_that_hardly_any_path_writes_are_not_looked_at() -> None:
    calls = 60
    old = "".join(f"g{at}(\n" for at in range(calls)) + "x\n" + ")\n" * calls
    update = "# ...\n" + "".join(f"alpha_{at}_beta(\n" for at in range(calls)) + "x\n# ...\n"
    laid = alignment(old, update, "python")
    assert laid.opened.by(laid.best().path)
    assert paired_texts(laid, laid.best(), most=3, samples=64) == []
