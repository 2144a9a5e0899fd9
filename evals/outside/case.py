"""One case: a file, what somebody sends, and how the answer is judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fastedit.request import EditRequest, Policy
from fastedit.source.document import Document

Judge = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Case:
    """`judge` tells of a new text whether it is right; None where nothing may be done at all.

    `says_so` is False for an edit that does not say what it should, by a second blind reading: it is counted apart.
    `expressible`: operations that code can carry out would express it; None where nobody asked.
    """

    id: str
    kind: str
    author: str
    language: str
    path: str
    old: str
    judge: Judge | None
    instruction: str | None = None
    update: str | None = None
    says_so: bool = True
    expressible: bool | None = None
    suite: str = ""  # set where the suite is loaded

    @property
    def document(self) -> Document:
        return Document.from_text(self.old, Path(self.path))

    def request(self, policy: Policy = "auto") -> EditRequest:
        """What somebody sends. Raises UsageError for words that are no text."""
        return EditRequest(self.document, self.instruction, self.update, policy=policy)

    def is_right(self, text: str) -> bool:
        return self.judge is not None and self.judge(text)


def same_text(wanted: str, old: str | None = None) -> Judge:
    """Whether a text is the wanted one, but for blank lines and blanks at the end of a line.

    A sketch does not say how many blank lines stay around what it shows, nor whether the file's last line ends: that
    may be as in the wanted text or as in `old`. Line ends within the text count.
    """
    lines = _non_blank(wanted)
    ends = {text.endswith("\n") for text in (wanted, old) if text is not None}
    return lambda text: _non_blank(text) == lines and text.endswith("\n") in ends


def same_but_for_depth(wanted: str) -> Judge:
    """The same where indentation is for the eye only: what a new block encloses may be moved in or not."""
    lines = [line.lstrip() for line in _non_blank(wanted)]
    return lambda text: [line.lstrip() for line in _non_blank(text)] == lines and wanted[-1:] == text[-1:]


def _non_blank(text: str) -> list[str]:
    return [line.rstrip(" \t") for line in text.split("\n") if line.strip()]
