"""Operations: the model names what is to be done, and code does it in every place."""

from __future__ import annotations

from typing import Final

from fastedit.connect import Tool
from fastedit.ops import Operation, operations
from fastedit.ops.base import arguments
from fastedit.ops.codec import operation_schema, summary
from fastedit.plan import sketch
from fastedit.plan.base import Wish
from fastedit.source.language import notation_in

TOOL: Final = "apply_operations"
FORMAT: Final = """\
Answer with the operations that carry it out, by the tool `{tool}` if you have it, else as one JSON object and nothing \
else:

{{"operations": [{{"op": "rename", "target": "Store.load", "new": "read"}}, ...]}}

They are carried out in order, in every place that they concern: all or none. `target` and `function` name a \
definition, with what it stands in where that makes it unique; `anchor` is a piece of the code that stands once. A \
field with `?` is optional. There are:

{listed}

What no operation says, say otherwise:

{blocks}"""


def answer_format(wish: Wish) -> str:
    listed = "\n".join(f"- {each.name}({_fields(each)}): {summary(each)}" for each in _known(wish))
    blocks = sketch.answer_format(wish)
    return FORMAT.format(tool=TOOL, listed=listed, blocks=blocks) if listed else blocks


def tools_for(wish: Wish) -> tuple[Tool, ...]:
    """The operations as a tool, for servers that take tools: others are told all of it in words."""
    known = [operation_schema(each) for each in _known(wish)]
    items = {"type": "array", "minItems": 1, "items": {"anyOf": known}}
    schema = {"type": "object", "properties": {"operations": items}, "required": ["operations"]}
    return (Tool(TOOL, "Edit the file: all operations in order, or none.", schema),) if known else ()


def _known(wish: Wish) -> list[type[Operation]]:
    """The operations that the file's language has."""
    language = notation_in(wish.document)
    return [each for each in operations() if language in each.languages]


def _fields(operation: type[Operation]) -> str:
    return ", ".join(f"{item.name}{'' if item.required else '?'}" for item in arguments(operation))
