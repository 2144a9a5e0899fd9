"""Operations: the model names what is to be done, and code does it in every place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from fastedit.connect import Tool
from fastedit.ops import Operation, operations
from fastedit.ops.base import Argument, arguments
from fastedit.ops.codec import signature
from fastedit.plan import sketch
from fastedit.plan.base import DocumentTask, tokens_of
from fastedit.source.language import notation_in

TOOL: Final = "apply_operations"
FORMAT: Final = """\
Answer with the operations that carry it out, by the tool `{tool}` if you have it, else as one JSON object and nothing \
else:

{{"operations": [{{{path}"op": "rename", "target": "Store.load", "new": "read"}}, ...]}}

They are carried out in order, in every place {places}: all or none. `target` and `function` name a \
definition, with what it stands in where that makes it unique; `anchor` is a piece of the code that stands once, of \
`add` and `move` also such a name. A field with `?` is optional. There are:

{listed}

What no operation says, say in blocks, beside the operations or instead of them. Blocks quote {files} now.

{blocks}"""


def answer_format(task: DocumentTask) -> str:
    blocks = sketch.answer_format(task)
    return _format((task,), blocks, path="", places="that they concern", files="the file as it is")


def answer_format_of_several(tasks: Sequence[DocumentTask]) -> str:
    """The same where operations name their files."""
    blocks = sketch.answer_format_of_several(tasks)
    return _format(
        tasks,
        blocks,
        path=f'"path": {json.dumps(tasks[0].name)}, ',
        places="of the file that `path` names, and in no other file",
        files="the files as they are",
    )


def _format(tasks: Sequence[DocumentTask], blocks: str, *, path: str, places: str, files: str) -> str:
    listed = _listed(_languages(tasks))
    if not listed:
        return blocks
    return FORMAT.format(tool=TOOL, listed=listed, blocks=blocks, path=path, places=places, files=files)


def tools_for(tasks: Sequence[DocumentTask], *, named: bool = False) -> tuple[Tool, ...]:
    """The operations as a tool, for servers that take tools. What each one takes is told in words, to all servers, and
    checked when it is read: a schema of each would make the prompt five times as long. `named`: each operation names
    its file."""
    return _tools(_languages(tasks), named=named)


def tokens_told(tasks: Sequence[DocumentTask]) -> int:
    """Tokens of a prompt that tell of operations, the tool included; none where the files' languages have none."""
    return _tokens_told(_languages(tasks))


# What a prompt says of operations depends on nothing but the languages.
@lru_cache(maxsize=32)
def _tokens_told(languages: frozenset[str]) -> int:
    if not (listed := _listed(languages)):
        return 0
    told = FORMAT.format(tool=TOOL, listed=listed, blocks="", path="", places="", files="")
    return tokens_of(told) + sum(
        tokens_of(json.dumps(tool.schema)) for tool in _tools(languages, named=False)
    )


@lru_cache(maxsize=32)
def _listed(languages: frozenset[str]) -> str:
    return "\n".join(f"- {signature(each)}" for each in _known(languages))


@lru_cache(maxsize=32)
def _tools(languages: frozenset[str], *, named: bool) -> tuple[Tool, ...]:
    known = _known(languages)
    if not known:
        return ()
    path = {"path": {"type": "string"}} if named else {}
    fields = {item.name: _type(item) for each in known for item in arguments(each)}
    one = {
        "type": "object",
        "properties": {**path, "op": {"enum": [each.name for each in known]}, **fields},
        "required": [*path, "op"],
    }
    items = {"type": "array", "minItems": 1, "items": one}
    schema = {"type": "object", "properties": {"operations": items}, "required": ["operations"]}
    return (
        Tool(TOOL, f"Edit {'the files' if named else 'the file'}: all operations in order, or none.", schema),
    )


def _type(item: Argument) -> dict[str, object]:
    kinds = {bool: {"type": "boolean"}, str: {"type": "string"}}
    return kinds.get(item.kind, {}) | ({"enum": list(item.choices)} if item.choices else {})


def _languages(tasks: Sequence[DocumentTask]) -> frozenset[str]:
    return frozenset(notation_in(task.document) for task in tasks)


def _known(languages: frozenset[str]) -> list[type[Operation]]:
    """The operations that one of the languages has."""
    return [each for each in operations() if not languages.isdisjoint(each.languages)]
