"""The report's charts as SVG, each from one record. The same record gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

Record = dict[str, Any]
_SIZE = (8.0, 4.5)
_LENGTH = re.compile(r"five lines in (\d+)")


def draw_all(found: dict[str, Record], folder: Path | None) -> dict[str, list[str]]:
    """The charts that the records hold data for, by record; drawn where there is a folder."""
    names: dict[str, list[str]] = {}
    for name, (record, draw) in CHARTS.items():
        if record not in found:
            continue
        figure, axes = _empty()
        if draw(found[record]["data"], axes):
            axes.legend(fontsize=7)
            names.setdefault(record, []).append(f"{name}.svg")
            if folder is not None:
                _save(figure, folder / f"{name}.svg")
    return names


def _empty() -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE)
    return figure, figure.add_subplot()


def _save(figure: Any, file: Path) -> None:
    import matplotlib as mpl

    file.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": "fastedit", "svg.fonttype": "none"}):
        figure.savefig(file, bbox_inches="tight", metadata={"Date": None})


def tokens_per_pass(data: dict[str, Any], axes: Any) -> bool:
    """By drafter, over the share of lines changed."""
    rows = data.get("figures", {}).get("instruction", {})
    for name, columns in rows.items():
        axes.plot(
            list(columns), [tally["tokens_per_pass"] for tally in columns.values()], marker="o", label=name
        )
    axes.set(
        xlabel="share of lines changed",
        ylabel="tokens a pass",
        title="Instruction only, replayed",
        yscale="log",
    )
    return bool(rows)


def acceptance(data: dict[str, Any], axes: Any) -> bool:
    """Accepted tokens by who proposed them, all drafters together."""
    modes = data.get("figures", {})
    sources = sorted(
        {s for rows in modes.values() for tally in rows.get("all", {}).values() for s in tally["accepted"]}
    )
    bars = [
        (f"{mode} {column}", tally)
        for mode, rows in modes.items()
        for column, tally in rows.get("all", {}).items()
    ]
    left = [0.0] * len(bars)
    for source in sources:
        shares = [tally["accepted"].get(source, 0) / max(tally["tokens"], 1) for _, tally in bars]
        axes.barh([name for name, _ in bars], shares, left=left, label=source)
        left = [at + share for at, share in zip(left, shares, strict=True)]
    axes.set(xlabel="share of the output tokens", title="Accepted tokens by source, replayed")
    return bool(bars)


def latency(data: dict[str, Any], axes: Any) -> bool:
    """The share of edits that are done after so many seconds, by way."""
    edits: dict[str, Any] = next(iter(data.get("edits", {}).values()), {})
    for way, runs in edits.items():
        seconds = sorted(run["seconds"] for run in runs)
        axes.step(seconds, [(i + 1) / len(seconds) for i in range(len(seconds))], where="post", label=way)
    axes.set(xscale="log", xlabel="seconds an edit", ylabel="share of edits", title="Latency, real edits")
    return bool(edits)


def by_length(data: dict[str, Any], axes: Any) -> bool:
    """Median milliseconds of the same five-line edit, by the file's length."""
    rows = {int(m[1]): row for name, row in data.get("figures", {}).items() if (m := _LENGTH.fullmatch(name))}
    for way in next(iter(rows.values()), {}):
        lengths = sorted(length for length in rows if way in rows[length])
        axes.plot(lengths, [rows[length][way]["median_ms"] for length in lengths], marker="o", label=way)
    axes.set(
        xscale="log", yscale="log", xlabel="lines of the file", ylabel="median ms", title="Five lines changed"
    )
    return len(rows) > 1


CHARTS: dict[str, tuple[str, Callable[[dict[str, Any], Any], bool]]] = {
    "tokens-per-pass": ("drafts", tokens_per_pass),
    "acceptance-by-source": ("drafts", acceptance),
    "latency": ("peers", latency),
    "speed-by-length": ("peers", by_length),
    "edit-by-length": ("growth", by_length),
}
