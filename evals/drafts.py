"""What the drafters are worth on real edits, replayed: no model runs, the target always agrees with the new file.

`python -m evals.drafts` writes whole files again, at most 128 rows a pass with the last committed token's among them.
Tokens per pass are all tokens of a column over all its passes, so long files count for more. A column holds 40 files,
chosen by a hash of their names. Drafting time is CPU time of everything but the model: building the drafters,
observing, proposing, merging and choosing. Passes are costed flat, as on a GPU whose time goes into reading weights:
10 ms, and a quarter more at 129 rows.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated

import typer
from tokenizers import Tokenizer

from evals.edits import RealEdit, Split, load
from evals.peers import arctic
from evals.public import NgramLookup
from evals.publish import Json, publish
from evals.replay import Factory, Tally, replay
from evals.sketch import sketch
from fastedit.draft import drafters_for
from fastedit.draft.budget import CostTable
from fastedit.draft.ngram import NgramDrafter
from fastedit.draft.original import OriginalDrafter
from fastedit.draft.suffix import SuffixDrafter
from fastedit.engine.folder import NANO
from fastedit.prompt.base import Prompt
from fastedit.sketch.align import lay
from fastedit.sketch.reading import read_update

ROWS = 128
COSTS = CostTable((1, 129), (10.0, 12.5))
COLUMNS = {"lt2": (0.0, 0.02), "2to5": (0.02, 0.05), "5to15": (0.05, 0.15)}
FILES, QUICK_FILES = 40, 8
TOKENIZER = NANO / "tokenizer.json"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Encode = Callable[[str], tuple[int, ...]]
Case = tuple[Prompt, tuple[int, ...]]


def line_encoder(path: Path) -> Encode:
    """Text to ids, line by line, with one more id for every line end, so that no token crosses one."""
    tokenizer = Tokenizer.from_file(str(path))
    line_end: int = tokenizer.get_vocab_size()

    @cache
    def line_ids(line: str) -> tuple[int, ...]:
        return tuple(tokenizer.encode(line).ids)

    def encode(text: str) -> tuple[int, ...]:
        ids: list[int] = []
        for line in text.split("\n"):
            ids += (*line_ids(line), line_end)
        return tuple(ids[:-1])

    return encode


def pick(edits: Sequence[RealEdit], low: float, high: float, count: int) -> list[RealEdit]:
    """`count` edits that change `low` up to `high` of their lines, the same on every machine."""
    inside = [edit for edit in edits if low <= edit.changed < high]
    return sorted(inside, key=lambda e: hashlib.sha256((e.package + e.path).encode()).digest())[:count]


def case(edit: RealEdit, encode: Encode, *, with_update: bool) -> Case:
    """The prompt's drafting side, and the tokens wanted."""
    update: tuple[int, ...] = ()
    prediction = None
    if with_update:
        old, new = edit.old.split("\n"), edit.new.split("\n")
        text = sketch(old, new, "python", random.Random(edit.package + edit.path))
        update = encode(text)
        prediction = encode("\n".join(lay(old, read_update(text, "python", old)).text.lines))
    original = encode(edit.old)
    return Prompt((), original, update, prediction, frozenset(), len(original)), encode(edit.new)


INSTRUCTION: Mapping[str, Factory] = {
    "prompt lookup (n-gram 2, 10 tokens)": lambda p: [NgramLookup(p.original, 1, 2, 10)],
    "n-gram 3-5, 32 tokens": lambda p: [NgramLookup(p.original, 3, 5, 32)],
    "ngram": lambda p: [NgramDrafter([p.original])],
    "suffix": lambda p: [SuffixDrafter([p.original])],
    "original": lambda p: [OriginalDrafter(p.original)],
    "original, substituting": lambda p: [OriginalDrafter(p.original, substitute=True)],
    "all": drafters_for,
}
UPDATE: Mapping[str, Factory] = {
    "n-gram 3-5, 32 tokens": lambda p: [NgramLookup((*p.original, *p.update), 3, 5, 32)],
    "suffix": lambda p: [SuffixDrafter([p.original, p.update])],
    "prediction": lambda p: [OriginalDrafter(p.prediction or (), "prediction")],
    "all": drafters_for,
}


def measure(columns: Mapping[str, Sequence[Case]], factory: Factory) -> dict[str, Tally]:
    tallies = {name: Tally() for name in columns}
    for name, cases in columns.items():
        for prompt, wanted in cases:
            tallies[name].add(replay(prompt, wanted, factory, COSTS, ROWS))
    return tallies


def total(tallies: Mapping[str, Tally]) -> Tally:
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    return whole


@app.command()
def main(
    quick: Annotated[bool, typer.Option("--quick", help=f"{QUICK_FILES} files a column.")] = False,
    split: Annotated[str, typer.Option(help="test or dev.")] = "test",
    tokenizer: Annotated[Path, typer.Option(help="Byte-level BPE without line ends.")] = TOKENIZER,
    json_file: Json = None,
) -> None:
    """Tokens per pass, drafted and microseconds per output token, by drafter and share of lines changed."""
    edits, encode = load(_split(split)), line_encoder(tokenizer)
    figures: dict[str, dict[str, dict[str, Tally]]] = {}
    for mode, own in (("instruction", INSTRUCTION), ("update", UPDATE)):
        factories = {**arctic.factories(with_update=mode == "update"), **own}
        columns = {
            name: [
                case(edit, encode, with_update=mode == "update")
                for edit in pick(edits, low, high, QUICK_FILES if quick else FILES)
            ]
            for name, (low, high) in COLUMNS.items()
        }
        figures[mode] = {name: measure(columns, factory) for name, factory in factories.items()}
    headline = _headline(figures)
    reason = arctic.lacking()
    publish(
        f"replayed real edits of {split}, {QUICK_FILES if quick else FILES} files a column; no model ran",
        headline,
        {
            mode: {name: {c: t.as_dict() for c, t in row.items()} for name, row in rows.items()}
            for mode, rows in figures.items()
        },
        json_file,
        quick=quick,
        absent={"Arctic suffix tree": reason} if reason else {},
    )


def _split(name: str) -> Split:
    for split in ("test", "dev"):
        if name == split:
            return split
    raise typer.BadParameter(f"{name!r} is no split to measure on: test or dev")


def _headline(figures: Mapping[str, Mapping[str, Mapping[str, Tally]]]) -> dict[str, float]:
    """Tokens per pass of all drafters together; what drafting costs is the dearer mode's, over all its columns."""
    headline = {
        f"{mode}_{column}": tally.tokens_per_pass
        for mode in ("instruction", "update")
        for column, tally in figures[mode]["all"].items()
    }
    modes = [total(rows["all"]) for rows in figures.values()]
    return headline | {
        "drafted_per_token": max(mode.drafted_per_token for mode in modes),
        "draft_us_per_token": max(mode.us_per_token for mode in modes),
    }


if __name__ == "__main__":
    app()
