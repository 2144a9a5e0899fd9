"""One edit from request to outcome: run on the buffer's text of now, then carried over to what it has become."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from fastedit.engine.events import Event, Resulted
from fastedit.errors import FasteditError, UnplacedHunk, UsageError
from fastedit.readings import Option, options_of, parting_line
from fastedit.request import EditRequest, LineRange
from fastedit.result import EditResult, Status
from fastedit.source.hunks import Hunk
from fastedit.source.rebase import Rebased, rebase
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.hunks import leaving_out, without
from fastedit_lsp.reports import log_unplaced
from fastedit_lsp.requests import BufferRequest
from fastedit_lsp.standing import around, elsewhere
from fastedit_lsp.wire import base_json, hunks_json, workspace_edit

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer


_ENDLESS = "the edit also takes the end of the last line away, which is no hunk: take it away by hand"


@dataclass(frozen=True, slots=True)
class BufferOutcome:
    """A result for `base`. `hunks`, the result's, and those of `others`, which may be meant as well, also take out the
    lines that held the request."""

    asked: BufferRequest
    base: Buffer
    result: EditResult
    hunks: tuple[Hunk, ...]
    others: tuple[Option, ...] = ()

    @property
    def deliverable(self) -> bool:
        """Whether it may go into the buffer: the checks passed or the caller insists."""
        return self.changes and (self.result.status is not Status.SUSPECT or self.asked.force)

    @property
    def changes(self) -> bool:
        return bool(self.hunks) or self.result.drops_final_newline

    def onto(self, current: Buffer) -> Rebased:
        """The hunks for the buffer of now, and those of the base that meet what was typed meanwhile."""
        return rebase(self.hunks, self.base.document, current.document)

    def as_json(self, current: Buffer | None, capabilities: types.ClientCapabilities) -> dict[str, Any]:
        """The answer to `fastedit/edit`. `edit` is None where it must not or cannot be made as a whole."""
        hunks, conflicts = self.onto(current) if current else Rebased((), self.hunks)
        edit = None
        if current is not None and self.deliverable and not conflicts:
            edit = workspace_edit(
                current,
                hunks,
                self.asked.title,
                capabilities,
                drops_final_newline=self.result.drops_final_newline,
            )
        return {
            "status": str(self.result.status),
            "reasons": list(self.result.reasons),
            "base": base_json(self.base),
            "hunks": hunks_json(self.hunks),
            "dropsFinalNewline": self.result.drops_final_newline,
            "alternatives": [
                {
                    "number": other.number,
                    "posterior": other.posterior,
                    "line": other.line,
                    "hunks": hunks_json(other.hunks),
                }
                for other in self.others
            ],
            "notes": [*self.result.notes, *([_ENDLESS] if self.result.drops_final_newline else [])],
            "left": [place.as_dict() for place in self.result.left],
            "conflicts": hunks_json(conflicts),
            "version": None if current is None else current.version,
            "edit": edit,
            "receipt": self.result.receipt.as_dict(),
        }


async def run(
    server: FasteditServer, asked: BufferRequest, on_event: Callable[[Event, Buffer], None]
) -> BufferOutcome:
    """Raises FasteditError, and JsonRpcContentModified where the request is about another version."""
    base = server.buffers.get(asked.uri)
    if asked.version is not None and asked.version != base.version:
        raise JsonRpcContentModified(
            f"{base.path}: the buffer is at version {base.version}, the request is about {asked.version}; "
            "send it again"
        )
    return await _edited(server, asked, base, on_event)


async def choose(server: FasteditServer, outcome: BufferOutcome, number: int) -> BufferOutcome:
    """The same edit of the same text by another reading of its update. Raises FasteditError."""
    asked = replace(outcome.asked, choice=number)
    return await _edited(server, asked, outcome.base, lambda event, base: None)


async def _edited(
    server: FasteditServer, asked: BufferRequest, base: Buffer, on_event: Callable[[Event, Buffer], None]
) -> BufferOutcome:
    document = base.document
    if asked.remove is not None:
        _check(asked.remove, len(document.lines))
        document = without(document, asked.remove)
    request = asked.request(document, server.settings.policy)
    try:
        result = await _result(server, request, lambda event: on_event(event, base))
        if asked.remove is not None and request.update is not None and request.choice is None:
            result = await _where_it_stands(server, request, asked.remove.start, result)
    except UnplacedHunk as error:
        log_unplaced(server, str(base.path), error.reports)
        raise
    hunks = _whole(asked, result.hunks)
    others = tuple(
        other._replace(hunks=whole, line=parting_line(base.document, hunks, whole))
        for other in options_of(result)
        for whole in (_whole(asked, other.hunks),)
    )
    return BufferOutcome(asked, base, result, hunks, others)


async def _result(
    server: FasteditServer, request: EditRequest, on_event: Callable[[Event], None] = lambda event: None
) -> EditResult:
    async with aclosing(server.backend.events(request)) as events:
        async for event in events:
            on_event(event)
            if isinstance(event, Resulted):
                return event.result
    raise AssertionError("a stream always ends with its result")


async def _where_it_stands(
    server: FasteditServer, request: EditRequest, line: int, result: EditResult
) -> EditResult:
    """The result for the innermost definition around the sketch that takes the very same change, there or elsewhere;
    where that is held back, so is this one."""
    if request.lines is not None or request.symbol is not None:
        return result
    for name, lines in around(request.document, line):
        try:
            narrowed = await _result(server, replace(request, lines=lines, policy="merge"))
        except FasteditError:
            continue
        if narrowed.hunks == result.hunks:
            return narrowed if narrowed.status is Status.OK else result
        if elsewhere(narrowed.hunks, result.hunks, request.document):
            if narrowed.status is Status.OK:
                return narrowed
            doubt = f"the sketch stands in `{name}`, and changes other lines"
            return replace(result, status=Status.SUSPECT, reasons=(*result.reasons, doubt))
    return result


def _whole(asked: BufferRequest, hunks: tuple[Hunk, ...]) -> tuple[Hunk, ...]:
    """Hunks of the text that was edited as those of the buffer's."""
    return leaving_out(hunks, asked.remove) if asked.remove is not None and hunks else hunks


def _check(lines: LineRange, count: int) -> None:
    if not 0 <= lines.start < lines.stop <= count:
        raise UsageError(f"remove {lines.start}:{lines.stop} does not fit: the buffer's end is {count}")
