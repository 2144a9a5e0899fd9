"""Reads instructions in people's own words as commands, and abstains from most.

The network says which form of the grammar an instruction has and which of its words are the form's fields. That is
believed where it is sure, and nothing of the instruction is left over: no name, number or quotation that no field has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fastedit.english.features import SIGN, UNKNOWN, bare, see
from fastedit.english.forms import Form, forms
from fastedit.english.grammar import made
from fastedit.english.names import Names
from fastedit.english.network import Network, Reading
from fastedit.english.words import Word, words
from fastedit.ops import Operation

WEIGHTS = Path(__file__).with_name("parser.npz")
# `python -m fastedit.train english` says how many of those that are as sure are wrong.
SURE = 0.95
_LONGEST = 60  # words; what people say in more is never one command
_LITERAL = frozenset(
    {"argument", "code", "default", "item", "type", "value"}
)  # of which quotation marks are a part


@dataclass(frozen=True, slots=True)
class Parsed:
    """A command that an instruction may say: the form's fields, and where they stand in the instruction. `left` are the
    words that no field has and that stand for something."""

    form: Form
    said: dict[str, str]
    spans: dict[str, tuple[int, int]]
    confidence: float
    left: tuple[str, ...]

    def operation(self, language: str) -> Operation:
        """Raises OperationRefused."""
        return made(self.form.operation, self.said | self.form.constants, language)


def parse(instruction: str, names: Names, network: Network | None = None) -> Parsed | None:
    """The command that the instruction is taken for; None where it is taken for none."""
    network = network or _network()
    said = words(instruction)
    if not 0 < len(said) <= _LONGEST:
        return None
    seen = see(said, names, network.vocabulary)
    reading = network.read(seen)
    best = int(reading.forms.argmax())
    form = forms().get(network.forms[best]) if best < len(network.forms) else None
    if form is None:
        return None
    spans = _spans(reading, [number for number, field in enumerate(network.fields) if field in form.fields])
    if spans is None or not form.required <= {network.fields[field] for field in spans}:
        return None
    values, places = dict[str, str](), dict[str, tuple[int, int]]()
    for number, (a, b) in spans.items():
        field = network.fields[number]
        values[field] = _value(instruction, said[a:b], field, names)
        places[field] = said[a].start, said[b - 1].stop
    confidence = float(min(reading.forms[best], reading.tags.max(1).min()))
    left = tuple(_left(said, seen.numbers, spans.values(), values.values()))
    return Parsed(form, values, places, confidence, left)


@cache
def _network() -> Network:
    return Network.load(WEIGHTS)


def _spans(reading: Reading, fields: Sequence[int]) -> dict[int, tuple[int, int]] | None:
    """The words of each field; None where one is said in two places, or one that the form has not."""
    found: dict[int, tuple[int, int]] = {}
    for place, tag in enumerate(reading.tags.argmax(1)):
        if not tag:
            continue
        field, goes_on = divmod(int(tag) - 1, 2)
        if field not in fields or (not goes_on and field in found):
            return None
        start, stop = found.get(field, (place, place))
        if goes_on and (field not in found or stop != place):
            return None
        found[field] = (start, place + 1)
    return found


def _value(instruction: str, said: Sequence[Word], field: str, names: Names) -> str:
    text = instruction[said[0].start : said[-1].stop]
    if len(said) == 1 and said[0].quoted and (field not in _LITERAL or said[0].kind == "ticked"):
        text = said[0].text
    if field in _LITERAL:
        return text
    text = text.removesuffix("()")
    if field == "new" or text in names.text:
        return text
    # As the file spells it, or else as the operation may refuse it.
    *path, last = re.split(r"(?<=[.])", text)
    return "".join([*path, names.meant(last) or last])


def _left(
    said: Sequence[Word], numbers: NDArray[np.int64], spans: Iterable[tuple[int, int]], values: Iterable[str]
) -> Iterator[str]:
    """The names, numbers and quotations that no field has."""
    taken = {place for start, stop in spans for place in range(start, stop)}
    known = {bare(said[place]) for place in taken}.union(values)
    for place, word in enumerate(said):
        if place not in taken and UNKNOWN < numbers[place] < SIGN and bare(word) not in known:
            yield word.text
