"""The languages that are known: one a file, with all that is known of it. No other module spells a language's name."""

from fastedit.source.languages.base import TEXT, Language
from fastedit.source.languages.files import language_of, notation_of, suffix_of
from fastedit.source.languages.registry import check_language, languages, named, names

__all__ = [
    "TEXT",
    "Language",
    "check_language",
    "language_of",
    "languages",
    "named",
    "names",
    "notation_of",
    "suffix_of",
]
