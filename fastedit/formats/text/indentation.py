"""How deep new lines stand in a file whose indentation the author of an edit did not keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import gcd

from fastedit.formats.text.views import WORD, ViewedText, blank_depths, indents_by_tabs
from fastedit.source.look_alikes import in_ascii
from fastedit.source.outline import indent_width, indentation


class UnclearDepth(Exception):
    """The matched lines do not tell how deep a new line stands in the file."""


class Indentation:
    """What the indentation of old lines becomes in the file, from lines that were matched one by one."""

    def __init__(self, old: Sequence[str], file: Sequence[str], new: Sequence[str], text: ViewedText) -> None:
        """`old` and `file` are matched lines, `new` the author's new text and `text` the whole file."""
        self._pairs = [
            (indentation(one), indentation(other))
            for one, other in zip(old, file, strict=True)
            if one.strip()
        ]
        words = [WORD.findall(in_ascii(line)) for line in old if line.strip()]
        self._is_common = len(words) == 1 and all(len(text.words.get(word, ())) > 1 for word in words[0])
        self._bare = [not any(map(str.isalnum, line)) for line in old if line.strip()]
        self._author, self._file, self._text = [*old, *new], file, text
        self._below_first = [indentation(line) for line in new if line.strip()][1:]

    def of(self, line: str, is_first: bool = False) -> str:
        """A new line at its depth in the file; `is_first` for the first that is not blank. Raises UnclearDepth."""
        own = indentation(line)
        if not line.strip() or self.is_kept or (self._only_first_moves and not is_first):
            return line
        return self._depth(own, is_first) + line[len(own) :]

    @cached_property
    def is_uniform(self) -> bool:
        """Whether the file's lines differ from the old ones by one shift."""
        return None not in self._depths.values() and all(
            shallow == deep[: len(shallow)]
            and self._depths[deep] == f"{self._depths[shallow]}{self._as_in_file(deep[len(shallow) :])}"
            for shallow, deep in pairwise(sorted(self._depths, key=len))
        )

    @cached_property
    def is_plausible(self) -> bool:
        """Whether lines that are the same but for their indentation may be the same lines.

        No old line may be deeper than another one and its line in the file shallower, but the first may have lost its
        blanks. A line of punctuation alone is told by its depth: that is kept, lost, or moves with another line. So is
        one that is all of the old text, where other lines have its words too: `return None` of another block.
        """
        if self._is_common and self._first_is_elsewhere:
            return False
        counted = self._pairs[1:] if self._pairs[0][0] == "" else self._pairs
        widths = sorted((indent_width(one), indent_width(other)) for one, other in counted)
        if any(one[0] < other[0] and one[1] > other[1] for one, other in pairwise(widths)):
            return False
        told = {pair for pair, bare in zip(self._pairs, self._bare, strict=True) if not bare}
        moves_along = self.is_uniform and bool(told)
        return moves_along or all(one in ("", other) or (one, other) in told for one, other in self._pairs)

    @property
    def _first_is_elsewhere(self) -> bool:
        """Whether the first old line is indented, and its line in the file at another depth. A tab on one side is a
        step of blanks on the other."""
        own, found = self._pairs[0]
        step = " " * self._text.step
        return own != "" and own.replace("\t", step) != found.replace("\t", step)

    def _depth(self, own: str, is_first: bool) -> str:
        known = self._depths.get(own)
        if self._only_first_moves and own == self._pairs[0][0]:
            return self._pairs[0][1]
        if not self.is_uniform and known is not None:
            if known != own and self._authors_depths[known] > 1:
                raise UnclearDepth
            return known
        if not self.is_uniform or (self._only_first_may_move and not is_first):
            raise UnclearDepth
        return self._shifted(own)

    def _shifted(self, own: str) -> str:
        """By the difference from the nearest depth of the old lines, in the file's own style."""
        shallower = [depth for depth in self._depths if own.startswith(depth)]
        if shallower:
            nearest = max(shallower, key=len)
            return f"{self._depths[nearest]}{self._as_in_file(own[len(nearest) :])}"
        deeper = [depth for depth in self._depths if depth.startswith(own)]
        if deeper:
            nearest = min(deeper, key=len)
            difference, depth = self._as_in_file(nearest[len(own) :]), self._depths[nearest] or ""
            if depth.endswith(difference):
                return depth[: len(depth) - len(difference)]
        raise UnclearDepth

    @cached_property
    def _depths(self) -> dict[str, str | None]:
        """What each depth of the old lines becomes, None where that differs from line to line."""
        found: dict[str, str | None] = {}
        for one, other in self._pairs:
            if found.setdefault(one, other) != other:
                found[one] = None
        return found

    @cached_property
    def _authors_depths(self) -> Counter[str | None]:
        """How many depths of the old lines become this one: its author's lines may be wrong, or all be as deep."""
        return Counter(self._depths.values())

    @cached_property
    def is_kept(self) -> bool:
        return all(one == other for one, other in self._pairs)

    @cached_property
    def _only_first_moves(self) -> bool:
        """Whether the author lost the blanks before the text, and only those."""
        return not self.is_kept and len(self._pairs) > 1 and all(a == b for a, b in self._pairs[1:])

    @cached_property
    def _only_first_may_move(self) -> bool:
        """Whether that may be so: no other line is matched, and all further new lines are deep enough."""
        (one, other), *others = self._pairs
        return (
            not others and len(other) > len(one) and all(own.startswith(other) for own in self._below_first)
        )

    def _as_in_file(self, difference: str) -> str:
        """A difference in depth as the file writes it."""
        if set(difference) == {" "} and self._file_has_tabs:
            levels, rest = divmod(len(difference), self._tab or gcd(*blank_depths(self._author)) or 1)
            return "\t" * levels + " " * rest
        if set(difference) == {"\t"} and not self._file_has_tabs:
            return " " * (len(difference) * (self._tab or self._text.step))
        return difference

    @cached_property
    def _file_has_tabs(self) -> bool:
        by_tabs = indents_by_tabs(self._file)
        return bool(self._text.by_tabs) if by_tabs is None else by_tabs

    @cached_property
    def _tab(self) -> int:
        """How many blanks on one side stand for a tab on the other, as the matched lines show; 0 if they do not."""
        sides = {(one, other) if "\t" in one else (other, one) for one, other in self._pairs}
        if any(set(tabs) > {"\t"} or set(blanks) > {" "} for tabs, blanks in sides):
            return 0
        sizes = sorted((len(tabs), len(blanks)) for tabs, blanks in sides)
        steps = [(deep[0] - shallow[0], deep[1] - shallow[1]) for shallow, deep in pairwise(sizes)] or sizes
        found = {blanks / tabs for tabs, blanks in steps if tabs}
        return int(found.pop()) if len(found) == 1 else 0
