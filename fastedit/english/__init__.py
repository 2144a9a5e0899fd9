"""Instructions as typed operations: the exact commands of the grammar, and what others mention."""

from __future__ import annotations

from fastedit.english.grammar import commands
from fastedit.ops import Outcome, carry_out
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.language import notation_in


def carried_out(instruction: str, document: Document, within: LineRange | None = None) -> Outcome | None:
    """What an instruction comes to that is made of commands, carried out `within` these lines; None for any other.

    Raises OperationRefused for a command that the document does not allow.
    """
    operations = commands(instruction, notation_in(document))
    return None if operations is None else carry_out(document, operations, within=within)


__all__ = ["carried_out"]
