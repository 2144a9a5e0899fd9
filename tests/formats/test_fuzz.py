"""A message that is cut off, shuffled or damaged is read as something or refused, never a crash or a hang."""

from __future__ import annotations

import contextlib
import json
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastedit.engine.edits.placed import place
from fastedit.errors import FasteditError, UnreadableEdit
from fastedit.formats.base import Format, ModifyFile, Sketch, WriteFile
from fastedit.formats.diffs import edit_tags, search_replace, udiff, v4a
from fastedit.formats.files import whole
from fastedit.formats.hashline import hashline
from fastedit.formats.message import read_message
from fastedit.formats.registry import FORMATS
from fastedit.formats.tools import invoke, json_patch, operations, str_replace, workspace_edit
from fastedit.source.document import Document
from tests.formats.blocks import FileEdit
from tests.formats.writers import WRITERS

OLD = """\
import os

class Shop:
\tdef open(self):  # “early”
\t\treturn os.getcwd()

    def close(self):
        return None
"""
NEW = (
    OLD.replace("os.getcwd()", "os.sep")
    .replace("None", "0\n        # é 𝄞")
    .replace("import os", "import sys")
)
EDIT = FileEdit("src/shop.py", OLD, NEW)
MESSAGES = {writer.name: writer.write(EDIT) or "" for writer in WRITERS} | {
    "JSON Patch": json.dumps([{"op": "replace", "path": "/a/0", "value": 1}, {"op": "remove", "path": "/b"}])
    + "\n",
    "V4A, many files": (
        "*** Begin Patch\n*** Add File: a.txt\n+a\n*** Delete File: b.txt\n*** Update File: src/shop.py\n"
        "*** Move to: c.py\n@@ class Shop:\n@@ \tdef open(self):\n-\t\treturn os.getcwd()\n+\t\treturn 1\n"
        "*** End Patch\n"
    ),
    "windowed": "edit 1:1\nimport sys\nend_of_edit\n",
    "sketch": "```python\n# ... existing code ...\n    def close(self):\n        return 1\n```\n",
    "create": "```diff\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n```\n",
}
DOCUMENT = Document.from_text(OLD, Path("src/shop.py"))
HANGS = 60  # seconds
OWN: list[Format] = [
    module.FORMAT
    for module in (
        invoke, search_replace, edit_tags, hashline, udiff, v4a, json_patch, operations, str_replace, workspace_edit,
        whole,
    )
]  # fmt: skip
LIKELY = b'\0\t\n\r "\\{\x85'  # bytes that mean something to a reader
REPEATED = ("<<<<<<< SEARCH", "@@ -1 +1 @@", "*** Update File: a", "```", '{"a": [', "+", "<old_text>")


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """Ends a test that hangs."""
    signal.signal(signal.SIGALRM, lambda *_: pytest.fail("the message is still being read"))
    signal.alarm(HANGS)
    yield
    signal.alarm(0)


def carried_out(message: str) -> None:
    """Reads a message and places what it asks for, which only a FasteditError may stop."""
    with contextlib.suppress(FasteditError):
        for operation in read_message(message).operations:
            if isinstance(operation, ModifyFile | WriteFile) and not _has_sketch(operation):
                place(DOCUMENT, operation)


def _has_sketch(operation: ModifyFile | WriteFile) -> bool:
    return isinstance(operation, ModifyFile) and any(isinstance(hunk, Sketch) for hunk in operation.hunks)


def cut_off(message: str) -> list[str]:
    """The message up to each of some characters."""
    step = max(1, len(message) // 60)
    return [message[:at] for at in range(0, len(message), step)]


def shuffled(message: str) -> list[str]:
    """The lines in another order, some of them lost or twice."""
    chance, found = random.Random(0), []
    for _ in range(40):
        lines = message.splitlines(keepends=True)
        kind = chance.randrange(3)
        if kind == 0:
            chance.shuffle(lines)
        at = chance.randrange(len(lines))
        if kind == 1:
            del lines[at]
        if kind == 2:
            lines[at:at] = lines[at:] if chance.random() < 0.3 else [chance.choice(lines)]
        found.append("".join(lines))
    return found


def flipped(message: str) -> list[str]:
    """Bytes replaced by others, as far as the rest is text."""
    chance, found = random.Random(0), []
    for _ in range(60):
        data = bytearray(message.encode())
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.choice([*LIKELY, chance.randrange(256)])
        found.append(data.decode(errors="replace"))
    return found


@pytest.mark.parametrize("damage", [cut_off, shuffled, flipped], ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", MESSAGES)
def test_a_damaged_message_is_read_or_refused(name: str, damage: Callable[[str], list[str]]) -> None:
    for message in damage(MESSAGES[name]):
        carried_out(message)


@pytest.mark.parametrize("name", MESSAGES)
def test_two_messages_run_together_are_read_or_refused(name: str) -> None:
    for other in MESSAGES.values():
        carried_out(MESSAGES[name] + other)


@pytest.mark.parametrize("name", MESSAGES)
def test_the_formats_that_a_message_has_no_mark_of_find_nothing_in_it(name: str) -> None:
    assert [format.name for format in OWN] == list(FORMATS)
    for message in (MESSAGES[name], *shuffled(MESSAGES[name])):
        lines = message.split("\n")
        for own, format in zip(OWN, FORMATS.values(), strict=True):
            assert [each.lines for each in format.find(lines)] == [each.lines for each in own.find(lines)]


@pytest.mark.parametrize("line", REPEATED)
def test_a_thousand_times_the_same_line_is_read_or_refused(line: str) -> None:
    carried_out(f"{line}\n" * 1000)


# Pieces of messages, by the format whose marks they have.
PIECES = {
    "udiff": [
        "--- a/x\n", "+++ b/x\n", "--- /dev/null\n", "+++ /dev/null\n", "diff --git a/x b/x\n", "rename from x\n",
        "rename to y\n", "@@\n", "@@ -1 +1 @@\n", "@@ f\n", " c\n", "-a\n", "+b\n", "\n", "text\n", "```diff\n",
        "```\n", "--\n", "\\ No newline at end of file\n", "new mode 1\n", "*** Begin Patch\n", "*** Update File: x\n",
        "*** End Patch\n",
    ],
    "v4a": [
        "*** Begin Patch\n", " *** Begin Patch\n", "*** End Patch\n", " *** End Patch\n", "*** Update File: x\n",
        " *** Update File: y\n", "*** Add File: z\n", "*** Delete File: x\n", "*** Move to: w\n", "*** End of File\n",
        "@@\n", "@@ f\n", " c\n", "-a\n", "+b\n", "\n", "text\n", "```\n", "apply_patch <<EOF\n", "cd src\n", "EOF\n",
        "echo <<EOF\n",
    ],
    "hashline": [*"[]#:+~@=<>|`\n 0123456789abFPUTCUDELSWA¶↑"],
    "edit_tags": [
        "<edits>", "</edits>", "<old_text>", "<old_text line=3>", "</old_text>", "<new_text>", "</new_text>", "\n",
        "a.py\n", "```\n", "x", "    y\n",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", PIECES)
@given(data=st.data())
def test_the_edits_in_any_text_are_in_order_and_read_or_refused(name: str, data: st.DataObject) -> None:
    lines = "".join(data.draw(st.lists(st.sampled_from(PIECES[name]), max_size=40))).split("\n")
    end = 0
    for found in FORMATS[name].find(lines):
        assert end <= found.lines.start < found.lines.stop <= len(lines)
        end = found.lines.stop
        with contextlib.suppress(UnreadableEdit):
            assert found.read()
