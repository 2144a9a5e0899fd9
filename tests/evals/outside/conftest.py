"""A small set of both kinds in a folder of its own, in place of the one that ships."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from evals.outside import sources

OLD = "import os\n\n\ndef load(path):\n    return open(path)\n\n\ndef save(path, text):\n    open(path).write(text)\n"
NEW = OLD.replace("return open(path)", "return open(path, 'rb')")
SKETCH = "# ... existing code ...\ndef load(path):\n    return open(path, 'rb')\n# ... existing code ...\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def agent(number: int, edit: str, **changed: object) -> dict[str, object]:
    file = {"key": "npm:one/1..2/a.py", "path": "a.py", "old": digest(OLD), "new": digest(NEW)}
    return {
        "id": f"a{number}",
        "author": "W1",
        "format": "sketch",
        "habit": "edge markers",
        "file": file,
        "instruction": "open in binary mode",
        "edit": edit,
        "says_so": True,
    } | changed


def person(number: int, instruction: str, **judged: object) -> dict[str, object]:
    file = {"key": "npm:one/1..2/a.py", "path": "a.py", "old": digest(OLD)}
    row = {"id": f"p{number}", "author": "dev1", "kind": "terse", "file": file, "instruction": instruction}
    return row | {"expressible": None} | judged


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write the rows of a set of the half dev, or its texts."""
    monkeypatch.setattr(sources, "HERE", tmp_path)
    monkeypatch.setattr(sources, "DATA", tmp_path)
    sources.load.cache_clear()

    def rows(name: str, *found: dict[str, object]) -> None:
        (tmp_path / f"{name}-dev.jsonl").write_text("".join(json.dumps(row) + "\n" for row in found))

    def texts(**found: tuple[str, str | None]) -> None:
        with gzip.open(tmp_path / "outside-dev.jsonl.gz", "wt") as stream:
            for key, (old, new) in found.items():
                stream.write(json.dumps({"key": key, "old": old, "new": new}) + "\n")

    texts(**{"npm:one/1..2/a.py": (OLD, NEW)})
    rows.texts = texts
    yield rows
    sources.load.cache_clear()
