"""Whatever no other language is."""

from __future__ import annotations

from fastedit.source.languages.base import TEXT, Language

LANGUAGE = Language(
    name=TEXT,
    editor_names=("plaintext", "txt"),
    open_parameters=True,
    front_matter=True,
    comment=("#", ""),
)
