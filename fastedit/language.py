"""Where `suffix_of` was before there was a file for each language."""

from fastedit.source.languages import suffix_of

__all__ = ["suffix_of"]
