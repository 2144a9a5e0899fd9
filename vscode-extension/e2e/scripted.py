"""The language server, with one kind of edit scripted: so a test can look at hunks while they stream.

`rename A to B` replaces the word line by line. Each hunk but the first waits until the test makes the file `next` in
the folder that FASTEDIT_STEPS names. `rename A to crash` dies after the first. Everything else is the real engine's.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from fastedit_lsp import ClientSettings, FasteditServer
from fastedit_lsp.backend import LocalBackend

from fastedit.engine.events import Event, HunkReady, Located, Progressed, Resulted
from fastedit.request import EditRequest, LineRange
from fastedit.result import EditResult, Progress, Receipt, Status
from fastedit.source.hunks import Hunk

NEXT = Path(os.environ["FASTEDIT_STEPS"]) / "next"


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
                if hunks:
                    await told_to_go_on()
                hunks.append(Hunk(at, at + 1, (re.sub(rf"\b{old}\b", new, line),)))
                yield HunkReady(hunks[-1])
                if new == "crash":
                    os._exit(3)
                yield Progressed(Progress((at + 1) / len(lines), at, len(hunks), float(at)))
        receipt = Receipt("scripted", "model", passes=len(hunks))
        yield Resulted(EditResult(request.document, tuple(hunks), Status.OK, (), receipt))

    async def warm(self) -> None:
        """No model is asked."""


async def told_to_go_on() -> None:
    while not NEXT.exists():
        await asyncio.sleep(0.02)
    NEXT.unlink()


if __name__ == "__main__":
    server = FasteditServer(ClientSettings())
    server._backend = Script("embedded")
    server.start_io()
