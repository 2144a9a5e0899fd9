"""Files of this project as if they had changed between two releases."""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass

import fastedit.source.document as document_module
import fastedit.source.hunks as hunks_module


@dataclass(frozen=True)
class File:
    package: str
    path: str
    old: str
    new: str


DOCUMENT = inspect.getsource(document_module)
HUNKS = inspect.getsource(hunks_module)
WRAP = inspect.getsource(textwrap)
CHANGED = DOCUMENT.replace("len(data) > MOST_BYTES", "len(data) >= MOST_BYTES").replace(
    "import hashlib\n", "import hashlib\nimport os\n"
)
FILES = [
    File("own", "own/document.py", DOCUMENT, CHANGED),
    File("own", "own/hunks.py", HUNKS, HUNKS.replace("_LONGEST_RUN = 16", "_LONGEST_RUN = 17")),
    File("text", "text/wrap.py", WRAP, WRAP.replace("whitespace", "blanks")),
]
