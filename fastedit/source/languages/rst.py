"""reStructuredText."""

from __future__ import annotations

from fastedit.source.languages.base import Language

LANGUAGE = Language(name="rst", suffixes=(".rst",), prose=True, comment=("..", ""))
