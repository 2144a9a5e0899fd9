"""Operations: the model names what is to be done, and code does it in every place."""

from __future__ import annotations

from typing import Final

from fastedit.connect import Tool
from fastedit.ops import Operation, operations
from fastedit.ops.base import Argument, arguments
from fastedit.ops.codec import signature
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

What no operation says, say in blocks, beside the operations or instead of them. Blocks quote the file as it is now.

{blocks}"""


def answer_format(wish: Wish) -> str:
    listed = "\n".join(f"- {signature(each)}" for each in _known(wish))
    blocks = sketch.answer_format(wish)
    return FORMAT.format(tool=TOOL, listed=listed, blocks=blocks) if listed else blocks


def tools_for(wish: Wish) -> tuple[Tool, ...]:
    """The operations as a tool, for servers that take tools. What each one takes is told in words, to all servers, and
    checked when it is read: a schema of each would make the prompt five times as long."""
    known = _known(wish)
    if not known:
        return ()
    fields = {item.name: _type(item) for each in known for item in arguments(each)}
    one = {
        "type": "object",
        "properties": {"op": {"enum": [each.name for each in known]}, **fields},
        "required": ["op"],
    }
    items = {"type": "array", "minItems": 1, "items": one}
    schema = {"type": "object", "properties": {"operations": items}, "required": ["operations"]}
    return (Tool(TOOL, "Edit the file: all operations in order, or none.", schema),)


def _type(item: Argument) -> dict[str, str]:
    return {"type": "boolean"} if item.kind is bool else {"type": "string"} if item.kind is str else {}


def _known(wish: Wish) -> list[type[Operation]]:
    """The operations that the file's language has."""
    language = notation_in(wish.document)
    return [each for each in operations() if language in each.languages]
