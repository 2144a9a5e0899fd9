"""Whether lines that stay come to stand in what they stood beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change, short
from fastedit.source.definitions import Definition, definitions
from fastedit.source.hunks import Hunk
from fastedit.source.outline import definition_at, indent_width, is_comment, without_comment
from fastedit.source.syntax import Syntax


def _depth_stays(change: Change) -> Iterator[str]:
    """What is written anew stands in what it stood in, and what is below it next to it."""
    yield from list(_stays_beside(change)) or _stays_in_place(change)


def _stays_beside(change: Change) -> Iterator[str]:
    """What is written anew in another depth does not take the lines below it in."""
    for hunk, start in zip(change.hunks, change.starts, strict=True):
        below = start + len(hunk.lines)
        row = next((row for row in range(below, len(change.new)) if _says(change.new[row])), None)
        if row is None or row in change.new_rows:
            continue
        depth = indent_width(change.new[row])
        for index in _open_at_end(hunk):
            line = hunk.lines[index]
            if indent_width(line) < depth and _stood_beside(change, hunk, index, depth):
                what = f"result line {row + 1} {short(change.new[row])}"
                yield f"{what} now stands in {short(line)}, next to which it stood"
                break


def _stays_in_place(change: Change) -> Iterator[str]:
    """A definition that is written anew in another depth, but with the same head, stands in what it stood in, where
    depth alone tells that."""
    for part in change.parts:
        if part.old.language.blocks != "indent":
            return
        old, new = definitions(part.old), definitions(part.new)
        before, after = ({(), *(item.path for item in found)} for found in (old, new))
        written: dict[str, list[Definition]] = {}
        for item in new:
            if part.new_start + item.header in change.new_rows:
                written.setdefault(_head(part.new, item), []).append(item)
        for item in old:
            alike = written.get(_head(part.old, item), ())
            if len(alike) == 1 and item.path not in after:
                head, now = part.old.lines[item.header], part.new.lines[alike[0].header]
                stood, stands = item.path[:-1], alike[0].path[:-1]
                if indent_width(head) != indent_width(now) and stood in after and stands in before:
                    where = f"now stands in {'.'.join(stands)}" if stands else f"left {'.'.join(stood)}"
                    yield f"result line {part.new_start + alike[0].header + 1} {short(head)} {where}"


def _head(syntax: Syntax, item: Definition) -> str:
    """A definition up to its block, whatever its depth."""
    return "\n".join(line.strip() for line in syntax.lines[item.header : max(item.body, item.header + 1)])


def _open_at_end(hunk: Hunk) -> Iterator[int]:
    """The hunk's lines in whose blocks a deeper line below the hunk would stand, the innermost first: of blocks that no
    bracket or word ends."""
    least: int | None = None
    for index in range(len(hunk.lines) - 1, -1, -1):
        line = hunk.lines[index]
        if _says(line) and (least is None or indent_width(line) < least):
            least = indent_width(line)
            if without_comment(line).rstrip().endswith(":"):
                yield index


def _stood_beside(change: Change, hunk: Hunk, index: int, depth: int) -> bool:
    """Whether the lines that go have one of the hunk's lines so deep that a line in this depth was not in its block."""
    old = change.old[hunk.start : hunk.stop]
    return any(
        indent_width(line) >= depth and _is_head(old, at, hunk.lines, index)
        for at, line in enumerate(old)
        if line.strip()
    )


def _is_head(old: Sequence[str], at: int, new: Sequence[str], index: int) -> bool:
    """Whether two lines begin the same block: they are equal but for their depth, or define the same name."""
    if old[at].strip() == new[index].strip():
        return True
    name = definition_at(new, index)
    return name is not None and name == definition_at(old, at)


def _says(line: str) -> bool:
    return bool(line.strip()) and not is_comment(line)


RULE = Rule(
    code="FE124",
    name="depth",
    sentence="No line that stays comes to stand in a block next to it, and no definition in another by depth alone.",
    why=(
        "Who is shown a part of a file easily writes it at the margin. A method then leaves its class, and the methods "
        "below it become functions within it; in YAML a key takes in those below it. One that is written too deep "
        "becomes a part of the method above it."
    ),
    example=(
        " class Store:\n-    def load(self): ...\n+def load(self):\n+    return []\n     def save(self): ..."
    ),
    severity="wrong",
    applies_to=("literal", "strong"),
    check=_depth_stays,
)
