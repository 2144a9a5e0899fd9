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


# The modules of the others in this folder, each with the mark that every message with such an edit has.
_LATER = {
    "invoke": ("tools.invoke", TAG),
    "edit_tags": ("diffs.edit_tags", re.compile("<old_text")),
    "hashline": ("hashline.hashline", re.compile(rf"^[\[¶]|{JSON.pattern}", re.MULTILINE)),
    "udiff": ("diffs.udiff", _DIFF),
    "v4a": ("diffs.v4a", re.compile(r"\*\*\* ")),
    "json_patch": ("tools.json_patch", JSON),
    "operations": ("tools.operations", JSON),
    "str_replace": (
        "tools.str_replace",
        re.compile(rf"^[^\S\n]*+edit \d|{JSON.pattern}", re.MULTILINE),
    ),
    "workspace_edit": ("tools.workspace_edit", JSON),
}


def warm() -> None:
    """Import the readers of all formats, so that no message waits for one."""
    for module, _ in _LATER.values():
        _reader(module)


def _reader(module: str) -> Format:
    format: Format = import_module(f"{__package__}.{module}").FORMAT
    return format


def _found(module: str, mark: re.Pattern[str], lines: Sequence[str]) -> Sequence[FoundEdit]:
    return [] if mark.search("\n".join(lines)) is None else _reader(module).find(lines)


_invoke, *_others = (Format(name, (partial(_found, *later),)) for name, later in _LATER.items())
FORMATS: dict[str, Format] = {
    format.name: format for format in (_invoke, search_replace.FORMAT, *_others, whole.FORMAT)
}
