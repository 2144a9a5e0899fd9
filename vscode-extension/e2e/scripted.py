"""The language server, with one kind of edit scripted: so a test has time to look at hunks while they stream.

`rename A to B` replaces the word line by line, with a pause after each hunk, and `rename A to crash` dies after the
first. Everything else is the real engine's.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing

from fastedit_lsp import FasteditServer, Settings
from fastedit_lsp.backend import LocalBackend

from fastedit.edit.hunks import Hunk
from fastedit.edit.request import EditRequest, LineRange
from fastedit.edit.result import EditResult, Progress, Receipt, Status
from fastedit.engine.events import Event, HunkReady, Located, Progressed, Resulted

PAUSE_S = 2.5


class Script(LocalBackend):
    async def events(self, request: EditRequest) -> AsyncGenerator[Event]:
        if request.instruction is None:
            async with aclosing(super().events(request)) as events:
                async for event in events:
                    yield event
            return
        _, old, _, new = request.instruction.split()
        lines = request.document.lines
        yield Located((LineRange(0, len(lines)),), ("the whole file",))
        hunks = []
        for at, line in enumerate(lines):
            if re.search(rf"\b{old}\b", line):
                hunks.append(Hunk(at, at + 1, (re.sub(rf"\b{old}\b", new, line),)))
                yield HunkReady(hunks[-1])
                if new == "crash":
                    os._exit(3)
                yield Progressed(Progress((at + 1) / len(lines), at, len(hunks), at / PAUSE_S))
                await asyncio.sleep(PAUSE_S)
        receipt = Receipt("scripted", "model", passes=len(hunks), total_ms=1000.0 * PAUSE_S * len(hunks))
        yield Resulted(EditResult(request.document, tuple(hunks), Status.OK, (), receipt))

    async def warm(self) -> None:
        """No model is asked."""


if __name__ == "__main__":
    server = FasteditServer(Settings())
    server._backend = Script("embedded")
    server.start_io()
