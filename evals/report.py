"""`make report`: docs/benchmarks.md with its charts, and the figures in README and three other documents.

All of it comes from the records in evals/results alone.

Nothing is measured here and no figure is written by hand: what has no record is said to have none, with the command
that makes it. `--check` writes nothing and ends with 1 where a document differs from the records.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.outside.report import report as outcomes
from evals.plots import Panel, draw
from evals.publish import fail, headline_table, percent, shown, tables
from evals.record import COMMANDS, RESULTS, load
from evals.table import table

ROOT = Path(__file__).parent.parent
DOCUMENT, README, MEDIA = ROOT / "docs" / "benchmarks.md", ROOT / "README.md", ROOT / "docs" / "media"
EVALUATION, APPLYING = ROOT / "docs" / "evaluation.md", ROOT / "docs" / "formats.md"
MODELS = ROOT / "docs" / "models.md"
START, END = "<!-- figures from evals/results: make report -->", "<!-- end of figures -->"
# What stands in docs/evaluation.md, in docs/formats.md, in docs/models.md and in docs/benchmarks.md.
OUTSIDE = {"outside": "Without a model"}
FORMATS = {"apply": "Side by side with other appliers"}
STRONG = {
    "strong": "Answers to instructions about one file",
    "several": "Answers to instructions about several files",
    "checks": "Real changes that checks hold back",
}
TITLES = {
    "peers": "Side by side: the same weights, the same edits, the same process",
    "fidelity": "Fidelity: bytes that an edit does not concern",
    "load": "Under load",
}
CHARTED = "peers"
_LENGTH = re.compile(r"five lines in (\d+)")
Record = dict[str, Any]


def records(folder: Path = RESULTS) -> dict[str, Record]:
    """Every record there is. Raises ValueError for a file that is none."""
    found = {name: load(name, folder) for name in COMMANDS}
    return {name: record for name, record in found.items() if record is not None}


def document(found: dict[str, Record]) -> str:
    """The whole of docs/benchmarks.md."""
    parts = [
        "# Benchmarks",
        "Made by `make report` from the records in `evals/results`; nothing here is written by hand. "
        "Each section names the command that measured it and the machine it ran on.",
    ]
    for name, title in TITLES.items():
        parts += _recorded(f"## {title}", name, found)
        if name == CHARTED and name in found:
            parts += [f"![{title}](media/{_file(title)})" for title in charts(found[name]["data"])]
    return "\n\n".join(parts) + "\n"


def charts(data: dict[str, Any]) -> dict[str, Panel]:
    """What the side-by-side record holds data for, by title."""
    found = {}
    edits: dict[str, Any] = next(iter(data.get("edits", {}).values()), {})
    if edits:
        count = len(next(iter(edits.values())))
        shares = [(done + 1) / count for done in range(count)]
        seconds = {way: sorted(run["seconds"] for run in runs) for way, runs in edits.items()}
        found["latency"] = Panel("share of edits", "seconds an edit", shares, seconds, log="y")
    rows = {int(m[1]): row for name, row in data.get("figures", {}).items() if (m := _LENGTH.fullmatch(name))}
    if len(rows) > 1:
        lengths = sorted(rows)
        lines = {
            way: [rows[length].get(way, {}).get("median_ms", math.nan) for length in lengths]
            for way in rows[lengths[0]]
        }
        found["speed by length"] = Panel("lines of the file", "median ms", lengths, lines, log="xy")
    return found


def _file(title: str) -> str:
    return f"{title.replace(' ', '-')}.svg"


def evaluation_block(found: dict[str, Record], titles: dict[str, str] = OUTSIDE) -> str:
    """The tables of docs/evaluation.md, or of another document with its titles."""
    parts = [part for name, title in titles.items() for part in _recorded(f"### {title}", name, found)]
    return "\n\n".join([START, *parts, END])


def _recorded(title: str, name: str, found: dict[str, Record]) -> Iterator[str]:
    yield title
    if name in found:
        yield from section(name, found[name])
    else:
        yield f"Not recorded yet: `python -m evals.record {name}` (runs `{COMMANDS[name]}`)."


def section(name: str, record: Record) -> Iterator[str]:
    data, where = record["data"], record["environment"]
    versions = ", ".join(f"{package} {version}" for package, version in where["versions"].items())
    few = " Few cases: a first reading." if data.get("quick") else ""
    yield f"`{record['command']}` on {where['machine']}, {versions}, commit {where['commit']}.{few}"
    yield headline_table(data["headline"])
    if name in OUTSIDE:
        yield from (f"#### {suite}\n\n{outcomes(groups)}" for suite, groups in data["figures"].items())
        return
    yield from tables(data.get("figures", {}))
    absent = data.get("absent", {})
    if absent:
        yield "Absent: " + "; ".join(f"{peer} ({reason})" for peer, reason in absent.items()) + "."


# What the README quotes of a record, in this order and these words; figures on our own synthesis stay in the documents.
QUOTED = {
    "outside": {
        "agents_sketch_right_ok": "agents' sketches: right and delivered",
        "agents_sketch_wrong_ok": "agents' sketches: wrong among the delivered",
        "agents_all_right_ok": "agents' edits in seven formats: right and delivered",
        "people_right_ok": "people's instructions, no model: right and delivered",
        "hazards_wrong_ok": "hazards: wrong among the delivered",
    },
    "peers": {
        "x transformers": "edits by a local model: times as fast as plain transformers",
        "x llama.cpp, prompt lookup": "the same against llama.cpp with prompt lookup",
    },
    "fidelity": {"failures": "failures in {cases} cases of bytes outside the edit"},
}
_SHARED = "outside"  # its figures are shares of one


def readme_block(found: dict[str, Record]) -> str:
    """The README's headline figures, one a row."""
    rows = []
    for name, words in QUOTED.items():
        if name not in found:
            continue
        headline = found[name]["data"]["headline"]
        for key, text in words.items():
            figure = percent(headline[key]) if name == _SHARED else shown(headline[key])
            rows.append([text.format(**headline), figure, f"`{found[name]['command']}`"])
    return f"{START}\n{table(['what', 'figure', 'command'], rows)}\n{END}"


def with_figures(text: str, block: str) -> str:
    """A document with its figures as recorded; unchanged where it has no place for them."""
    return re.sub(rf"{re.escape(START)}.*?{re.escape(END)}", lambda _: block, text, flags=re.DOTALL)


def main(
    check: Annotated[bool, typer.Option("--check", help="Write nothing, only compare.")] = False,
    results: Annotated[Path, typer.Option(help="The folder of the records.")] = RESULTS,
) -> None:
    """Write the documents from the records."""
    try:
        found = records(results)
    except ValueError as error:
        fail("evals.report", error)
    if CHARTED in found and not check:
        for title, panel in charts(found[CHARTED]["data"]).items():
            draw([panel], title, MEDIA / _file(title))
    wanted = {DOCUMENT: document(found)}
    blocks = (
        (README, readme_block(found)),
        (EVALUATION, evaluation_block(found)),
        (APPLYING, evaluation_block(found, FORMATS)),
        (MODELS, evaluation_block(found, STRONG)),
    )
    for path, block in blocks:
        wanted[path] = with_figures(path.read_text("utf-8"), block)
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
