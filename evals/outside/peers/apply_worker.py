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


def whatthepatch(library: Any, message: str, path: str, text: str) -> Any:
    [diff] = library.parse_patch(message)
    lines = library.apply_diff(diff, text)
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")


def patch_ng(library: Any, message: str, path: str, text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        patches = library.fromstring(message.encode())
        if not patches or not patches.apply(strip=int(message.startswith("--- a/")), root=folder, fuzz=True):
            return None
        return file.read_bytes().decode()


def mpatch(library: Any, message: str, path: str, text: str) -> Any:
    return library.patch_content(message, text)


def purepatch(library: Any, message: str, path: str, text: str) -> Any:
    if "<<<<<<< SEARCH" not in message:
        return library.apply(message, text)
    for old, new in re.findall(r"<<<<<<< SEARCH\n(.*?)=======\n(.*?)>>>>>>> REPLACE\n", message, re.DOTALL):
        text = library.apply_edit(text, old, new)
    return text


def codex_apply_patch(library: Any, message: str, path: str, text: str) -> Any:
    return library.apply_patch_in_memory(message, {path: text}).files[path]


def apply_diff(library: Any, message: str, path: str, text: str) -> Any:
    body = message.split("\n", 2)[2].removesuffix("*** End Patch\n")
    return library.apply_diff(text, body)


# By the package; each is called as the module that it uses.
APPLIERS = {
    "whatthepatch": whatthepatch,
    "patch-ng": patch_ng,
    "mpatch": mpatch,
    "purepatch": purepatch,
    "codex-apply-patch": codex_apply_patch,
    "openai-agents": apply_diff,
}


def main() -> None:
    # The package of openai-agents imports clients that the module alone does not need.
    sys.path += [str(Path(part, "agents")) for part in sys.path]
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        asked = json.loads(line)
        apply = APPLIERS[asked["applier"]]
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                library = import_module(apply.__name__)
                found = apply(library, asked["message"], asked["path"], asked["text"])
        except Exception:  # how each of them refuses
            found = None
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
