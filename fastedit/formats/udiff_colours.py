"""The colours that `git diff --color=always` gives to a diff."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fastedit.formats.udiff_patch import starts_diff

_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")


def without_colours(lines: Sequence[str]) -> Sequence[str]:
    """The lines as they are without colours, where it is these that hide a diff: else they are text of a file."""
    if not any("\x1b[" in line for line in lines):
        return lines
    plain = [_COLOUR.sub("", line) for line in lines]
    hidden = any(starts_diff(plain, at) and not starts_diff(lines, at) for at in range(len(lines)))
    return plain if hidden else lines
