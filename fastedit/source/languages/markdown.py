"""Markdown."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="markdown",
    suffixes=(".md", ".markdown", ".mdx", ".qmd"),
    part=re.compile(r"(?P<level>#{1,6})\s++(?P<name>\S(?:.*?\S)?)(?:\s+#+)?\s*$"),
    parts_follow=True,
    prose=True,
    fences=True,
    front_matter=True,
    comment=("<!--", "-->"),
    corpus_share=0.75,
)
