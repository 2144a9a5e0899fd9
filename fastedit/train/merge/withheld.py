"""`python -m fastedit.train withheld`: fits which words above and below an edit say that it is not to be made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tomllib import loads

from fastedit.console import reported, say
from fastedit.formats.files.withheld import BIAS, FILE, WEIGHTS, sentences, traits
from fastedit.sketch.read.wording import tells_of_removal
from fastedit.train import options
from fastedit.train.merge.logistic import Example, logistic

_WRITTEN = Path(__file__).with_suffix(".toml")
_OF_CARRIED = 8.0  # of lines above an edit far more introduce it
_OF_STAYS = 4.0  # and few sentences below one take it back
_OF_ELSE = 2.0


@reported
def withheld(
    out: options.WeightsFile = WEIGHTS,
) -> None:
    """Fit what tells that an edit is not to be made.

    Examples:
        fastedit train withheld --out weights.json
    """
    written = loads(_WRITTEN.read_text("utf-8"))
    above = fitted(written["withheld"], written["carried"], _OF_CARRIED)
    below = fitted(written["withdrawn"], written["stays"], _OF_STAYS)
    carried = (line for line in written["carried"] if not tells_of_removal(line))
    removal = fitted(written["removed"], [*written["else"], *carried], _OF_ELSE)
    mentioned = [line for line in written["withheld"] if FILE in line]
    new = fitted(written["new"], [*written["mentioned"], *mentioned], _OF_ELSE)
    gone = fitted(written["gone"], [*written["present"], *written["mentioned"], *mentioned], _OF_ELSE)
    weights = {"above": above, "below": below, "removal": removal, "new": new, "gone": gone} | _of_pairs(
        written
    )
    out.write_text(json.dumps(weights, indent=1, ensure_ascii=False) + "\n", "utf-8")
    say(f"{' + '.join(str(len(each)) for each in weights.values())} weights")


def _of_pairs(written: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """What the words above a piece of code, and between two, make of them: each kind against the others."""
    others = {
        "shown": ("open", "apart", "carried"),
        "open": ("shown", "carried"),
        "instead": ("adds", "apart", "shown", "withheld"),
        "adds": ("instead", "apart", "shown", "withheld"),
        "behind": ("ahead", "apart"),
        "ahead": ("behind", "apart"),
        "added": ("altered", "else", "shown", "instead"),
    }
    return {
        kind: fitted(written[kind], [line for name in names for line in written[name]], 1.0, apart=True)
        for kind, names in others.items()
    }


def fitted(
    wanted: Sequence[str], others: Sequence[str], weight: float, *, apart: bool = False
) -> dict[str, float]:
    """A weight for each trait of the lines that are written for the fit, of which the others have more weight; `apart`:
    without those that have the traits of one that is wanted."""
    own = [Example(traits(sentences(line)[-1]), True, 1.0) for line in wanted]
    rest = [Example(traits(sentences(line)[-1]), False, weight) for line in others]
    if apart:
        known = [each.traits for each in own]
        rest = [each for each in rest if each.traits not in known]
    return logistic([*own, *rest], BIAS)
