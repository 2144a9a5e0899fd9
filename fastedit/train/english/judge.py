"""How many of the commands that a parser reads are wrong, by how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fastedit.english.network import Network
from fastedit.english.parser import Parsed, parse
from fastedit.train.english.draw import Example

_STEPS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)


def judged(weights: Path, examples: Sequence[Example]) -> list[str]:
    """A table: of instructions that say a command, how many are read rightly at each confidence, and how many of all
    that are read are wrong."""
    network = Network.load(weights)
    read = [(example, parse(example.instruction, example.ground.names, network)) for example in examples]
    said = sum(example.form is not None for example in examples)
    lines = ["confidence   read rightly   wrong of read"]
    for least in _STEPS:
        met = [right(e, p) for e, p in read if p is not None and p.confidence >= least and not p.left]
        wrong = f"{100 * (1 - sum(met) / len(met)):.2f} % of {len(met)}" if met else "-"
        lines.append(f"{least:10.3f}   {100 * sum(met) / said:10.1f} %   {wrong}")
    return lines


def right(example: Example, parsed: Parsed) -> bool:
    """Whether it is the command that was said, with its fields where they were said."""
    return example.form == parsed.form.text and example.spans == parsed.spans
