"""CSS."""

from __future__ import annotations

from fastedit.source.languages.base import Keys, Language

LANGUAGE = Language(
    name="css",
    suffixes=(".css",),
    grammar=("tree_sitter_css", "language"),
    comment=("/*", "*/"),
    blocks="braces",
    keys=Keys(reader="keys_css:Css", lists=False, untyped=True),
    corpus_share=0.5,
    compiled_to=True,
)
