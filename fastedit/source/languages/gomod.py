"""go.mod, which says what a module of Go's requires."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="gomod",
    file_name=re.compile(r"go\.mod"),
)
