"""What the tests of formats share: short ways to read a message, and to say what is found in it."""

from collections.abc import Callable, Sequence

import pytest

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import FileOperation, Format, join_modifications


def lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def spans(format: Format, lines: Sequence[str]) -> list[range]:
    """The lines of each edit."""
    return [found.lines for found in format.find(lines)]


def segments(format: Format, lines: Sequence[str]) -> list[str]:
    """The lines of each edit as one text, whose last line does not end."""
    return ["\n".join(lines[found.start : found.stop]) for found in spans(format, lines)]


def operations(format: Format, lines: Sequence[str]) -> tuple[FileOperation, ...]:
    """What the edits ask for."""
    return join_modifications([each for found in format.find(lines) for each in found.read()])


def refused(read: Callable[..., object], *given: object) -> str:
    """Why what is given cannot be read."""
    with pytest.raises(UnreadableEdit) as error:
        read(*given)
    assert "\n" not in str(error.value)
    return str(error.value)
