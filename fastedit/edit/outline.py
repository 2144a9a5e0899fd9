"""The outline of code in any language, as its lines show it: definitions by spelling, blocks by indent."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MODIFIERS = (
    r"(?:(?:export|default|pub(?:\([\w: ]*\))?|public|private|protected|internal|static|async|final|abstract"
    r"|sealed|unsafe|override|virtual|inline|declare|extern|data)\s+)*"
)
_KEYWORD = re.compile(
    rf"\s*{_MODIFIERS}(?:def|class|function\b\s*\*?|func|fn|struct|enum|interface|trait|impl(?:<[^>]*>)?|mod|module"
    r"|namespace|type|const\s+fn)\s+(?:\([^)]*\)\s*)?(?P<name>[\w.:$]+)"
)
_ARROW = re.compile(
    rf"\s*{_MODIFIERS}(?:const|let|var)\s+(?P<name>[\w$]+)\s*=\s*(?:async\s*)?(?:function\b|[\w$]+\s*=>|\()"
)
_BRACED = re.compile(r"\s*(?:[\w<>\[\],.*&:?@$]+\s+)*[*&]*(?P<name>~?#?[\w:$]+)\s*\([^;]*\{$")
_CONTROL = frozenset(
    (
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "catch",
        "with",
        "elif",
        "new",
        "throw",
        "await",
        "match",
    )
)
_CLOSER = re.compile(r"\s*(?:[)\]}]|(?:end|fi|done|esac)\b|</)")
_BRANCH = re.compile(r"\s*(?:else|elif|except|finally|catch|elsif|elseif|rescue|ensure)\b")
_COMMENT = re.compile(r"\s*(?:#(?![\w\[])|//|/\*|\*|--|<!--)")
_DECORATOR = re.compile(r"\s*(?:@\w|#\[)")


def definition_name(line: str) -> str | None:
    """The name of the function, class or other block that this line begins to define."""
    found = _KEYWORD.match(line) or _ARROW.match(line)
    if found is None and line.endswith("{"):
        found = _BRACED.match(line)
        if found and not _CONTROL.isdisjoint((found["name"], line.split(None, 1)[0].rstrip("("))):
            return None
    return found["name"] if found else None


def is_closer(line: str) -> bool:
    """Whether the line begins by closing a block: `}`, `)`, `end`, `</div>`."""
    return _CLOSER.match(line) is not None


def is_comment(line: str) -> bool:
    return _COMMENT.match(line) is not None


def is_decorator(line: str) -> bool:
    return _DECORATOR.match(line) is not None


def indent_width(line: str) -> int:
    """Columns of leading blanks, tab stops every 8."""
    blanks = line[: len(line) - len(line.lstrip())]
    return len(blanks.expandtabs(8)) if "\t" in blanks else len(blanks)


def parents(lines: Sequence[str | None]) -> list[int | None]:
    """For each line the index of the line that opens its block; None at the margin and for blank lines.

    A closer or a branch such as `else:` belongs to the line that opened the block before it.
    """
    found: list[int | None] = []
    open_blocks: list[tuple[int, int]] = []  # (indentation, index), both rising
    for index, line in enumerate(lines):
        if line is None or not line.strip():
            found.append(None)
            continue
        width = indent_width(line)
        while open_blocks and open_blocks[-1][0] > width:
            open_blocks.pop()
        level = open_blocks.pop() if open_blocks and open_blocks[-1][0] == width else None
        closes = is_closer(line)
        if level is not None and (closes or _BRANCH.match(line)):
            found.append(level[1])
        else:
            found.append(open_blocks[-1][1] if open_blocks else None)
        # What follows `) {` or `):` at a deeper level is still inside what the opener opened.
        keeps = level is not None and (closes or is_comment(line))
        open_blocks.append(level if keeps and level is not None else (width, index))
    return found


def block_end(lines: Sequence[str], start: int) -> int:
    """One past the last line of the block that line `start` opens, its closer included."""
    width, end = indent_width(lines[start]), start + 1
    for index in range(start + 1, len(lines)):
        if not lines[index].strip():
            continue
        deeper = indent_width(lines[index]) > width
        if not deeper and not (indent_width(lines[index]) == width and is_closer(lines[index])):
            break
        end = index + 1
    return end
