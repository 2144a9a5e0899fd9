"""Names that a language knows without an import, as the lexers of Pygments list them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer


def is_built_in(lexer: str, name: str) -> bool:
    """Whether a lexer tells a name from one of the program's own."""
    from pygments.token import Name

    kinds = [kind for kind, text in _lexer(lexer).get_tokens(name) if text.strip()]
    return kinds != [Name]


@cache
def _lexer(name: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name  # not above: few edits ask

    return get_lexer_by_name(name)
