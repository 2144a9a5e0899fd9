"""The part of a document that is made from the code: it stands between two comments."""

from __future__ import annotations


def rewritten(text: str, start: str, end: str, made: str) -> str:
    """The text with what is made now between its two comments."""
    head, _, rest = text.partition(start)
    return f"{head}{start}\n\n{made}\n\n{end}{rest.partition(end)[2]}"
