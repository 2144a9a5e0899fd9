"""Every edit format by its name, the one with the most specific envelope first.

A message is in one or two of them. The others are not imported: their edits have marks, of which it has none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from fastedit.formats.base import Format, FoundEdit
from fastedit.formats.diffs import search_replace
from fastedit.formats.files import whole
from fastedit.formats.tools.marks import JSON, TAG

# Headers of hunks and of files, names of the language of fences, and colours, which may hide either.
_DIFF = re.compile(r"@@|--- |\+\+\+ |\*\*\* |Index: |rename from |diff|patch|\x1b\[", re.IGNORECASE)


def _format(name: str, module: str, mark: re.Pattern[str]) -> Format:
    """The format of a module: every message with an edit in it has the mark."""
    return Format(name, (partial(_found, f"{__package__}.{module}", mark),))


def _found(module: str, mark: re.Pattern[str], lines: Sequence[str]) -> Sequence[FoundEdit]:
    if mark.search("\n".join(lines)) is None:
        return []
    format: Format = import_module(module).FORMAT
    return format.find(lines)


_ALL = (
    _format("invoke", "tools.invoke", TAG),
    search_replace.FORMAT,
    _format("edit_tags", "diffs.edit_tags", re.compile("<old_text")),
    _format("hashline", "hashline.hashline", re.compile(rf"^[\[¶]|{JSON.pattern}", re.MULTILINE)),
    _format("udiff", "diffs.udiff", _DIFF),
    _format("v4a", "diffs.v4a", re.compile(r"\*\*\* ")),
    _format("json_patch", "tools.json_patch", JSON),
    _format("operations", "tools.operations", JSON),
    _format(
        "str_replace", "tools.str_replace", re.compile(rf"^[^\S\n]*+edit \d|{JSON.pattern}", re.MULTILINE)
    ),
    _format("workspace_edit", "tools.workspace_edit", JSON),
    whole.FORMAT,
)

FORMATS: dict[str, Format] = {format.name: format for format in _ALL}
