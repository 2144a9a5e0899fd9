"""Hunks that have no place, in the client's log: by number, with the lines of the file that are nearest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from fastedit.formats.report import Report, told

if TYPE_CHECKING:
    from fastedit_lsp.server import FasteditServer


def log_unplaced(server: FasteditServer, name: str, reports: Iterable[Report]) -> None:
    """What an error in one line has no room for."""
    text = "\n".join(told(name, reports))
    if text:
        server.window_log_message(types.LogMessageParams(types.MessageType.Error, text))
