"""`fastedit op` and `fastedit ops`: typed edits, and which there are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fastedit.cli import inputs, options
from fastedit.console import reported, tell, watch_cancelling
from fastedit.errors import OperationRefused, UsageError

if TYPE_CHECKING:
    from fastedit.ops import Operation
    from fastedit.ops.base import Argument
    from fastedit.source.document import Document


def _completed(ctx: typer.Context, incomplete: str) -> list[str]:
    """The operations that begin so, as the first word alone: the next one is a file."""
    from fastedit.ops.registry import NAMES

    return [] if ctx.params.get("words") else [name for name in NAMES if name.startswith(incomplete)]


_Words = Annotated[
    list[str],
    typer.Argument(
        autocompletion=_completed,
        metavar="NAME PATH [VALUE]...",
        help="The operation, the file (- reads standard input), and the operation's fields: values in order, or "
        "--FIELD VALUE. `fastedit ops NAME` lists them.",
    ),
]
_Operations = Annotated[
    str | None,
    typer.Option(
        "--operations",
        metavar="JSON",
        help="The operations as a JSON object or list, with only PATH before it; - reads standard input. They are "
        "carried out in order, all or none.",
        rich_help_panel="Operation",
    ),
]
_Diff = Annotated[
    bool, typer.Option("--diff", help="Print the diff and write nothing.", rich_help_panel=options.OUTPUT)
]


@reported
def op(
    words: _Words,
    operations: _Operations = None,
    diff: _Diff = False,
    write: options.Write = False,
    output: options.Output = None,
    json: options.Json = False,
    language: options.Language = None,
    stdin_filename: options.StdinFilename = None,
    quiet: options.Quiet = False,
) -> None:
    """Carry out a typed operation on a file, without a model.

    A terminal shows the diff and asks before it writes; a pipe gets the diff.

    Examples:
        fastedit op rename settings.py load read
        fastedit op add-parameter settings.py load "encoding='utf-8'" --diff
        fastedit op settings.py --operations '[{"op": "add-import", "module": "os"}]'
    """
    watch_cancelling()
    path = _path(words, operations)
    wanted = inputs.Delivery(path, diff, write, output, json, stdin_filename=stdin_filename)
    inputs.check_delivery(wanted, None)
    if operations == inputs.STDIN == path:
        raise UsageError("standard input cannot be both the file and the operations; name one of them")
    # Only now: help and whatever is wrong with the options need no grammar.
    from fastedit.ops import parse_operations

    if operations is None:
        parsed: tuple[Operation, ...] = (parse_fields(words[0], words[2:]),)
    else:
        given = inputs.read_document(inputs.STDIN).text if operations == inputs.STDIN else operations
        parsed = parse_operations(given)
    document = inputs.read_document(path, language, stdin_filename)
    inputs.check_writable(wanted, document)
    _run(document, parsed, wanted)


@reported
def ops(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="The operation to describe; by default all are listed.",
            autocompletion=_completed,
        ),
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema: of the operation, or of a list of any.")
    ] = False,
) -> None:
    """List the operations of `fastedit op`, or describe one.

    Examples:
        fastedit ops
        fastedit ops rename
        fastedit ops --schema
    """
    from fastedit.ops import operations
    from fastedit.ops import schema as schema_of_all
    from fastedit.ops.codec import operation_schema, summary

    if schema:
        found = schema_of_all() if name is None else operation_schema(_named(name))
        for line in dumps(found, indent=2).split("\n"):
            tell(line)
    elif name is not None:
        _describe(_named(name))
    else:
        listed = list(operations())
        width = max(len(operation.name) for operation in listed)
        for operation in listed:
            tell(f"{operation.name:{width}}  {summary(operation)}")


def _path(words: Sequence[str], operations: str | None) -> str:
    if operations is not None:
        if len(words) != 1:
            raise UsageError("with --operations only FILE goes before it: fastedit op FILE --operations JSON")
        return words[0]
    name = words[0]
    if os.path.lexists(name) and not _is_operation(name):
        raise UsageError(
            f"op {name}: name the operation before the file: fastedit op NAME {name} ...; `fastedit ops` lists them"
        )
    if len(words) < 2:
        _named(name)
        raise UsageError(
            f"op {name}: name the file too: fastedit op {name} FILE ...; `fastedit ops {name}` lists its fields"
        )
    return words[1]


def _is_operation(name: str) -> bool:
    from fastedit.ops.registry import NAMES

    return name in NAMES


def parse_fields(name: str, words: Sequence[str]) -> Operation:
    """Values go to the fields in order, `--field value` to the field of that name. Raises UsageError."""
    from fastedit.ops import from_fields
    from fastedit.ops.base import arguments

    operation = _named(name)
    known = {item.name: item for item in arguments(operation)}
    free = list(known.values())
    values: dict[str, Any] = {}
    pending = list(words)
    while pending:
        word = pending.pop(0)
        if word.startswith("--") and len(word) > 2:
            key, given, value = word[2:].partition("=")
            item = known.get(key.replace("-", "_"))
            if item is None:
                raise UsageError(f"{name}: no field --{key}; `fastedit ops {name}` lists them")
            text = value if given else _next(item, pending)
        else:
            unset = [item for item in free if item.name not in values]
            if not unset:
                raise UsageError(
                    f"{name}: {word!r} is one value too many; `fastedit ops {name}` lists the fields"
                )
            item, text = unset[0], word
        if item.name in values:
            raise UsageError(f"{name}: field {item.name} is given twice; leave one out")
        values[item.name] = _value(name, item, text)
    with _arguments():
        return from_fields(operation, values)


def _named(name: str) -> type[Operation]:
    """Raises UsageError."""
    from fastedit.ops import operation_named

    with _arguments():
        return operation_named(name)


@contextmanager
def _arguments() -> Iterator[None]:
    """Has what is wrong with an operation be wrong with the command's arguments, which spell it."""
    try:
        yield
    except OperationRefused as error:
        raise UsageError(str(error)) from None


