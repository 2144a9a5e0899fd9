"""The surfaces an edit can come in by. Each is driven from outside, as a real process, with what its users send."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx2
from pygls.exceptions import JsonRpcException

from tests.fidelity.commands import run
from tests.fidelity.torture import Torture
from tests.lsp.editor import Editor

_LINE_END = re.compile("\r\n|\n|\r")
_HELD = 3  # the exit code of a suspect result


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a user has in the end. `status` is ok, unchanged, suspect or refused; no `data` where nothing came back.

    `fault` says what went wrong besides: a crash, a file that a refused edit changed, an undo that did not undo.
    """

    status: str
    data: bytes | None = None
    fault: str = ""


class Surface(Protocol):
    name: str

    def edit(self, case: Torture, policy: str) -> Outcome: ...


class FileCommand:
    """`fastedit apply FILE --update SKETCH --write`, then `fastedit undo FILE`."""

    name = "command line, file"

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0

    def edit(self, case: Torture, policy: str) -> Outcome:
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        path, sketch = folder / case.name, folder / "sketch"
        path.write_bytes(case.data)
        sketch.write_text(case.update, "utf-8", newline="")
        environment = {"FASTEDIT_STATE": str(folder / "state")}
        wish = ["apply", "-u", str(sketch), "--policy", policy, "--write", "--", case.name]
        done = run(wish, folder, environment=environment)
        data = path.read_bytes()
        if done.code not in (0, _HELD, 4):
            return Outcome("refused", data, f"exit code {done.code}: {done.err[-200:]}")
        if done.code:
            fault = "" if data == case.data else "the file changed though the edit was not delivered"
            return Outcome("suspect" if done.code == _HELD else "refused", None, fault)
        if data != case.data:
            run(["undo", "--", case.name], folder, environment=environment)
            if path.read_bytes() != case.data:
                return Outcome("ok", data, "undo did not bring the bytes back")
        left = {file.name for file in folder.iterdir()} - {case.name, "sketch", "state"}
        return Outcome("ok", data, f"left behind: {', '.join(left)}" if left else "")


class PipeCommand:
    """`fastedit apply - --update SKETCH --output -`: bytes in, bytes out."""

    name = "command line, pipe"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def edit(self, case: Torture, policy: str) -> Outcome:
        sketch = self._folder / "sketch"
        sketch.write_text(case.update, "utf-8", newline="")
        wish = ["apply", "-u", str(sketch), "--policy", policy, "--output", "-", "-"]
        done = run(wish, self._folder, stdin=case.data)
        if done.code == 0:
            return Outcome("ok", done.out)
        known = {_HELD: "suspect", 4: "refused"}
        fault = (
            done.err[-200:] if done.code not in known else "bytes came out all the same" if done.out else ""
        )
        return Outcome(known.get(done.code, "refused"), None, fault)


class Http:
    """`POST` of text as JSON, to the native API or to the drop-in one that answers with text alone."""

    def __init__(self, client: httpx2.Client, *, native: bool) -> None:
        self.name = "HTTP, edits" if native else "HTTP, code/apply"
        self._native, self._http = native, client

    def edit(self, case: Torture, policy: str) -> Outcome:
        text = decoded(case)
        if self._native:
            body = {"content": text, "path": case.name, "update": case.update, "policy": policy}
            answer = self._http.post("/v1/edits", content=_json(body), headers=_JSON)
        else:
            body = {"initial_code": text, "edit_snippet": case.update}
            answer = self._http.post("/v1/code/apply", content=_json(body), headers=_JSON)
        if answer.status_code >= 500:
            return Outcome("refused", None, f"{answer.status_code}: {answer.text[:200]}")
        if answer.status_code != 200:
            suspect = answer.json()["error"]["code"] == "suspect"
            return Outcome("suspect" if suspect else "refused")
        told = answer.json()
        status = told["status"] if self._native else "ok"
        return Outcome(status, encoded(case, told["content" if self._native else "mergedCode"]))


