"""The cases in `data`, and what fastedit makes of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.engine.engine import Engine
from fastedit.errors import FasteditError
from fastedit.files.tree import Tree

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Case:
    """`does` is a behaviour of `document.BEHAVIOURS`. Either `expect` has the files that the message changes, None for
    one that is gone, or `refuse` a part of what is said. `differs` says what the tool does, where it is not the same.
    With `insists` the caller names the format.
    """

    tool: str
    format: str
    name: str
    does: str
    files: dict[str, str]
    message: str
    expect: dict[str, str | None] | None = None
    refuse: str | None = None
    differs: str | None = None
    insists: bool = False

    def __str__(self) -> str:
        return f"{self.tool}, {self.format}: {self.name}"

    @property
    def after(self) -> dict[str, str]:
        files = self.files | (self.expect or {})
        return {path: text for path, text in files.items() if text is not None}


def _read(path: Path) -> Iterator[Case]:
    content = yaml.safe_load(path.read_text("utf-8"))
    for case in content["cases"]:
        yield Case(tool=content["tool"], **({"format": content.get("format")} | case))


CASES = tuple(case for path in sorted(DATA.glob("*.yaml")) for case in _read(path))


def outcome(case: Case, root: Path) -> dict[str, str] | str:
    """The files after the message, or why it is refused."""
    for path, text in case.files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    only = next(iter(case.files), None) if len(case.files) == 1 else None
    try:
        result = change(
            Engine(),
            ChangeRequest(case.message, path=only, format=case.format if case.insists else None),
            Tree(root),
        )
    except FasteditError as error:
        return str(error)
    if any(
        file.problem for file in result.files
    ):  # what is placed may break a file: the cases are parts of such
        return "; ".join(result.reasons)
    assert result.formats == (case.format,)
    files = dict(case.files)
    for file in result.files:
        files.pop(file.path or "", None)
    for file in result.files:
        if file.to is not None and file.after is not None:
            files[file.to] = file.after.encode(file.after.text).decode()
    return files
