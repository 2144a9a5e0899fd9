"""What became of a case, always one of six, and the shares that are counted from it."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from types import FrameType

from rich.console import Console
from rich.progress import track

from evals.outside.case import Case
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeResult
from fastedit.errors import FasteditError, ModelUnavailable
from fastedit.request import Policy
from fastedit.result import Status

LIMIT_S = 120.0


class Outcome(StrEnum):
    RIGHT_OK = "right, ok"
    WRONG_OK = "wrong, ok"
    RIGHT_SUSPECT = "right, suspect"
    WRONG_SUSPECT = "wrong, suspect"
    REFUSED = "refused"
    CRASH = "crash"

    @classmethod
    def of(cls, status: Status, right: bool) -> Outcome:
        """A result that says it changed nothing has delivered nothing."""
        if status is Status.UNCHANGED:
            return cls.REFUSED
        if status is Status.OK:
            return cls.RIGHT_OK if right else cls.WRONG_OK
        return cls.RIGHT_SUSPECT if right else cls.WRONG_SUSPECT


@dataclass(frozen=True, slots=True)
class Met:
    """A case and its outcome. `said` is the reason, refusal or error; `text` what was produced, None without."""

    case: Case
    outcome: Outcome
    milliseconds: float
    said: str = ""
    text: str | None = None


class _Late(Exception):
    """The time for one case is up."""


def attempt(engine: Engine, case: Case, policy: Policy) -> Met:
    """Run one case. A crash, or no answer within `LIMIT_S`, is its outcome; raises ModelUnavailable alone."""
    started = time.perf_counter()
    try:
        with _time_limit(LIMIT_S):
            result = engine.apply(case.request(policy))
            spent, outcome = _ms_since(started), Outcome.of(result.status, case.is_right(result.text))
            return Met(case, outcome, spent, "; ".join(result.reasons), result.text)
    except ModelUnavailable:
        raise
    except FasteditError as refusal:
        return Met(case, Outcome.REFUSED, _ms_since(started), str(refusal))
    except _Late:
        return Met(case, Outcome.CRASH, _ms_since(started), f"no answer in {LIMIT_S:.0f} s")
    except Exception as error:  # whatever it is, it must not end the other cases
        return Met(case, Outcome.CRASH, _ms_since(started), f"{type(error).__name__}: {error}")


def attempt_all(engine: Engine, cases: Sequence[Case], policy: Policy) -> list[Met]:
    """All cases, one after the other. Raises ModelUnavailable."""
    shown = track(cases, "cases", console=Console(stderr=True), transient=True)
    return [attempt(engine, case, policy) for case in shown]


def texts_after(old: Mapping[str, str], result: ChangeResult) -> dict[str, str]:
    """Files by path, as an edit of several leaves them."""
    new = dict(old)
    for file in result.files:
        if file.path is not None:
            new.pop(file.path, None)
        if file.to is not None and file.after is not None:
            new[file.to] = file.after.text
    return new


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _Late in the block once the time is up. Works in the main thread of a POSIX process only."""

    def late(number: int, frame: FrameType | None) -> None:
        raise _Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000.0


def wilson(hits: int, cases: int) -> tuple[float, float]:
    """The 95 % interval of a share (E. B. Wilson 1927): holds for few cases and for shares near 0 and 1."""
    if not cases:
        return 0.0, 1.0
    z = 1.96
    share, spread = hits / cases, z * z / cases
    middle = (share + spread / 2) / (1 + spread)
    width = z / (1 + spread) * math.sqrt(share * (1 - share) / cases + spread / (4 * cases))
    return max(0.0, middle - width), min(1.0, middle + width)


Row = dict[str, float | int | None]


def row(met: Iterable[Met]) -> Row:
    """Cases, the six counts, the share right and ok and the share wrong of those delivered, and milliseconds."""
    found = list(met)
    counts = {outcome: sum(m.outcome is outcome for m in found) for outcome in Outcome}
    right, wrong = counts[Outcome.RIGHT_OK], counts[Outcome.WRONG_OK]
    times = sorted(m.milliseconds for m in found)
    shares: Row = {"cases": len(found), **{outcome.value: count for outcome, count in counts.items()}}
    for name, hits, of in (("right and ok", right, len(found)), ("wrong of delivered", wrong, right + wrong)):
        low, high = wilson(hits, of)
        shares |= {
            f"{name} %": round(100 * hits / of, 1) if of else None,
            f"{name} low %": round(100 * low, 1) if of else None,
            f"{name} high %": round(100 * high, 1) if of else None,
        }
    return shares | {
        "ms median": round(median(times), 1) if times else None,
        "ms p95": round(times[math.ceil(0.95 * len(times)) - 1], 1) if times else None,
        "ms worst": round(times[-1], 1) if times else None,
    }


def grouped(met: Sequence[Met]) -> dict[str, dict[str, Row]]:
    """A row for all cases, each language, kind and author; edits that do not say what they should stand apart."""
    counted = [m for m in met if m.case.says_so]
    tables: dict[str, dict[str, Row]] = {"all": {"all": row(counted)}}
    apart = [m for m in met if not m.case.says_so]
    if apart:
        tables["all"]["does not say what it should"] = row(apart)
    for name in ("language", "kind", "author"):
        keys = sorted({getattr(m.case, name) for m in counted})
        tables[name] = {key: row(m for m in counted if getattr(m.case, name) == key) for key in keys}
    return tables
