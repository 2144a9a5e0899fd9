"""Whether a text, or a change of one, makes sense by itself."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence

from fastedit.source.markers import parse_update
from fastedit.source.syntax import Syntax, has_grammar


def parses(lines: Sequence[str], language: str) -> bool:
    """Whether the text is free of syntax errors, in Python of those too that only its compiler finds.

    Without a grammar nothing is an error.
    """
    if language == "python":
        return _module(lines) is not None
    return not has_grammar(language) or not Syntax(lines, language).damage


def stands_alone(old: Sequence[str], new: Sequence[str], language: str) -> bool:
    """Whether a part of a larger change can be asked for without the rest of it.

    It must not break the syntax, nor, in Python, take away an import that the text still uses.
    """
    if not parses(new, language):
        return not parses(old, language)
    if language != "python":
        return True
    before, after = _module(old), _module(new)
    assert after is not None
    return before is None or not _used(after) & (_imported(before) - _imported(after))


def asks_for_something(update: str, old: Sequence[str], language: str) -> bool:
    """Whether the sketch cannot be read as the old text itself, its pieces in order with markers between.

    It can where code repeats and the lines that went look like the ones that stay.
    """
    at = 0
    for piece in _pieces(update, language, old):
        starts = range(at, len(old) - len(piece) + 1)
        found = next((start for start in starts if list(old[start : start + len(piece)]) == piece), None)
        if found is None:
            return True
        at = found + len(piece)
    return False


def _pieces(update: str, language: str, old: Sequence[str]) -> list[list[str]]:
    """The runs of lines between the markers."""
    pieces: list[list[str]] = [[]]
    for line in parse_update(update, language, old).lines:
        if line.marker:
            pieces.append([])
        else:
            pieces[-1].append(line.text)
    return [piece for piece in pieces if piece]


def _module(lines: Sequence[str]) -> ast.Module | None:
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse("\n".join(lines))
            compile(tree, "case", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return tree


def _imported(tree: ast.Module) -> set[str]:
    statements = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {(name.asname or name.name).split(".")[0] for node in statements for name in node.names}


def _used(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
