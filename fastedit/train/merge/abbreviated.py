"""`python -m fastedit.train abbreviated`: fits which words of a marker say that the lines it stands for change too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tomllib import loads
from typing import Annotated

import typer

from fastedit.console import reported, say
from fastedit.errors import UsageError
from fastedit.sketch.read.abbreviated import BIAS, WEIGHTS, traits
from fastedit.train import options
from fastedit.train.merge.cases import Case, read_cases
from fastedit.train.merge.logistic import Example, logistic
from fastedit.train.merge.wording import commented

_WRITTEN = Path(__file__).with_suffix(".toml")
# Of what was written for the fit, and of what sketches say that are no markers by their spelling.
_OF_WRITTEN, _OF_COMMENTS = 3.0, 0.5


@reported
def abbreviated(
    cases: Annotated[list[Path], typer.Option(help="Sketches, as `merge` takes them; may be repeated.")],
    out: options.WeightsFile = WEIGHTS,
) -> None:
    """Fit what tells that a marker stands for changes.

    Examples:
        fastedit train abbreviated --cases cases.jsonl.gz --out weights.json
    """
    read = read_cases(cases)
    if not read:
        raise UsageError(f"{', '.join(map(str, cases))}: no case in it")
    weights = fitted(read)
    out.write_text(json.dumps(weights, indent=1, ensure_ascii=False) + "\n", "utf-8")
    say(f"{len(weights)} weights")


def fitted(cases: Sequence[Case]) -> dict[str, float]:
    """A weight for each trait. What sketches say stays or goes; what changes is written for the fit."""
    written: dict[str, list[str]] = loads(_WRITTEN.read_text("utf-8"))
    own = (
        Example(traits(text), wanted, _OF_WRITTEN)
        for wanted, texts in ((True, written["change"]), (False, written["stay"]))
        for text in texts
    )
    return logistic([*own, *_of_sketches(cases)], BIAS)


def _of_sketches(cases: Sequence[Case]) -> Iterator[Example]:
    """Each marker, and each other comment that speaks of a sketch, once."""
    known = {(text.strip(), spelled) for case in cases for text, spelled in commented(case)}
    for text, spelled in sorted(known):
        yield Example(traits(text), False, 1.0 if spelled else _OF_COMMENTS)
