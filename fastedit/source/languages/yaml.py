"""YAML."""

from __future__ import annotations

from fastedit.source.languages.base import Keys, Language

LANGUAGE = Language(
    name="yaml",
    suffixes=(".yaml", ".yml"),
    grammar=("tree_sitter_yaml", "language"),
    comment=("#", ""),
    keys=Keys(reader="keys_yaml:Yaml"),
    corpus_share=0.5,
)
