"""One path before and after an edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fastedit.files.staging import temporary_name


@dataclass(frozen=True, slots=True)
class ContentChange:
    """`before` and `after` are whole contents, None where there is no file.

    `path` is absolute and without links, `name` what messages call it. The new file takes owner, mode and extended
    attributes of the file `like`; without one it has permission bits `mode`, or those of any new file.
    """

    path: Path
    name: str
    before: bytes | None
    after: bytes | None
    like: Path | None = None
    mode: int | None = None
    executable: bool = False
    temporary: str = field(default_factory=temporary_name)

    @property
    def creates(self) -> bool:
        return self.before is None

    @property
    def deletes(self) -> bool:
        return self.after is None

    @property
    def before_sha256(self) -> str | None:
        return None if self.before is None else sha256(self.before).hexdigest()

    @property
    def after_sha256(self) -> str | None:
        return None if self.after is None else sha256(self.after).hexdigest()
