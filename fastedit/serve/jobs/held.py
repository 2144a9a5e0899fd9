"""A change of files that a client holds: in memory from the body to the answer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.changes.change import ChangeEvent, ChangeRequest, stream
from fastedit.errors import FileUnreadable
from fastedit.files.paths import relative_parts
from fastedit.source.document import Document


@dataclass(frozen=True)
class HeldChange:
    """A change and the files that it may change, by their plain name. Can be sent to another process."""

    request: ChangeRequest
    files: dict[str, Document]

    @property
    def first(self) -> Document:
        return next(iter(self.files.values()), Document.from_text(""))

    def read(self, path: str) -> Document | None:
        """Raises FileUnreadable for a path that leaves the root, that leads through a file or that is a folder."""
        parts = relative_parts(path)
        name = "/".join(parts)
        for end in range(1, len(parts)):
            if "/".join(parts[:end]) in self.files:
                raise FileUnreadable(f"{path}: {parts[end - 1]} is a file, not a folder; check the path")
        after = bisect_left(self._names, f"{name}/")
        if any(other.startswith(f"{name}/") for other in self._names[after : after + 1]):
            raise FileUnreadable(f"{path}: is a folder; name a file in it")
        return self.files.get(name)

    def named(self, name: str) -> list[str]:
        return [path for path in self.files if path.rpartition("/")[2] == name]

    @cached_property
    def _names(self) -> list[str]:
        return sorted(self.files)

    def stream(self, engine: Engine, hangup: Hangup | None = None) -> Iterator[ChangeEvent]:
        """Raises what `fastedit.engine.changes.change.stream` raises."""
        return stream(engine, self.request, self, hangup)