class Mcp:
    """The tool `edit_file` of `fastedit mcp`, over its pipes. It has no policies: the merge first, then the model."""

    name = "MCP"

    def __init__(self, folder: Path, call: Callable[[dict[str, Any]], Any]) -> None:
        self._folder, self._call = folder, call

    def edit(self, case: Torture, policy: str) -> Outcome:
        path = self._folder / case.name
        path.write_bytes(case.data)
        answer = self._call({"path": case.name, "code_edit": case.update, "dry_run": False})
        data = path.read_bytes()
        path.unlink()
        if answer.is_error:
            return Outcome("refused", None, "" if data == case.data else "a refused edit changed the file")
        told = answer.structured_content
        if not told["written"]:
            fault = "" if data == case.data else "the file changed though nothing was to be written"
            return Outcome("ok" if told["status"] == "unchanged" else told["status"], data, fault)
        return Outcome("ok", data)


class LanguageServer:
    """`fastedit lsp`: edits a buffer with the file's text, as the editor shows it, or the file without opening it."""

    def __init__(self, editor: Editor, folder: Path, *, opens: bool) -> None:
        self.name = "LSP, open buffer" if opens else "LSP, closed file"
        self._editor, self._folder, self._opens = editor, folder, opens

    def edit(self, case: Torture, policy: str) -> Outcome:
        path = self._folder / case.name
        path.write_bytes(case.data)
        uri, (text, mark) = path.as_uri(), _shown(case)
        if self._opens:
            self._editor.open(uri, text)
        try:
            told = self._editor.edit(uri, update=case.update, policy=policy, force=False)
        except JsonRpcException:
            told = None
        if self._opens:
            self._editor.close(uri)
        fault = "" if path.read_bytes() == case.data else "the server wrote the file"
        path.unlink()
        if told is None or told["status"] == "suspect":
            return Outcome("refused" if told is None else "suspect", None, fault)
        return Outcome("ok", encoded(case, mark + applied(text, told["edit"])), fault)


def _shown(case: Torture) -> tuple[str, str]:
    """The buffer's text, and the BOM that editors keep apart."""
    text = decoded(case)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return text.removeprefix(mark), mark


def applied(text: str, edit: dict[str, Any] | None) -> str:
    """A workspace edit applied as the protocol says: all its ranges refer to the text before, in UTF-16 units."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    edits = [one for change in (edit or {}).get("documentChanges", ()) for one in change["edits"]]
    for one in sorted(
        edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True
    ):
        start, end = (_offset(text, starts, one["range"][side]) for side in ("start", "end"))
        text = text[:start] + one["newText"] + text[end:]
    return text


def _offset(text: str, starts: list[int], position: dict[str, int]) -> int:
    if position["line"] >= len(starts):
        return len(text)
    start = starts[position["line"]]
    match = _LINE_END.search(text, start)
    line = text[start : match.start() if match else len(text)]
    units = line.encode("utf-16-le", "surrogatepass")[: 2 * position["character"]]
    return start + len(units.decode("utf-16-le", "surrogatepass"))


@contextlib.contextmanager
def mcp(folder: Path, model: str) -> Iterator[Mcp]:
    """`fastedit mcp` in a process of its own, with one connected client."""
    from anyio.from_thread import start_blocking_portal
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    command = ["-c", "from fastedit.cli import main; main()", "mcp", "--root", str(folder), "--model", model]
    environment = dict(os.environ) | {"FASTEDIT_STATE": str(folder / "state")}
    pipes = StdioServerParameters(command=sys.executable, args=command, env=environment)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(pipes)) as client:
        yield Mcp(folder, lambda arguments: portal.call(client.call_tool, "edit_file", arguments))


def decoded(case: Torture) -> str:
    """The file as a client reads it, its BOM as a character; what is no text, with half characters for its bytes."""
    if case.spelling is None:
        return case.data.decode("utf-8", "surrogateescape")
    text = case.data[len(case.spelling.bom) :].decode(case.spelling.codec)
    return case.spelling.bom.decode(case.spelling.codec) + text


def encoded(case: Torture, text: str) -> bytes:
    """The text as a client writes it back; what the file's encoding has no bytes for is a question mark."""
    codec = "utf-8" if case.spelling is None else case.spelling.codec
    try:
        return text.encode(codec, "surrogateescape")
    except UnicodeEncodeError:
        return text.encode(codec, "replace")


_JSON = {"Content-Type": "application/json"}


def _json(body: dict[str, Any]) -> bytes:
    """Half characters stay escaped, as JSON can spell them."""
    return json.dumps(body).encode()
