"""JSON, with or without comments."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Keys, Language

_STRING = r"\"(?:[^\"\\\n]|\\.)*+\"?"
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_LAST_COMMA = re.compile(rf"({_STRING})|,(?=\s*+[\]}}])")


def error(text: str) -> str | None:
    """What is wrong with a text, in a few words; None where it is JSON."""
    import json  # only now: most texts are others

    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        return f"{problem.msg} (line {problem.lineno})"
    except (ValueError, RecursionError) as problem:
        return str(problem)
    return None


def _plain(text: str) -> str:
    """Without comments and, where it has some, without commas after the last entry: tools that take the ones take the
    others."""
    bare = _COMMENT.sub(lambda found: found[1] or "\n" * found[0].count("\n"), text)
    return text if bare == text else _LAST_COMMA.sub(lambda found: found[1] or "", bare)


LANGUAGE = Language(
    name="json",
    suffixes=(".json", ".jsonc", ".ipynb", ".geojson", ".webmanifest"),
    starts=("{", "["),
    grammar=("tree_sitter_javascript", "language"),  # which an expression of its is read as
    error=error,
    plain=_plain,
    comment=None,
    indent="  ",
    ends_lists=False,
    keys=Keys(
        reader="json:Json",
        dependencies=("dependencies.=", "devDependencies.=", "peerDependencies.=", "optionalDependencies.="),
    ),
    corpus_share=0.5,
)
