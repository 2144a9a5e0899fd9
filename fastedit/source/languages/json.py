"""JSON, with or without comments."""

from __future__ import annotations

from fastedit.source.languages.base import Keys, Language


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


LANGUAGE = Language(
    name="json",
    suffixes=(".json", ".jsonc", ".ipynb", ".geojson", ".webmanifest"),
    starts=("{", "["),
    grammar=("tree_sitter_javascript", "language"),  # which an expression of its is read as
    error=error,
    comment=None,
    indent="  ",
    ends_lists=False,
    keys=Keys(
        reader="keys_json:Json",
        dependencies=("dependencies.=", "devDependencies.=", "peerDependencies.=", "optionalDependencies.="),
    ),
    corpus_share=0.5,
)
