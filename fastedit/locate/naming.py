"""Which definitions of a file an instruction means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fastedit.errors import AnchorNotFound, WayOut
from fastedit.locate.filemap import FileMap
from fastedit.request import LineRange
from fastedit.source.definitions import Definition

if TYPE_CHECKING:
    from fastedit.english.said import Mention, Said

SIMPLE = re.compile(r"[\w$]+(?:(?:\.|::|#)[\w$]+)*")


class Naming:
    """Finds what an instruction names among the definitions within `scope`."""

    def __init__(self, files: FileMap, said: Said, scope: LineRange) -> None:
        self._files, self._said, self._scope = files, said, scope

    def meant(self) -> list[Definition]:
        """The definitions that the sentence is about: those after "in" or "to", else those with a quoted or coded
        name, else those with any."""
        mentions = self._said.mentions
        tiers: list[list[Mention]] = [
            [m for m in mentions if m.inside],
            [m for m in mentions if m.place],
            [m for m in mentions if m.sure],
            [m for m in mentions if not m.sure],
        ]
        for tier in tiers:
            named = [(mention, found) for mention in tier if (found := self.named(mention))]
            if named:
                return self._innermost(named)
        return []

    def _innermost(self, named: Sequence[tuple[Mention, list[Definition]]]) -> list[Definition]:
        """One definition a mention; what only tells where another one stands is left out."""
        everywhere = [d for m in self._said.mentions if m.sure or m.place for d in self.named(m)]
        chosen: list[Definition] = []
        for mention, found in named:
            held = [d for d in found if any(_holds(o, d) for o in everywhere)]
            meant, *others = held or found
            if others:
                raise ambiguous(self._files, mention.text, held or found)
            chosen.append(meant)
        inner = [d for d in everywhere if any(_holds(o, d) for o in chosen)]
        chosen += [d for d in inner if d not in chosen]
        return [d for d in dict.fromkeys(chosen) if not any(_holds(d, o) for o in chosen)]

    def named(self, mention: Mention) -> list[Definition]:
        found = self._files.named(mention.text) if SIMPLE.fullmatch(mention.text) else ()
        return [d for d in found if self._scope.holds(d.start, d.stop)]


def ambiguous(files: FileMap, symbol: str, found: Sequence[Definition]) -> AnchorNotFound:
    """The error for a name that several definitions have."""
    places = ", ".join(f"{d.dotted} (lines {d.start + 1}:{d.stop})" for d in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    return AnchorNotFound(
        f"{files.name}: `{symbol}` is defined as {places}{more}; give its full name or its lines",
        ways_out=(WayOut.LINES,),
    )


def _holds(outer: Definition, inner: Definition) -> bool:
    return outer.start <= inner.start and inner.stop <= outer.stop and outer.path != inner.path
