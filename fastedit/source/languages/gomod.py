"""go.mod, which says what a module of Go's requires."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Keys, Language

LANGUAGE = Language(
    name="gomod",
    file_name=re.compile(r"go\.mod"),
    keys=Keys(reader="dependency_lines:GoMod", editable=False, lists=False, dependencies=("require.=",)),
)
