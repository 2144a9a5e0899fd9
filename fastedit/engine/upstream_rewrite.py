"""One region rewritten by a model behind an address: text in, lines and final hunks out."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing

from fastedit.edit.hunks import HunkStream
from fastedit.edit.request import EditRequest
from fastedit.edit.result import Progress, Receipt
from fastedit.engine.events import HunkReady, Progressed
from fastedit.engine.plan import Part
from fastedit.engine.upstream import Piece, Upstream
from fastedit.prompt.tagged import SYSTEM, TagReader, Tags, answer_text, user_text


class UpstreamRewrite:
    """Asks for one part of a plan. Iterate for its events; then `doubts` is complete."""

    def __init__(self, upstream: Upstream, request: EditRequest, part: Part, receipt: Receipt) -> None:
        self._upstream, self._request, self._part, self._receipt = upstream, request, part, receipt
        self.doubts: list[str] = []

    def __iter__(self) -> Iterator[HunkReady | Progressed]:
        task = self._part.task
        tags = Tags.avoiding(task)
        reader = TagReader(task, tags, begun=False)
        hunks = HunkStream(task.lines, self._part.region.start)
        finish: str | None = None
        expected = len(tags.open) + len(answer_text(task.lines, tags))
        seen, pieces, started = 0, 0, time.perf_counter()
        with closing(self._answer(tags)) as answer:
            for piece in answer:
                seen, pieces, finish = seen + len(piece.text), pieces + 1, piece.finish or finish
                try:
                    lines = reader.push(piece.text) + (reader.finish() if piece.finish else [])
                except ValueError as error:
                    self.doubts.append(f"the model's answer is not well formed: {error}")
                    break
                for line in lines:
                    yield from (HunkReady(hunk) for hunk in hunks.push(line.text, line.origin))
                # Most servers send a token a piece; their own count comes only at the end.
                speed = pieces / max(time.perf_counter() - started, 1e-9)
                yield Progressed(Progress(min(1.0, seen / expected), pieces, 0, speed))
        if finish is None and not self.doubts:
            self.doubts.append("the model's answer broke off")
        if finish == "length":
            self.doubts.append("the model's answer was cut off at the server's limit")
        yield from (HunkReady(hunk) for hunk in hunks.finish())

    def _answer(self, tags: Tags) -> Generator[Piece, None, None]:
        task, prediction = self._part.task, self._part.prediction
        lines = task.lines if prediction is None else prediction.lines
        return self._upstream.chat(
            [
                {"role": "system", "content": SYSTEM},
                {"role": "user", "content": user_text(task, tags)},
            ],
            self._request.sampling,
            self._receipt,
            prediction=f"{tags.open}\n{answer_text(lines, tags)}" if self._request.speculation else None,
        )
