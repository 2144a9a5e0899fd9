"""`python -m tests.serve.deployed PORT MODEL FOLDER`: a deployment on two replicas whose edits can be watched and held.

Each edit says in its `located` event which process runs it. An edit with the instruction "halt" writes its process's id
to FOLDER/halted after its first hunk and waits to be killed, or cancelled, unless that file is there already.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fastedit.connect import Hangup
from fastedit.engine import Engine, Event, HunkReady, Located, Progressed
from fastedit.request import EditRequest
from fastedit.result import Progress
from fastedit.serve.cluster import app, replica
from fastedit.serve.cluster.settings import ClusterSettings
from fastedit.serve.jobs.backend import Local

FOLDER = Path(sys.argv[3]) if len(sys.argv) > 3 else Path()


class Watched(Engine):
    def __init__(self, model: str, folder: Path) -> None:
        super().__init__(model)
        self._folder = folder

    def stream(self, request: EditRequest, hangup: Hangup | None = None) -> Iterator[Event]:
        for event in super().stream(request, hangup):
            if isinstance(event, Located):
                event = Located(event.regions, (str(os.getpid()),))
            yield event
            if isinstance(event, HunkReady) and request.instruction == "halt":
                yield from self._halt()

    def _halt(self) -> Iterator[Event]:
        halted = self._folder / "halted"
        if halted.exists():
            return
        halted.write_text(str(os.getpid()))
        try:
            while True:
                time.sleep(0.02)
                yield Progressed(Progress(0.5, 1, 1, 1.0))
        finally:
            (self._folder / "left").touch()


class Replica(replica.Replica):
    def __init__(self, settings: dict[str, Any]) -> None:
        super().__init__(settings)
        self._backend = Local(Watched(settings["model"], FOLDER))


if __name__ == "__main__":
    app.Replica = Replica
    flags = {"port": int(sys.argv[1]), "model": sys.argv[2], "cpus": 0.25}
    app.deploy(ClusterSettings.load(flags | {"min_replicas": 2, "max_replicas": 2}), None)
