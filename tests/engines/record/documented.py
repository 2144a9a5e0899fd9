"""The commands that docs/models.md gives for vLLM and SGLang."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "models.md"
_COMMAND = re.compile(r"^(?:vllm serve|python -m sglang)(?:.*\\\n)*.*", re.MULTILINE)


def commands(engine: str) -> list[str]:
    """Each in one line."""
    found = (re.sub(r"\s*\\\n\s*", " ", text) for text in _COMMAND.findall(DOCUMENT.read_text("utf-8")))
    return [command for command in found if engine in command.split("--")[0]]


def arguments(command: str, target: Path, head: Path, parallel: Path) -> list[str]:
    """Its arguments, with folders in place of the names that the document writes."""
    folders = {"MODEL": target, "heads/mine": head, "heads/parallel": parallel}
    for name, folder in folders.items():
        command = re.sub(rf"(?<![\w/]){name}(?![\w/])", str(folder), command)
    words = shlex.split(command)
    return words[next(at for at, word in enumerate(words) if word.startswith("--") or "/" in word) :]
