"""What each language puts around a comment's text, as far as examples need to know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Speech:
    """`comment` is what stands before and behind a comment's text; None where there are none."""

    comment: tuple[str, str] | None


_SLASHES = ("javascript", "typescript", "tsx", "go", "rust", "java", "c", "cpp")
_HASH = ("python", "shell", "yaml", "toml")
_TAGS = ("html", "markdown")
SPEECH: Final = {
    **dict.fromkeys(_SLASHES, Speech(("// ", ""))),
    **dict.fromkeys(_HASH, Speech(("# ", ""))),
    **dict.fromkeys(_TAGS, Speech(("<!-- ", " -->"))),
    "sql": Speech(("-- ", "")),
    "css": Speech(("/* ", " */")),
    "json": Speech(None),
}
