"""A model behind an address: asks it by its API, leaves out what it refuses, tries again where that helps."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from time import monotonic
from typing import Any

import tenacity

from fastedit.connect.answer import NEVER, AnswerStream
from fastedit.connect.base import Piece, Question, ServerEvent
from fastedit.connect.hangup import Hangup
from fastedit.connect.line import HttpConnection
from fastedit.connect.memory import keep, recall
from fastedit.connect.names import APIS, Endpoint
from fastedit.connect.refusal import Refusal
from fastedit.errors import UsageError
from fastedit.result import Receipt

_ATTEMPTS = 4
_WAIT = tenacity.wait_random_exponential(multiplier=0.25, max=8.0)
_WAITING_S = 60.0  # for a server that is busy, where there is no time limit
_MOST_CHARS = 4 << 20  # of an answer


class Client:
    """One model of one server. May be used by many threads."""

    def __init__(self, target: Endpoint) -> None:
        self._target, self._api = target, APIS[target.api]()
        self._line = HttpConnection(target, self._api.headers(target.key))
        self._model = target.model
        self._refused = recall(target)

    @property
    def chats(self) -> bool:
        """Whether the model is asked for answers, and does not only go on with a text."""
        return self._target.api != "completions"

    @property
    def takes_tools(self) -> bool:
        """Whether it may be offered tools, which its server has not refused lately."""
        return self.chats and all(field != "tools" for field, _ in self._refused)

    def model(self, until: float = NEVER, hangup: Hangup | None = None) -> str:
        """The model's name; asks the server where the address names none. Raises ModelUnavailable."""
        if not self._model:
            try:
                with closing(self._line.ask("GET", "models", None, until, hangup or Hangup())) as answer:
                    self._model = str(next(iter(answer))["data"][0]["id"])
            except Refusal as refusal:
                raise refusal.error(self._target) from None
            except (LookupError, StopIteration, TypeError):
                raise self._target.failure("lists no models", "add #MODEL to the address") from None
        return self._model

    def chat(
        self,
        question: Question,
        receipt: Receipt,
        *,
        time_limit: float | None = None,
        hangup: Hangup | None = None,
    ) -> Generator[Piece, None, None]:
        """The answer as it comes, the last piece with `finish`; the server's token counts are added to `receipt`.

        Closing the iterator hangs up; from another thread `hangup` does. `time_limit` bounds the whole answer, waiting
        for a busy server included. Raises ModelUnavailable, TooLong or UsageError.
        """
        if question.sampling.top_k:
            raise UsageError("a model at an address does not support top_k; use top_p or leave it out")
        until = NEVER if time_limit is None else monotonic() + time_limit
        hangup = hangup or Hangup()
        body = self._api.body(self.model(until, hangup), question)
        try:
            with closing(self._opened(body, until, hangup)) as answer:
                yield from self._pieces(answer, receipt)
        except Refusal as refusal:
            raise refusal.error(self._target) from None

    def _pieces(self, answer: AnswerStream, receipt: Receipt) -> Generator[Piece, None, None]:
        seen, finish = 0, None
        try:
            for piece in self._api.read(iter(answer), receipt):
                seen, finish = seen + len(piece.text), piece.finish or finish
                if seen > _MOST_CHARS:
                    raise self._target.failure(
                        f"sent more than {_MOST_CHARS} characters", "ask for less at a time"
                    )
                yield piece
        except (AttributeError, LookupError, TypeError):
            raise self._target.failure(
                "sent something that is not part of an answer", "check that it is a server of this API"
            ) from None
        except Refusal:
            if finish is None:
                raise
        if finish is None and not answer.complete:
            raise self._target.failure("broke off its answer", "try again")
        if finish is None:
            yield Piece("", "stop")

    def _opened(self, body: dict[str, Any], until: float, hangup: Hangup) -> AnswerStream:
        """Asks until the server takes the question, each time without something more that it refuses."""
        refused = self._refused
        for field, said in refused:
            body = self._api.without(body, field, said) if field in body else body
        while True:
            try:
                answer = self._retried(body, until, hangup)
            except Refusal as refusal:
                going = refusal.disliked([name for name in self._api.optional if name in body])
                if not going:
                    raise
                before = body
                for field in going:
                    refused += ((field, refusal.said),)
                    body = self._api.without(body, field, refusal.said)
                if body == before:  # it has to be there
                    raise
                continue
            if refused != self._refused:  # now it is known that this was the reason
                self._refused = refused
                keep(self._target, refused)
            return answer

    def _retried(self, body: dict[str, Any], until: float, hangup: Hangup) -> AnswerStream:
        waiting = min(_WAITING_S, until - monotonic())
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(
                lambda error: isinstance(error, Refusal) and error.passes and not hangup.over
            ),
            wait=_wait,
            sleep=hangup.pause,
            stop=tenacity.stop_after_attempt(_ATTEMPTS) | tenacity.stop_before_delay(waiting),
            reraise=True,
        )
        return retrying(self._line.ask, "POST", self._api.path, body, until, hangup, self._says)

    def _says(self, event: ServerEvent) -> bool:
        try:
            return self._api.says(event)
        except (AttributeError, TypeError):  # who reads the event says what is wrong with it
            return True


def _wait(state: tenacity.RetryCallState) -> float:
    """What the server asks for, else a little longer each time."""
    error = state.outcome.exception() if state.outcome else None
    after = error.after if isinstance(error, Refusal) else None
    return _WAIT(state) if after is None else after
