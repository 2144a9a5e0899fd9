"""`make report`: docs/benchmarks.md, and the figures in README and three other documents.

All of it comes from the records in evals/results alone.

Nothing is measured here and no figure is written by hand: what has no record is said to have none, with the command
that makes it. `--check` writes nothing and ends with 1 where a document differs from the records.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.outside.report import report as outcomes
from evals.publish import headline_table, percent, shown, tables
from evals.record import RECORDS, RESULTS, load
from fastedit.console import reported
from fastedit.train.table import table

ROOT = Path(__file__).parent.parent
README, DOCS = ROOT / "README.md", ROOT / "docs"
START, END = "<!-- figures from evals/results: make report -->", "<!-- end of figures -->"
WHOLE = "benchmarks"  # the document that is made of records alone
Record = dict[str, Any]


def records(folder: Path = RESULTS) -> dict[str, Record]:
    """Every record there is. Raises FileUnreadable for a file that is none."""
    found = {name: load(name, folder) for name in RECORDS}
    return {name: record for name, record in found.items() if record is not None}


def document(found: dict[str, Record]) -> str:
    """The whole of docs/benchmarks.md."""
    parts = [
        "# Benchmarks",
        "Made by `make report` from the records in `evals/results`; nothing here is written by hand. "
        "Each section names the command that measured it and the machine it ran on.",
    ]
    for name in _recorded_in(WHOLE):
        parts += _recorded("##", name, found)
    return "\n\n".join(parts) + "\n"


def block(name: str, found: dict[str, Record]) -> str:
    """The tables of a document that has others beside them."""
    parts = [part for record in _recorded_in(name) for part in _recorded("###", record, found)]
    return "\n\n".join([START, *parts, END])


def _recorded_in(document: str) -> list[str]:
    return [name for name, told in RECORDS.items() if told["document"] == document]


def _recorded(level: str, name: str, found: dict[str, Record]) -> Iterator[str]:
    yield f"{level} {RECORDS[name]['title']}"
    if name in found:
        yield from section(name, found[name])
    else:
        yield f"Not recorded yet: `python -m evals.record {name}` (runs `{RECORDS[name]['command']}`)."


def section(name: str, record: Record) -> Iterator[str]:
    data, where = record["data"], record["environment"]
    versions = ", ".join(f"{package} {version}" for package, version in where["versions"].items())
    few = " Few cases: a first reading." if data.get("quick") else ""
    yield f"`{record['command']}` on {where['machine']}, {versions}, commit {where['commit']}.{few}"
    yield headline_table(data["headline"])
    if RECORDS[name].get("shares"):
        yield from (f"#### {suite}\n\n{outcomes(groups)}" for suite, groups in data["figures"].items())
        return
    yield from tables(data.get("figures", {}))
    absent = data.get("absent", {})
    if absent:
        yield "Absent: " + "; ".join(f"{peer} ({reason})" for peer, reason in absent.items()) + "."


def readme_block(found: dict[str, Record]) -> str:
    """The README's headline figures, one a row."""
    rows = []
    for name, record in found.items():
        headline, written = record["data"]["headline"], percent if RECORDS[name].get("shares") else shown
        quoted = RECORDS[name].get("quoted", {})
        rows += [
            [text, written(headline[key]), f"`{record['command']}`"]
            for key, text in quoted.items()
            if key in headline  # a peer may be absent
        ]
    return f"{START}\n{table(['what', 'figure', 'command'], rows)}\n{END}"


def with_figures(path: Path, block: str) -> str:
    """A document with its figures as recorded; unchanged where it has no place for them."""
    text = path.read_text("utf-8")
    return re.sub(rf"{re.escape(START)}.*?{re.escape(END)}", lambda _: block, text, flags=re.DOTALL)


@reported
def main(
    check: Annotated[bool, typer.Option("--check", help="Write nothing, only compare.")] = False,
    results: Annotated[Path, typer.Option(help="The folder of the records.")] = RESULTS,
) -> None:
    """Write the documents from the records."""
    found = records(results)
    wanted = {DOCS / f"{WHOLE}.md": document(found), README: with_figures(README, readme_block(found))}
    for name in sorted({told["document"] for told in RECORDS.values()} - {WHOLE}):
        path = DOCS / f"{name}.md"
        wanted[path] = with_figures(path, block(name, found))
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if check:
            print(
                f"evals.report: {path.relative_to(ROOT)} differs from the records; run: make report",
                file=sys.stderr,
            )
        else:
            path.write_text(wanted[path], "utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    raise typer.Exit(1 if check and stale else 0)


if __name__ == "__main__":
    typer.run(main)
