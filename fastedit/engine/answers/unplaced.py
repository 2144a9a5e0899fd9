"""Hunks that have no place in their file, or several: a strong model says where they belong, and nothing else.

What it writes is held to the hunks: it may add the lines that they add, with the file's names for those that it lacks,
and take away as many as they do, for each that their author remembers one that has something in common with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from fastedit.check import check_literal
from fastedit.engine.edits.placed import UnresolvedHunks, rewritten
from fastedit.engine.edits.plan import EditPlan
from fastedit.errors import UnplacedHunk
from fastedit.formats.base import Replacement
from fastedit.formats.report import quoted
from fastedit.formats.resolution.ladder import climb
from fastedit.formats.resolution.refusals import nearest
from fastedit.formats.text.views import ViewedText, ended, lines_of
from fastedit.request import EditRequest, LineRange
from fastedit.result import EditResult, Status
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks, diff_lines

if TYPE_CHECKING:
    from fastedit.connect import Hangup

_WORD = re.compile(r"[^\W\d]\w*")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class UnplacedHunks:
    """`hunks` have no place in a document, which `error` says; `document` is that with what the other hunks change."""

    document: Document
    hunks: tuple[Replacement, ...]
    error: UnresolvedHunks

    @classmethod
    def of(cls, request: EditRequest, error: UnplacedHunk) -> UnplacedHunks:
        """Raises the error where a model cannot be asked: lines that narrow an edit are those of the file before the
        other hunks, and lines that a hunk names cannot be said in a text."""
        narrowed = request.symbol is not None or request.lines is not None
        if narrowed or not isinstance(error, UnresolvedHunks) or error.resolution is None:
            raise error
        placed, left = error.resolution, error.unplaced
        hunks = tuple(hunk for hunk in left if isinstance(hunk, Replacement))
        if len(hunks) < len(left):
            raise error
        text = apply_hunks(request.document, placed.hunks, drops_final_newline=placed.drops_final_newline)
        document = replace(request.document, text=text)
        return cls(document, tuple(_of_whole_lines(document, hunk) for hunk in hunks), error)

    def plan(self, request: EditRequest, hangup: Hangup | None = None) -> EditPlan:
        """What a model is to do for this request."""
        return EditPlan(replace(request, document=self.document, live=False), hangup, self)

    @cached_property
    def places(self) -> tuple[LineRange, ...]:
        """The lines where hunks may belong: all that their old text has, or those that are most like it."""
        text = ViewedText(self.document)
        return tuple(LineRange(rows.start, rows.stop) for hunk in self.hunks for rows in _near(text, hunk))

    @property
    def question(self) -> str:
        """What a model is to do with them."""
        from fastedit.plan.question import unplaced_part  # which most edits do without

        return unplaced_part(self.told)

    @property
    def told(self) -> str:
        """The hunks as a prompt shows them."""
        return "\n\n".join(
            f"<<<<<<< SEARCH\n{ended(lines_of(hunk.old))}=======\n{ended(lines_of(hunk.new))}>>>>>>> REPLACE"
            for hunk in self.hunks
        )

    def joined(self, document: Document, result: EditResult, ignore: frozenset[str]) -> EditResult:
        """What a model made of the hunks, as an edit of the document that they were for."""
        placed = rewritten(document, result.text)
        reasons = [*result.reasons, *map(str, check_literal(document, placed.hunks, ignore=ignore))]
        return EditResult(
            document,
            placed.hunks,
            Status.SUSPECT if reasons else Status.OK,
            tuple(dict.fromkeys(reasons)),
            result.receipt,
            drops_final_newline=placed.drops_final_newline,
            notes=result.notes,
        )

    def differences(self, written: Sequence[Hunk]) -> Iterator[str]:
        """How what a model wrote differs from what the hunks say, blanks aside."""
        added, gone = list[str](), list[str]()
        for change in written:
            _tell(self.document.lines[change.start : change.stop], change.lines, gone, added)
        near = (row for lines in self.places for row in range(lines.start, lines.stop))
        stand, owed = _inked([self.document.lines[row] for row in near]), list[str]()
        for hunk in self.hunks:
            old, new = lines_of(hunk.old), lines_of(hunk.new)
            leave, come = list[str](), list[str]()
            for change in diff_lines(old, new):
                _tell(old[change.start : change.stop], change.lines, leave, come)
            names = self._names_there(old)
            for line in come:
                if not _taken((line, _with_names(line, names)), added, whole=hunk.whole_lines):
                    yield f"the model leaves out {quoted(line)}, which the hunk adds"
            for line in leave:
                if not _taken((line,), gone, whole=hunk.whole_lines):
                    owed.append(line)  # which its author wrote from memory
                    if line in stand:
                        yield f"the model keeps {quoted(line)}, which the hunk takes away"
        for line in added:
            yield f"the model adds {quoted(line)}, which the hunk does not"
        if len(gone) > len(owed):
            yield f"the model takes {len(gone)} lines away for {len(owed)} that the file does not have"
        if owed and not gone:
            yield f"the model takes nothing away, and the hunk {quoted(owed[0])}"
        meant = {word for line in owed for word in _WORD.findall(line)}
        for line in gone:
            if (words := _WORD.findall(line)) and meant.isdisjoint(words):
                yield f"the model takes {quoted(line)} away, which is like nothing that the hunk takes away"

    def _names_there(self, old: Sequence[str]) -> dict[str, str]:
        """For names of a hunk's old text that the file lacks, those that it has in their place: its author wrote them
        from memory, and the lines that the hunk adds mean the same."""
        rows = nearest(ViewedText(self.document), old)
        if rows is None:
            return {}
        lines, found = self.document.lines, dict[str, set[str]]()
        for line, row in zip(old, rows, strict=False):
            mine, its = _TOKEN.findall(line), _TOKEN.findall(lines[row])
            others = [(one, other) for one, other in zip(mine, its, strict=False) if one != other]
            if len(mine) == len(its) > len(others) and all(map(_WORD.fullmatch, chain(*others))):
                for one, other in others:
                    found.setdefault(one, set()).add(other)
        known = {word for line in lines for word in _WORD.findall(line)} if found else set[str]()
        return {one: others.pop() for one, others in found.items() if len(others) == 1 and one not in known}


def _of_whole_lines(document: Document, hunk: Replacement) -> Replacement:
    """The hunk over all of the lines that its old text is a part of, where the file has that once."""
    text, old = "\n".join(document.lines), hunk.old.strip()
    if not old or text.count(old) != 1:
        return hunk
    at = text.index(old)
    start, stop = text.rfind("\n", 0, at) + 1, text.find("\n", at + len(old))
    above, below = text[start:at], text[at + len(old) : stop if stop >= 0 else None]
    return replace(
        hunk, old=f"{above}{old}{below}\n", new=f"{above}{hunk.new.strip()}{below}\n", whole_lines=True
    )


def _near(text: ViewedText, hunk: Replacement) -> list[range]:
    if hunk.old and (match := climb(text, replace(hunk, count=1))):
        return [text.rows(place.start, place.stop) for place in match.places]
    rows = nearest(text, lines_of(hunk.old))
    return [] if rows is None else [rows]


def _tell(old: Sequence[str], new: Sequence[str], gone: list[str], added: list[str]) -> None:
    """Adds the lines that go and those that come, but for what stays in another depth."""
    before, after = _inked(old), _inked(new)
    gone += (before - after).elements()
    added += (after - before).elements()


def _with_names(line: str, names: Mapping[str, str]) -> str:
    return _WORD.sub(lambda word: names.get(word[0], word[0]), line)


def _taken(wanted: Sequence[str], lines: list[str], *, whole: bool) -> bool:
    """Whether a wanted line is among others, which it is taken from; that of a tool call need not be a whole one."""
    found = next(
        (one for line in wanted for one in lines if line == one or (line in one and not whole)), None
    )
    if found is not None:
        lines.remove(found)
    return found is not None


def _inked(lines: Sequence[str]) -> Counter[str]:
    return Counter(" ".join(line.split()) for line in lines if line.strip())
