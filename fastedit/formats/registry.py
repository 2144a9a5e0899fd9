"""Every edit format by its name, the one with the most specific envelope first."""

from __future__ import annotations

from fastedit.formats import (
    edit_tags,
    hashline,
    invoke,
    json_patch,
    operations,
    search_replace,
    str_replace,
    udiff,
    v4a,
    whole,
    workspace_edit,
)
from fastedit.formats.base import Format

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
