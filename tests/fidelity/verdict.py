"""What became of a case, and why it failed where it did.

An edit is right where the whole file is one of the results that differ in nothing but the edit; it may be held back
as suspect or refused, and then nothing may have changed. Everything else is a failure. With policy `model` the model
writes the edited definition anew, rightly or not: there every byte outside the definition is compared.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.fidelity.surfaces import FileCommand, Outcome, PipeCommand, Surface
from tests.fidelity.torture import Torture, torture

EACH = 4  # of so many cases one goes through commands: each starts a process, or two
# A new line that ends in a comment like a marker is taken for one, and its rest for the old line's.
MISREAD = "markers, the same characters"


def judge(case: Torture, policy: str, outcome: Outcome) -> str:
    """`exact`, `held` or `refused`, else what is wrong."""
    held = {"suspect": "held", "refused": "refused"}.get(outcome.status)
    return outcome.fault or held or _lost(case, policy, outcome.data) or "exact"


def failures(surface: Surface, cases: Iterable[Torture], policy: str = "merge") -> list[str]:
    """The cases that went wrong, each with what is wrong; without the one that is known to."""
    asked = (case for case in cases if case.id != MISREAD)
    verdicts = ((case.id, judge(case, policy, surface.edit(case, policy))) for case in asked)
    return [f"{name}: {said}" for name, said in verdicts if said not in ("exact", "held", "refused")]


def _lost(case: Torture, policy: str, data: bytes | None) -> str:
    """What is wrong with delivered bytes; empty where nothing is."""
    if data is None:
        return "nothing came back"
    if not case.wanted:
        return "edited though it is no text"
    if data in case.wanted:
        return ""
    before, behind = case.frame
    if policy == "merge" or not before:
        return f"other bytes: {_difference(data, case)}"
    inside = data.startswith(before) and data.endswith(behind) and len(data) >= len(before) + len(behind)
    return "" if inside else f"bytes outside the definition changed: {_difference(data, case)}"


def _difference(data: bytes, case: Torture) -> str:
    """The first place where the result leaves the nearest right one."""

    def common(wanted: bytes) -> int:
        pairs = zip(data, wanted, strict=False)
        return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(data), len(wanted)))

    wanted = max(case.wanted, key=common)
    at = common(wanted)
    return f"at byte {at} {data[at : at + 24]!r} for {wanted[at : at + 24]!r}"


if __name__ == "__main__":  # commands are forked, which a process with torch must not do
    with tempfile.TemporaryDirectory() as name:
        surface = {"file": FileCommand, "pipe": PipeCommand}[sys.argv[1]](Path(name))
        cases = torture()
        chosen = [case for case in cases if case.id in sys.argv[2:]] if sys.argv[2:] else cases[::EACH]
        print(*failures(surface, chosen), sep="\n", end="")
