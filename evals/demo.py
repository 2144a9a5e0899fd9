"""`make demo`: edits of a small file from the command line, each command shown as a user would type it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = '''\
"""Reads settings from a file."""

import json
import os


def load(path):
    with open(path) as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    return merged


def settings(path, overrides):
    base = load(path)
    return merge(base, overrides)
'''
SKETCH = """\
# ... existing code ...
def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    merged.pop("version", None)
    return merged
# ... existing code ...
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "settings.py").write_text(SOURCE)
        (Path(folder) / "sketch.txt").write_text(SKETCH)
        for command in (
            "fastedit apply settings.py -u sketch.txt --policy model --diff --verify",
            "fastedit apply settings.py -u sketch.txt --write",
            "fastedit log",
            "fastedit undo settings.py",
            "fastedit apply settings.py -i 'add parameter encoding=\"utf-8\" to load' --diff",
            "fastedit apply settings.py -i 'rename load to read' --diff",
            "fastedit apply missing.py -i 'rename load to read'",
        ):
            _run(command, Path(folder))


def _run(command: str, folder: Path) -> None:
    print(f"\n$ {command}", flush=True)
    environment = os.environ | {"FASTEDIT_STATE": str(folder / "state")}
    words = shlex.split(command)
    words[0] = str(Path(sys.executable).with_name("fastedit"))
    code = subprocess.run(words, cwd=folder, env=environment, check=False).returncode
    print(f"(exit code {code})", flush=True)


if __name__ == "__main__":
    main()
