"""What evaluations share: their options, the machine, the tables that they print, and the JSON that they leave."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from fastedit.errors import UsageError
from fastedit.train.options import in_folder
from fastedit.train.table import table

Quick = Annotated[bool, typer.Option("--quick", help="Few cases, about a minute.")]
Model = Annotated[str, typer.Option(help="`embedded` or a model folder.")]
Json = Annotated[Path | None, typer.Option("--json", callback=in_folder, help="Where all figures go.")]


def check_known(what: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raises UsageError for the first that is not known."""
    names = tuple(known)
    for name in given:
        if name not in names:
            raise UsageError(f"no {what} {name!r}; there are {', '.join(names)}")


def machine() -> str:
    """What a figure was measured on: processor, usable cores, system and Python."""
    cores = len(os.sched_getaffinity(0))
    return f"{_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def publish(
    settings: str, headline: Mapping[str, Any], figures: Mapping[str, Any], file: Path | None, **more: Any
) -> None:
    """Print where and how it was measured, a table for every group of figures, and the headline; with a file, write
    them and `more` as JSON."""
    print(f"{machine()}; {settings}")
    for rows in tables(figures):
        print(f"\n{rows}")
    for name, reason in more.get("absent", {}).items():
        print(f"{name}: absent, {reason}")
    if headline:
        print(f"\n{headline_table(headline)}")
    write_figures(file, headline=headline, machine=machine(), settings=settings, figures=figures, **more)


def write_figures(file: Path | None, **data: Any) -> None:
    """As JSON, where a file is given."""
    if file is not None:
        file.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


class KeptFigures:
    """Figures that go into a file after every step, so that an interrupted run leaves what it has."""

    def __init__(self, file: Path, **data: Any) -> None:
        self._file, self._data = file, data

    def keep(self, **more: Any) -> None:
        self._data |= more
        write_figures(self._file, **self._data)


def headline_table(headline: Mapping[str, Any]) -> str:
    return table(
        ["headline", ""], [[name.replace("_", " "), shown(value)] for name, value in headline.items()]
    )


def rows_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows with the same names, strings as they are and numbers as `shown`."""
    found = list(rows)
    return table(
        [name.replace("_", " ") for name in found[0]], [[*map(shown, row.values())] for row in found]
    )


def tables(figures: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """One table for every group of rows, a row being a mapping from names to numbers."""
    rows = {name: row for name, row in figures.items() if isinstance(row, dict) and _flat(row)}
    if rows:
        columns = list(
            dict.fromkeys(
                key for row in rows.values() for key in row if not isinstance(row[key], (list, dict, str))
            )
        )
        cells = [[name, *(shown(row.get(key)) for key in columns)] for name, row in rows.items()]
        yield table([path, *(key.replace("_", " ") for key in columns)], cells)
    for name, row in figures.items():
        if isinstance(row, dict) and name not in rows:
            yield from tables(row, f"{path}, {name}" if path else name)


def _flat(row: Mapping[str, Any]) -> bool:
    return any(isinstance(value, (int, float)) for value in row.values())


def share(hits: Iterable[bool]) -> float | None:
    """Of one; None of nothing."""
    found = list(hits)
    return sum(found) / len(found) if found else None


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def shown(value: Any) -> str:
    """Counts as they are, other numbers to four figures, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
