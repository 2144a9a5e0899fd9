"""What a chat model is asked, as text: code and update between tags.

The layout is the one that published apply models were tuned on (`<code>`, `<update>`, `<updated-code>`). Where the
file, the update or the instruction holds one of the tags, all tags get a number that occurs in none of them.
"""

from __future__ import annotations

from fastedit.prompt.base import RegionTask

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


def update_text(task: RegionTask) -> str:
    if task.update is None:
        return ""
    return "\n".join(MARKER if line.marker else line.text for line in task.update.lines)
