"""What holds the model: one process, as a rule with one GPU, that runs the edits that fronts send it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterable
from typing import Any

from fastedit.connect import Hangup
from fastedit.errors import FasteditError
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.answers import explained
from fastedit.serve.jobs.backend import Local, Work, WorkEvent
from fastedit.serve.jobs.pool import Pool
from fastedit.serve.settings import ServerSettings


class Replica:
    """Loads its model before it takes its first edit; all edits that it runs share the model's passes."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = ServerSettings(**settings)
        self._backend = Local(self._settings.engine(), self._settings.drafters.values())
        self._backend.warm()
        self._pool = Pool(self._settings.workers, self._settings.workers)

    async def alive(self) -> None:
        """Answers."""

    async def run(self, work: Work) -> AsyncIterator[WorkEvent | Exception]:
        """Its events. Errors are items too: Ray would log what is raised, and a message can quote somebody's code."""

        def steps(hangup: Hangup) -> Generator[Iterable[WorkEvent], None, None]:
            for event in self._backend.run(work, hangup):
                yield (event,)

        job = None
        try:
            job = self._pool.submit(steps, self._settings.deadline_s)
            async for item in job:
                yield item
        except (FasteditError, ApiError) as error:
            yield error
        except Exception as error:
            yield RuntimeError(explained(error).detail)
        finally:
            if job is not None:
                job.cancel()
