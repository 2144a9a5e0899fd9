"""AsciiDoc."""

from __future__ import annotations

from fastedit.source.languages.base import Language

LANGUAGE = Language(name="asciidoc", suffixes=(".adoc", ".asciidoc"), prose=True, comment=("//", ""))
