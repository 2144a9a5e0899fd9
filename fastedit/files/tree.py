"""The text files under one root, by the paths that an edit names."""

from __future__ import annotations

import os
from pathlib import Path

from fastedit.errors import InputRefused
from fastedit.files.paths import inside, real_root, refuse_device
from fastedit.source.document import Document


class Tree:
    """Reads for `fastedit.engine.changes` what `fastedit.files.transaction` would change."""

    def __init__(self, root: str | Path) -> None:
        """Raises FileUnreadable for what is no folder."""
        self.root = real_root(root)

    def read(self, path: str) -> Document | None:
        """None where there is no such file. Raises InputRefused for one outside, and for what is no text file."""
        real = inside(self.root, path)
        if not os.path.lexists(real):
            return None
        refuse_device(real, path)
        try:
            return Document.read(real)
        except InputRefused as error:
            raise type(error)(f"{path}: {str(error).removeprefix(f'{real}: ')}") from None
