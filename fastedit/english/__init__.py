"""Instructions as typed operations: the exact commands of the grammar, and what others mention."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.english.grammar import BareWord, bare_words, commands
from fastedit.english.said import CODED
from fastedit.errors import OperationRefused
from fastedit.ops import Outcome, carry_out
from fastedit.ops.source import Source
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.language import notation_in
from fastedit.source.languages import named


def carried_out(instruction: str, document: Document, within: LineRange | None = None) -> Outcome | None:
    """What an instruction comes to that is made of commands, carried out `within` these lines; None for any other.

    Raises OperationRefused for a command that the document does not allow.
    """
    operations = commands(instruction, notation_in(document))
    if operations is None:
        return None
    outcome = carry_out(document, operations, within=within)
    _check_words(document, outcome, bare_words(instruction))
    return outcome


def _check_words(document: Document, outcome: Outcome, words: Sequence[BareWord]) -> None:
    """Raises OperationRefused where a word of the sentence became a name that the file does not have."""
    language = named(notation_in(document))
    if not words or not language.is_code:
        return
    old = Source(document.lines, language.name)
    new = old.changed(outcome.hunks)
    for operation, field, word in words:
        # Which types are built in is not known everywhere.
        if CODED.match(word) or (field == "type" and language.closed is None):
            continue
        is_new = word in new.syntax.identifiers and word not in old.syntax.identifiers
        if (
            is_new
            and word not in (language.closed or ())
            and not any(site.binds for site in new.names(word).sites)
        ):
            problem = f"`{word}` is no name that the file has; put it in backticks if it is code"
            raise OperationRefused(f"{operation}: {problem}")


__all__ = ["carried_out"]
