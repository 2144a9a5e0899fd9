"""JSON, with or without comments."""

from __future__ import annotations

from fastedit.source.languages.base import Keys, Language

LANGUAGE = Language(
    name="json",
    suffixes=(".json", ".jsonc"),
    grammar=("tree_sitter_javascript", "language"),  # which an expression of its is read as
    comment=None,
    keys=Keys(
        reader="keys_json:Json",
        dependencies=("dependencies.=", "devDependencies.=", "peerDependencies.=", "optionalDependencies.="),
    ),
    corpus_share=0.5,
)
