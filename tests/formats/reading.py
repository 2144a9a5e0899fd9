"""What the tests of formats share: short ways to read a message, and to say what is found in it."""

from collections.abc import Callable, Sequence

import pytest

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Format


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def segments(format: Format, lines: Sequence[str]) -> list[str]:
    """The lines of each segment as one text, whose last line does not end."""
    return ["\n".join(lines[found.start : found.stop]) for found in format.segments(lines)]


def refused(read: Callable[[str], object], text: str) -> str:
    """Why the text cannot be read."""
    with pytest.raises(UnreadableEdit) as error:
        read(text)
    assert "\n" not in str(error.value)
    return str(error.value)
