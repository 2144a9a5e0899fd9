"""Every edit format by its name, the one with the most specific envelope first."""

from __future__ import annotations

from fastedit.formats.base import Format
from fastedit.formats.diffs import edit_tags, search_replace, udiff, v4a
from fastedit.formats.files import whole
from fastedit.formats.hashline import hashline
from fastedit.formats.tools import invoke, json_patch, operations, str_replace, workspace_edit

_MODULES = (
    invoke,
    search_replace,
    edit_tags,
    hashline,
    udiff,
    v4a,
    json_patch,
    operations,
    str_replace,
    workspace_edit,
    whole,
)

FORMATS: dict[str, Format] = {module.FORMAT.name: module.FORMAT for module in _MODULES}
