"""CSS."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Keys, Language

LANGUAGE = Language(
    name="css",
    suffixes=(".css",),
    grammar=("tree_sitter_css", "language"),
    part=re.compile(r"\s*+(?P<name>[^\s{};/](?:[^{};]*[^\s{};])?)\s*+\{$"),
    selects=True,
    comment=("/*", "*/"),
    blocks="braces",
    keys=Keys(reader="css:Css", lists=False, untyped=True),
    corpus_share=0.5,
    compiled_to=True,
)
