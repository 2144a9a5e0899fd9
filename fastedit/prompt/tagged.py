"""What a chat model is asked and how its answer is read, as text: code and update between tags.

The layout is the one that published apply models were tuned on (`<code>`, `<update>`, `<updated-code>`). Where the
file, the update or the instruction holds one of the tags, all tags get a number that occurs in none of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.prompt.base import AnswerLine, RegionTask

SYSTEM = (
    "You apply edits to code. Answer with the complete updated code and nothing else. "
    "Keep every line that the edit does not concern exactly as it is."
)
MARKER = "# ... existing code ..."


class TagNames:
    """The names of the tags, numbered where the plain ones would be ambiguous."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self.open, self.close = f"<updated-code{suffix}>", f"</updated-code{suffix}>"

    @classmethod
    def avoiding(cls, task: RegionTask) -> TagNames:
        text = "\n".join((*task.lines, update_text(task), task.instruction or "", task.about))
        number, suffix = 0, ""
        while f"code{suffix}>" in text or f"update{suffix}>" in text:
            number += 1
            suffix = f"-{number}"
        return cls(suffix)

    def around(self, name: str, text: str) -> str:
        return f"<{name}{self._suffix}>\n{text}\n</{name}{self._suffix}>"


def user_text(task: RegionTask, tags: TagNames) -> str:
    """The user's message."""
    parts = [
        f"{task.about}\n" if task.about else "",
        f"{task.instruction}\n" if task.instruction else "",
        tags.around("code", "\n".join(task.lines)),
    ]
    if task.update is not None:
        parts.append(tags.around("update", update_text(task)))
    return "\n".join(part for part in parts if part) + f"\n\nAnswer between {tags.open} and {tags.close}."


def answer_text(lines: Sequence[str], close: str) -> str:
    """The answer that gives these lines, behind the opening tag."""
    return "".join(f"{line}\n" for line in lines) + close


def update_text(task: RegionTask) -> str:
    if task.update is None:
        return ""
    return "\n".join(MARKER if line.marker else line.text for line in task.update.lines)


class LineReader:
    """Turns an answer's text, which was begun for the model, into lines up to `close`, or to its end without one."""

    def __init__(self, lines: Sequence[str], close: str) -> None:
        self._lines, self._close, self._done = lines, close, False
        self._text, self._at = "", 0

    def push(self, text: str) -> list[AnswerLine]:
        """The lines that this text finishes. Raises ValueError where one holds a line end."""
        *whole, self._text = (self._text + text).split("\n")
        return [line for text in whole for line in self._line(text)]

    def finish(self) -> list[AnswerLine]:
        """The lines still open when the answer stops. Raises ValueError unless it was closed."""
        if not self._close:
            return self._line(self._text) if self._text.strip() else []
        lines = [] if self._done else self._line(self._text)
        if not self._done:
            raise ValueError(f"it ended before {self._close}")
        return lines

    def _line(self, text: str) -> list[AnswerLine]:
        if self._done:
            return []
        before, found, _ = text.partition(self._close) if self._close else (text, "", "")
        if not found:
            return [self._origin(text)]
        self._done = True
        return [self._origin(before)] if before else []

    def _origin(self, text: str) -> AnswerLine:
        """The finished line, claimed as a copy only where it follows the last copied one."""
        text = text.removesuffix("\r")
        if "\r" in text:
            raise ValueError("a line of the answer holds a line end")
        if self._at < len(self._lines) and self._lines[self._at] == text:
            self._at += 1
            return AnswerLine(text, self._at - 1)
        return AnswerLine(text, None)
