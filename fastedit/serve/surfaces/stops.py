"""Where a conversation's answer ends because of what it says."""

from __future__ import annotations

from collections.abc import Sequence


class Stops:
    """Passes text on up to the stop sequence that is complete first, of several at one place the longest; keeps back
    what may be the beginning of one."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops, self._held, self.reached = stops, "", False

    def push(self, text: str) -> str:
        if self.reached:
            return ""
        self._held += text
        found = [(at + len(stop), at) for stop in self._stops if (at := self._held.find(stop)) >= 0]
        self.reached = bool(found)
        end = min(found)[1] if found else len(self._held) - self._beginning()
        passed, self._held = self._held[:end], self._held[end:]
        return passed

    def rest(self) -> str:
        """What was kept back, once no more text comes."""
        return "" if self.reached else self._held

    def _beginning(self) -> int:
        """How many characters at the end are those that a stop sequence begins with."""
        sizes = (
            size for stop in self._stops for size in range(1, len(stop)) if self._held.endswith(stop[:size])
        )
        return max(sizes, default=0)
