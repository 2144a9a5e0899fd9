"""One edit from wish to outcome: run on the buffer's text of now, then carried over to what it has become."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from fastedit.edit.hunks import Hunk
from fastedit.edit.rebase import Rebased, rebase
from fastedit.edit.request import LineRange
from fastedit.edit.result import EditResult, Status
from fastedit.engine.events import Event, Resulted
from fastedit.errors import UsageError
from fastedit_lsp.buffers import Buffer
from fastedit_lsp.hunks import leaving_out, without
from fastedit_lsp.wire import base_json, hunks_json, workspace_edit
from fastedit_lsp.wish import Wish

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result for `base`. `hunks` are the result's, with the lines that held the wish taken out."""

    wish: Wish
    base: Buffer
    result: EditResult
    hunks: tuple[Hunk, ...]

    @property
    def deliverable(self) -> bool:
        """Whether it may go into the buffer: the checks passed or the caller insists."""
        return bool(self.hunks) and (self.result.status is not Status.SUSPECT or self.wish.force)

    def onto(self, current: Buffer) -> Rebased:
        """The hunks for the buffer of now, and those of the base that meet what was typed meanwhile."""
        return rebase(self.hunks, self.base.document, current.document)

    def as_json(self, current: Buffer | None, capabilities: types.ClientCapabilities) -> dict[str, Any]:
        """The answer to `fastedit/edit`. `edit` is None where it must not or cannot be made as a whole."""
        hunks, conflicts = self.onto(current) if current else Rebased((), self.hunks)
        edit = None
        if current is not None and self.deliverable and not conflicts:
            edit = workspace_edit(current, hunks, self.wish.title, capabilities)
        other = self.result.alternative
        return {
            "status": str(self.result.status),
            "reasons": list(self.result.reasons),
            "base": base_json(self.base),
            "hunks": hunks_json(self.hunks),
            "alternative": None if other is None else hunks_json(other),
            "conflicts": hunks_json(conflicts),
            "version": None if current is None else current.version,
            "edit": edit,
            "receipt": self.result.receipt.as_dict(),
        }


async def run(server: FasteditServer, wish: Wish, on_event: Callable[[Event, Buffer], None]) -> Outcome:
    """Raises FasteditError, and JsonRpcContentModified where the wish is about another version."""
    base = server.buffers.get(wish.uri)
    if wish.version is not None and wish.version != base.version:
        raise JsonRpcContentModified(
            f"{base.path}: the buffer is at version {base.version}, the request is about {wish.version}; "
            "send it again"
        )
    document = base.document
    if wish.remove is not None:
        _check(wish.remove, len(document.lines))
        document = without(document, wish.remove)
    async with aclosing(server.backend.events(wish.request(document, server.settings.policy))) as events:
        async for event in events:
            on_event(event, base)
            if isinstance(event, Resulted):
                result = event.result
    hunks = result.hunks if wish.remove is None else leaving_out(result.hunks, wish.remove)
    return Outcome(wish, base, result, hunks if result.hunks else ())


def _check(lines: LineRange, count: int) -> None:
    if not 0 <= lines.start < lines.stop <= count:
        raise UsageError(f"remove {lines.start}:{lines.stop} does not fit: the buffer has {count} lines")
