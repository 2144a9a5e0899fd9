"""Which packages one edit walks through: `python -m tests.engine.walk` prints the figures of docs/architecture.md.

The walk is a reader's: each function counts once, where it is first called. A return is an entry into a package that
the walk had left. Calls of the nouns and of `source`, which all packages use, are not counted as leaving.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, groupby
from pathlib import Path
from types import CodeType, FrameType

from typer.testing import CliRunner

import fastedit
from fastedit.cli.app import app
from fastedit.sketch.align import Alignment
from fastedit.source.syntax import Syntax

ROOT = Path(*fastedit.__path__)
GROUND = frozenset({"", "source"})  # what every package uses
OLD = """\
import os


class Store:
    def __init__(self, path):
        self.path = path

    def {0}(self):
        with open(self.path) as stream:
            return stream.read()

    def save(self, text):
        with open(self.path, "w") as stream:
            stream.write(text)


def main():
    print(Store(os.environ["STORE"]).{0}())
"""
SKETCH = """\
# ... existing code ...
    def {0}(self):
        with open(self.path, encoding="utf-8") as stream:
            return stream.read()
# ... existing code ...
"""
BLOCKS = """\
<<<<<<< SEARCH
    def {0}(self):
        with open(self.path) as stream:
=======
    def {0}(self):
        with open(self.path, encoding="utf-8") as stream:
>>>>>>> REPLACE
"""
EDITS: Mapping[str, Sequence[str]] = {
    "sketch": ("apply", "store.py", "-u", "sketch.txt", "--write"),
    "blocks": ("apply", "store.py", "-u", "blocks.txt", "--write"),
    "command": ("apply", "store.py", "-i", "rename {0} to read", "--write"),
}


_numbers = count()


@dataclass(slots=True)
class Walk:
    """`functions` are the packages of functions, in the order of their first calls; `parsed` counts how often each text
    was, by its lines, and `aligned` how many sketches were."""

    functions: list[str] = field(default_factory=list)
    parsed: Counter[tuple[str, ...]] = field(default_factory=Counter)
    aligned: int = 0

    @property
    def rooms(self) -> set[str]:
        return set(self.functions) - {""}

    @property
    def returns(self) -> int:
        entered = [room for room, _ in groupby(each for each in self.functions if each not in GROUND)]
        return len(entered) - len(set(entered))


def walked(words: Sequence[str]) -> Walk:
    """The walk of one command on a file. A command before has imported what both need; none reads a text again."""
    for _ in range(2):
        name = f"load{next(_numbers)}"
        with tempfile.TemporaryDirectory() as folder:
            for file, text in (("store.py", OLD), ("sketch.txt", SKETCH), ("blocks.txt", BLOCKS)):
                Path(folder, file).write_text(text.format(name), "utf-8")
            own = [str(Path(folder, word)) if Path(folder, word).exists() else word for word in words]
            with _watched() as walk:
                done = CliRunner(env=_env(folder)).invoke(app, [word.format(name) for word in own])
            assert done.exit_code == 0, done.output
            assert Path(folder, "store.py").read_text("utf-8") != OLD.format(name)
    return walk


def _env(folder: str) -> dict[str, str]:
    return {"FASTEDIT_STATE": str(Path(folder, "state")), "FASTEDIT_CONFIG": str(Path(folder, "none"))}


@contextmanager
def _watched() -> Iterator[Walk]:
    walk, seen = Walk(), set[CodeType]()

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event != "call":
            return
        if code is Syntax.__init__.__code__:
            walk.parsed[tuple(frame.f_locals["lines"])] += 1
        walk.aligned += code is Alignment.__init__.__code__
        path = Path(code.co_filename)
        if code not in seen and path.is_relative_to(ROOT):
            seen.add(code)
            first, *rest = path.relative_to(ROOT).parts
            walk.functions.append(first if rest else "")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield walk
    finally:
        sys.setprofile(before)


if __name__ == "__main__":
    for name, words in EDITS.items():
        walk = walked(words)
        texts = f"{len(walk.parsed)} texts parsed, {walk.aligned} aligned"
        print(f"{name}: {len(walk.rooms)} packages, {walk.returns} returns; {texts}")
        print(f"  {', '.join(sorted(walk.rooms))}")
