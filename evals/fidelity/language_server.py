"""`fastedit lsp` over its pipes, driven by an editor of a few lines that keeps to the protocol's own rules."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.fidelity.surfaces import Outcome, decoded, encoded
from evals.fidelity.torture import Torture

_LINE_END = re.compile("\r\n|\n|\r")


class Connection:
    """JSON-RPC with a language server's process, one request at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out, self._last = process.stdin, process.stdout, 0

    def request(self, method: str, params: Any) -> dict[str, Any]:
        """The answer, with `result` or `error`."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._last and "method" not in message:
                return message

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._in.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._in.flush()

    def _read(self) -> dict[str, Any]:
        length = 0
        while line := self._out.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise RuntimeError("the language server ended")
        message: dict[str, Any] = json.loads(self._out.read(length))
        return message


class LanguageServer:
    """Edits a buffer with the file's text, as the editor shows it, or the file itself without opening it."""

    def __init__(self, connection: Connection, folder: Path, *, opens: bool) -> None:
        self.name = "LSP, open buffer" if opens else "LSP, closed file"
        self._connection, self._folder, self._opens = connection, folder, opens

    def edit(self, case: Torture, policy: str) -> Outcome:
        path = self._folder / case.name
        path.write_bytes(case.data)
        uri = path.as_uri()
        text, mark = _shown(case)
        document = {"uri": uri}
        if self._opens:
            opened = document | {"languageId": "python", "version": 1, "text": text}
            self._connection.notify("textDocument/didOpen", {"textDocument": opened})
        wish = {"textDocument": document, "update": case.update, "policy": policy, "force": False}
        answer = self._connection.request("fastedit/edit", wish)
        if self._opens:
            self._connection.notify("textDocument/didClose", {"textDocument": document})
        fault = "" if path.read_bytes() == case.data else "the server wrote the file"
        path.unlink()
        if "error" in answer:
            return Outcome("refused", None, fault)
        told = answer["result"]
        if told["status"] == "suspect":
            return Outcome("suspect", None, fault)
        return Outcome("ok", encoded(case, mark + applied(text, told["edit"])), fault)


@contextlib.contextmanager
def language_server(model: str) -> Iterator[Connection]:
    """`fastedit lsp` in a process of its own, initialized."""
    command = [sys.executable, "-c", "from fastedit.cli import main; main()", "lsp", "--model", model]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        connection = Connection(process)
        capabilities = {"workspace": {"workspaceEdit": {"documentChanges": True}}}
        connection.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        connection.notify("initialized", {})
        try:
            yield connection
        finally:
            connection.request("shutdown", None)
            connection.notify("exit", None)


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
