"""What an instruction comes to without a model: operations carried out, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass

from fastedit.edit.document import Document
from fastedit.edit.language import notation_in
from fastedit.english.grammar import commands
from fastedit.errors import OperationRefused
from fastedit.ops import Operation, Outcome, carry_out


@dataclass(frozen=True, slots=True)
class Understood:
    """`operations` are what the instruction says, `outcome` is what they make of the document. `command` is what
    people's own words were read as, None for an instruction that is made of commands, which mean nothing else."""

    operations: tuple[Operation, ...]
    outcome: Outcome
    command: str | None


@dataclass(frozen=True, slots=True)
class Abstained:
    """`reason` says why the instruction is left to a model, in one line."""

    reason: str


def understand(instruction: str, document: Document) -> Understood | Abstained:
    """What the instruction says: a command of the grammar, or people's own words that very likely mean one.

    Raises OperationRefused for a command of the grammar that the document does not allow.
    """
    operations = commands(instruction, notation_in(document))
    if operations is not None:
        return Understood(operations, carry_out(document, operations), None)
    return _parsed(instruction, document)


def _parsed(instruction: str, document: Document) -> Understood | Abstained:
    # Imported here: commands need neither the network nor numpy.
    from fastedit.english.names import Names
    from fastedit.english.parser import SURE, parse

    names = Names(document)
    found = parse(instruction, names)
    if found is None:
        return Abstained("the instruction is no command such as `rename load to read`")
    said = found.form.say(found.said)
    command = f"`{said}`"
    if found.left:
        return Abstained(f"the instruction is not just {command}: {found.left[0]!r} is left over")
    if found.confidence < SURE:
        return Abstained(f"the instruction is not surely {command}")
    try:
        operation = found.operation(names.language)
        outcome = carry_out(document, [operation])
    except OperationRefused as refusal:
        return Abstained(f"the instruction was read as {command}: {refusal}")
    if outcome.left:
        return Abstained(f"the instruction was read as {command}, which may concern {outcome.left[0]} too")
    return Understood((operation,), outcome, said)
