"""TypeScript with JSX."""

from __future__ import annotations

from dataclasses import replace

from fastedit.source.languages import typescript

LANGUAGE = replace(
    typescript.LANGUAGE,
    name="tsx",
    suffixes=(".tsx",),
    interpreters=(),
    editor_names=("typescriptreact",),
    grammar=("tree_sitter_typescript", "language_tsx"),
    extends=typescript.LANGUAGE.name,
    corpus_share=1.0,
    compiled_to=False,
)
