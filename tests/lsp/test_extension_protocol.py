"""What the VS Code extension expects on the wire is what the language server sends, field by field."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from fastedit_lsp.settings import Settings

from fastedit.edit.result import Receipt
from tests.engine.test_engine import SKETCH, SOURCE

EXTENSION = Path(__file__).parents[2] / "vscode-extension" / "src"
PROTOCOL = (EXTENSION / "model" / "protocol.ts").read_text()
# How the annotation of a receipt's field reads in TypeScript.
TYPES = {
    "str": "string",
    "int": "number",
    "float": "number",
    "float | None": "number | null",
    "list[int]": "readonly number[]",
    "dict[str, int]": "Readonly<Record<string, number>>",
}


def interface(name: str) -> dict[str, str]:
    """The fields of an interface of protocol.ts with their types."""
    found = re.search(rf"interface {name} \{{\n(.*?)\n\}}", PROTOCOL, re.DOTALL)
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
    assert set(interface("Base")) == set(answer["base"])
    [progress, *_] = editor.streamed("all", "progress")
    assert set(interface("Progress")) | {"kind"} == set(progress)
    [located] = editor.streamed("all", "located")
    assert set(located) == {"kind", "base", "regions"}


def test_the_extension_sets_options_that_the_server_has():
    sent = re.search(r"initializationOptions: \{ (.*) \}", (EXTENSION / "vscode" / "server.ts").read_text())
    assert sent is not None
    assert isinstance(Settings().updated(dict.fromkeys(sent[1].split(", "), "")), Settings)
