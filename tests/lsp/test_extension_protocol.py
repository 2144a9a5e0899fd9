"""What the VS Code extension expects on the wire is what the language server sends, field by field."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from fastedit_lsp.changes import CHANGE
from fastedit_lsp.settings import ClientSettings

from fastedit.ops import operations
from fastedit.ops.codec import operation_schema
from fastedit.result import Receipt
from tests.cli.caches import CACHES, UPDATE
from tests.engine.test_engine import SKETCH, SOURCE
from tests.lsp.editor import plain

EXTENSION = Path(__file__).parents[2] / "vscode-extension" / "src"
PROTOCOL = (EXTENSION / "model" / "protocol.ts").read_text()
OPERATIONS = (EXTENSION / "model" / "operations.ts").read_text()
# How the annotation of a receipt's field reads in TypeScript.
TYPES = {
    "str": "string",
    "int": "number",
    "float": "number",
    "float | None": "number | null",
    "int | None": "number | null",
    "str | None": "string | null",
    "list[int]": "readonly number[]",
    "dict[str, int]": "Readonly<Record<string, number>>",
}


def interface(name: str, source: str = PROTOCOL) -> dict[str, str]:
    """The fields of an interface with their types."""
    found = re.search(rf"interface {name} \{{\n(.*?)\n\}}", source, re.DOTALL)
    assert found, name
    return dict(re.findall(r"readonly (\w+)\??: (.*);$", found[1], re.MULTILINE))


def test_every_field_of_a_receipt_is_known_to_the_extension():
    known = interface("Receipt")
    assert set(known) == set(Receipt().as_dict())
    for field in fields(Receipt):
        assert known[field.name] == TYPES[str(field.type)], field.name


def test_an_answer_and_what_streams_have_the_fields_that_the_extension_knows(editor, uri):
    editor.open(uri, SOURCE)
    answer = editor.edit(uri, update=SKETCH, policy="model", force=True, partialResultToken="all")
    assert set(interface("Outcome")) == set(answer)
    editor.open(f"{uri}.other", CACHES)
    [other] = editor.edit(f"{uri}.other", update=UPDATE)["alternatives"]
    assert set(interface("Alternative")) == set(other)
    assert set(interface("Base")) == set(answer["base"])
    [progress, *_] = editor.streamed("all", "progress")
    assert set(interface("Progress")) | {"kind"} == set(progress)
    editor.open(f"{uri}.third.py", "def load(): ...\n\n\nload()\n")
    [place] = editor.edit(f"{uri}.third.py", operations=[{"op": "delete", "target": "load"}])["left"]
    assert set(interface("Place")) == set(place)
    argument = {"message": SKETCH, "uri": uri, "review": True}
    assert set(interface("Message")) == set(argument)
    changed = plain(editor.execute({"command": CHANGE, "arguments": [argument]}))
    assert set(interface("Changed")) == set(changed)
    [located] = editor.streamed("all", "located")
    assert set(located) == {"kind", "base", "regions"}


def test_the_extension_sets_options_that_the_server_has():
    sent = re.search(r"initializationOptions: \{ (.*) \}", (EXTENSION / "vscode" / "server.ts").read_text())
    assert sent is not None
    values = {name: True if name == "asks" else "" for name in sent[1].split(", ")}
    assert isinstance(ClientSettings().updated(values), ClientSettings)


def test_the_extension_reads_of_a_schema_what_the_schemas_of_operations_have():
    known = interface("Property", OPERATIONS)
    listed = [operation_schema(operation) for operation in operations()]
    used = {key for schema in listed for field in schema["properties"].values() for key in field}
    assert used - {"minLength"} <= set(known)
    assert set(interface("Schema", OPERATIONS)) <= set(listed[0])
    assert set(interface("Listed", OPERATIONS)) == {"operations", "suggested"}
