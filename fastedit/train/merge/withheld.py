"""`python -m fastedit.train withheld`: fits which words above an edit say that it is not to be made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tomllib import loads

from fastedit.console import reported, say
from fastedit.formats.withheld import BIAS, WEIGHTS, traits
from fastedit.train import options
from fastedit.train.merge.logistic import Example, logistic

_WRITTEN = Path(__file__).with_suffix(".toml")
_OF_CARRIED = 8.0  # of lines above an edit far more introduce it


@reported
def withheld(
    out: options.WeightsFile = WEIGHTS,
) -> None:
    """Fit what tells that an edit is not to be made.

    Examples:
        fastedit train withheld --out weights.json
    """
    weights = fitted(loads(_WRITTEN.read_text("utf-8")))
    out.write_text(json.dumps(weights, indent=1, ensure_ascii=False) + "\n", "utf-8")
    say(f"{len(weights)} weights")


def fitted(written: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """A weight for each trait of the lines that are written for the fit."""
    own = (
        Example(traits(line), wanted, 1.0 if wanted else _OF_CARRIED)
        for wanted, lines in ((True, written["withheld"]), (False, written["carried"]))
        for line in lines
    )
    return logistic(list(own), BIAS)
