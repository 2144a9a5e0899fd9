"""What stands around the text of a comment, in the languages of the corpus."""

from __future__ import annotations

from typing import Final

from fastedit.source.languages import named

# Of those around code that nothing else here knows.
_AROUND: Final = {"html": ("<!-- ", " -->"), "sql": ("-- ", "")}


def comment_of(language: str) -> tuple[str, str] | None:
    """What stands before and behind a comment's text, blanks included; None where there are no comments."""
    known = named(language)
    if known.comment is None or not known.corpus_share:
        return _AROUND.get(language)
    before, behind = known.comment
    return f"{before} ", behind and f" {behind}"
