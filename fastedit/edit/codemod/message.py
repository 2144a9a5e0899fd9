"""`the error message in push should say "full"`: the one text that an exception is raised with."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.request import LineRange

_MESSAGE = "[error message|exception message|error text|error's message|message of the error|error|exception]"
_NOT = "[instead of|not]"
_SENTENCES = Sentences(
    f"{{the}}{_MESSAGE}{{in}} should [say|be|read] {{new:code}}",
    f"{{the}}{_MESSAGE} should [say|be|read] {{new:code}}{{in}}",
    f"[change|set|update] {{the}}{_MESSAGE}{{in}} to {{new:code}}",
    f"[change|set|update] {{the}}{_MESSAGE} to {{new:code}}{{in}}",
    f"make {{the}}{_MESSAGE}{{in}} [say|read|] {{new:code}}",
    f"use {{new:code}} as {{the}}{_MESSAGE}{{in}}",
    f"{{the}}{_MESSAGE}{{in}} should [say|be|read] {{new:code}} {_NOT} {{old:code}}",
    f"make {{the}}{_MESSAGE}{{in}} [say|read|] {{new:code}} {_NOT} {{old:code}}",
    f"[change|set|update] {{the}}{_MESSAGE}{{in}} from {{old:code}} to {{new:code}}",
)
_RAISES = "raise_statement throw_statement"
_CALLS = "call new_expression object_creation_expression call_expression"


def message(text: str, source: Source) -> Codemod | None:
    """None where no text in quotes is handed over, or several errors are raised, or with more than one plain text."""
    if source.syntax is None:
        return None
    for told in _SENTENCES.read(text):
        place = source.place(told.get("place"))
        if place is None or "new" not in told.literals:
            continue
        found = [node and (node, source.syntax.text(node)) for node in _messages(source, place)]
        if "old" in told.parts:
            found = [item for item in found if item and item[1][1:-1] == told["old"]]
        if len(found) == 1 and found[0] is not None:
            node, old = found[0]
            quote = old[0] if old[0] not in told["new"] else told.literals["new"][0]
            return Codemod((source.over(node, f"{quote}{told['new']}{quote}"),))
    return None


def _messages(source: Source, place: LineRange) -> Iterator[Node | None]:
    """Of each exception that is raised with something, the plain text; None where it is more than that."""
    assert source.syntax is not None
    for node in source.syntax.find(
        " ".join(f"({kind}) @found" for kind in source.syntax.known(_RAISES.split()))
    ):
        raised = node.named_children[0] if node.named_children else None
        if not place.start <= node.start_point.row < place.stop or raised is None:
            continue
        given = raised.child_by_field_name("arguments") if raised.type in _CALLS.split() else None
        texts = [] if given is None else given.named_children
        if given is not None and texts:
            plain = len(texts) == 1 and texts[0].type in ("string", "string_literal")
            text = source.syntax.text(texts[0])
            yield texts[0] if plain and text[0] in "\"'" and text[:3] != '"""' and "\n" not in text else None
