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
from fastedit.source.names.site import Role


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
    """Raises OperationRefused where a word of the sentence became a name that is not known where it stands."""
    language = named(notation_in(document))
    if not words or not language.is_code:
        return
    old = Source(document.lines, language.name)
    new = old.changed(outcome.hunks)
    # Which types are built in is not known everywhere.
    unsure = language.closed is None or old.syntax.nodes(["wildcard_import"]) != []
    for operation, field, word in words:
        if word in (language.closed or ()) or (unsure and (CODED.match(word) or field == "type")):
            continue
        if _is_new(old, new, word) if unsure else _is_free(new, word) and not _is_free(old, word):
            problem = f"`{word}` is no name that is known there; put it in backticks if it is code"
            raise OperationRefused(f"{operation}: {problem}")


def _is_new(old: Source, new: Source, word: str) -> bool:
    """Whether a name is used that did not stand in the text, and nothing there binds."""
    added = word in new.syntax.identifiers and word not in old.syntax.identifiers
    return added and not any(site.binds for site in new.names(word).sites)


def _is_free(source: Source, word: str) -> bool:
    """Whether a name is used in a place that sees nothing which binds it."""
    names = source.names(word)
    return any(site.role is Role.NAME and names.home(site) is None for site in names.sites)


__all__ = ["carried_out"]