def _next(item: Argument, pending: list[str]) -> str:
    """The value of an option; a flag needs none."""
    if item.kind is bool:
        return "true"
    if not pending:
        raise UsageError(f"--{item.name} needs a value: {item.takes}")
    return pending.pop(0)


def _value(name: str, item: Argument, text: str) -> Any:
    from fastedit.ops.codec import from_word

    if item.kind is object:
        return from_word(text)
    if item.kind is bool and text in ("true", "false"):
        return text == "true"
    if item.kind is not str:
        raise UsageError(f"{name}: field {item.name} takes {item.takes}, not {text!r}")
    return text


def _describe(operation: type[Operation]) -> None:
    from fastedit.ops.base import arguments
    from fastedit.ops.codec import summary

    tell(summary(operation))
    tell("")
    for item in arguments(operation):
        default = "" if item.required else f" ({'optional' if item.default is None else dumps(item.default)})"
        choices = f" [{'|'.join(item.choices)}]" if item.choices else ""
        tell(f"  {item.name}{choices}{default}: {item.doc}")
    tell("")
    tell(f"languages: {', '.join(sorted(operation.languages))}")
    tell(f"example:   fastedit op {operation.example}")


def _run(document: Document, operations: tuple[Operation, ...], wanted: inputs.Delivery) -> None:
    from fastedit.cli.output.deliver import deliver
    from fastedit.engine import Engine
    from fastedit.ops import to_json
    from fastedit.request import EditRequest

    said = "; ".join(dumps(to_json(operation), ensure_ascii=False) for operation in operations)
    request = EditRequest(document, instruction=said, operations=operations)
    engine = Engine.load()
    deliver(wanted, request, engine.apply(request), None, engine.apply)
