"""Which suites there are. One line here is all that a new one takes beside its loader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from evals.cases import updates
from evals.outside import people, sent
from evals.outside.case import Case
from evals.outside.releases import Split


@dataclass(frozen=True, slots=True)
class Suite:
    """`read` gives the cases of a half, each with its judge. `own`: of this project's making, not from outside."""

    name: str
    source: str
    scorer: str
    read: Callable[[Split], list[Case]]
    own: bool = False

    def load(self, split: Split) -> list[Case]:
        return [replace(case, suite=self.name) for case in self.read(split)]


def _synthesis(split: Split) -> list[Case]:
    return [case for name in ("edits", "languages") for case in updates(split, name)]


_CHANGES = "written blind for real changes between releases"
SUITES = (
    Suite("agents", f"{_CHANGES}, with a line that says what they do", "the new file", sent.agents),
    Suite("agents_alone", "the same edits without that line", "the new file", sent.agents_alone),
    *(
        Suite(
            name,
            f"{what} written blind of changes thought of for {files}",
            "the new file",
            partial(sent.thought_of, name),
        )
        for name, what, files in (
            ("documents", "sketches", "real data, styles and documents"),
            ("short", "sketches of a few lines", "real files"),
            ("fragments", "pieces of data files", "real ones"),
            ("remarks", "snippets with comments about the edit", "real files"),
            ("multilingual", "sketches whose comments are in other languages than English", "real files"),
            ("other_languages", "sketches", "real files in Kotlin, Swift, Ruby, Vue, Svelte and Lua"),
        )
    ),
    Suite("people", "instructions written blind for real files", "a text or a program", people.load),
    Suite("hazards", "generated from real functions", "the new file", sent.hazards),
    Suite("synthesis", "sketches that we make of real edits", "the new file", _synthesis, own=True),
)
BY_NAME = {suite.name: suite for suite in SUITES}
