"""Runs in a virtual environment of its own with published appliers; imports nothing of this project.

Each line of standard input is a JSON object with applier, message, path and text, each answer the text or null.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any


def whatthepatch(message: str, path: str, text: str) -> Any:
    library = import_module("whatthepatch")

    [diff] = library.parse_patch(message)
    lines = library.apply_diff(diff, text)
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def patch_ng(message: str, path: str, text: str) -> Any:
    library = import_module("patch_ng")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        patches = library.fromstring(message.encode())
        if not patches or not patches.apply(strip=int(message.startswith("--- a/")), root=folder, fuzz=True):
            return None
        return file.read_bytes().decode()


def mpatch(message: str, path: str, text: str) -> Any:
    library = import_module("mpatch")

    return library.patch_content(message, text)


def purepatch(message: str, path: str, text: str) -> Any:
    library = import_module("purepatch")

    if "<<<<<<< SEARCH" not in message:
        return library.apply(message, text)
    for old, new in re.findall(r"<<<<<<< SEARCH\n(.*?)=======\n(.*?)>>>>>>> REPLACE\n", message, re.DOTALL):
        text = library.apply_edit(text, old, new)
    return text


def codex_apply_patch(message: str, path: str, text: str) -> Any:
    library = import_module("codex_apply_patch")

    return library.apply_patch_in_memory(message, {path: text}).files[path]


def openai_agents(message: str, path: str, text: str) -> Any:
    # Its package imports clients that the applier alone does not need.
    folder = next(Path(part, "agents") for part in sys.path if Path(part, "agents", "apply_diff.py").exists())
    sys.path.insert(0, str(folder))
    try:
        library = import_module("apply_diff")
    finally:
        del sys.path[0]
    body = message.split("\n", 2)[2].removesuffix("*** End Patch\n")
    return library.apply_diff(text, body)


APPLIERS = {
    "whatthepatch": whatthepatch,
    "patch-ng": patch_ng,
    "mpatch": mpatch,
    "purepatch": purepatch,
    "codex-apply-patch": codex_apply_patch,
    "openai-agents": openai_agents,
}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                found = APPLIERS[asked["applier"]](asked["message"], asked["path"], asked["text"])
        except Exception:  # how each of them refuses
            found = None
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
