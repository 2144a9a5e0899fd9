"""An instruction beside an update describes it; one that is a command of its own is not carried out, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fastedit.errors import OperationRefused
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks


def not_carried_out(instruction: str | None, document: Document, hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """A note where the instruction beside an update is made of commands which the document allows, and which its hunks
    do not carry out: what they leave could still be changed so."""
    if instruction is None or not instruction.strip():
        return ()
    from fastedit.english import carried_out  # not above: few updates have an instruction

    try:
        wanted = carried_out(instruction, document)
        if wanted is None or set(wanted.hunks) <= set(hunks):
            return ()
        left = carried_out(instruction, replace(document, text=apply_hunks(document, hunks)))
    except OperationRefused:
        return ()
    if left is None or not left.hunks:
        return ()
    said = " ".join(instruction.split())
    return (f"`{said}` describes the update and is not carried out besides; send it on its own",)
