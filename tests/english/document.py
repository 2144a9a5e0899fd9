"""`python -m tests.english.document`: writes the commands, as the grammar has them, into docs/english.md."""

from __future__ import annotations

import re
from pathlib import Path

from fastedit.english.forms import Command, commands

DOCUMENT = Path(__file__).parents[2] / "docs" / "english.md"
_HEAD = "| operation | command | example |\n|---|---|---|\n"


def written() -> str:
    """The document with the table of now."""
    table = _HEAD + "".join(map(_row, commands()))
    return re.sub(rf"{re.escape(_HEAD)}(?:\|.*\n)*", lambda _: table, DOCUMENT.read_text("utf-8"))


def _row(command: Command) -> str:
    said = "<br>".join(f"`{form.text}`" for form in command.forms)
    shown = "<br>".join(map(_code, command.examples))
    return f"| {command.operation} | {said} | {shown} |\n".replace("\\", "\\\\")


def _code(text: str) -> str:
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text}{ticks}".replace("|", "\\|")


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")
