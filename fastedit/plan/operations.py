"""Operations: the model names what is to be done, and code does it in every place."""

from __future__ import annotations

from typing import Final

from fastedit.edit.language import notation_in
from fastedit.ops import operations
from fastedit.ops.base import arguments
from fastedit.ops.codec import summary
from fastedit.plan import sketch
from fastedit.plan.base import Wish

FORMAT: Final = """\
Answer with the operations that carry it out, as one JSON object and nothing else:

{{"operations": [{{"op": "rename", "target": "Store.load", "new": "read"}}, ...]}}

They are carried out in order, in every place that they concern: all or none. `target` and `function` name a \
definition, with what it stands in where that makes it unique; `anchor` is a piece of the code that stands once. A \
field with `?` is optional. There are:

{listed}

What no operation says, say otherwise:

{blocks}"""


def answer_format(wish: Wish) -> str:
    language = notation_in(wish.document)
    listed = "\n".join(
        f"- {each.name}({_fields(each)}): {summary(each)}"
        for each in operations()
        if language in each.languages
    )
    blocks = sketch.answer_format(wish)
    return FORMAT.format(listed=listed, blocks=blocks) if listed else blocks


def _fields(operation: type) -> str:
    return ", ".join(f"{item.name}{'' if item.required else '?'}" for item in arguments(operation))
