"""fastedit applies code edits with a language model whose drafts come from the file itself.

Importing this package imports next to nothing, torch and transformers least of all: each name is loaded when it is
first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fastedit.edit.document import Document
    from fastedit.edit.request import EditRequest, LineRange, Policy
    from fastedit.edit.result import EditResult, Receipt, Status
    from fastedit.engine import Engine
    from fastedit.engine.change_stream import ChangeStream
    from fastedit.engine.changes import ChangeRequest, ChangeResult, FileChange, change
    from fastedit.files.transaction import commit
    from fastedit.files.tree import Tree
    from fastedit.sampling import Sampling

__all__ = [
    "ChangeRequest",
    "ChangeResult",
    "ChangeStream",
    "Document",
    "EditRequest",
    "EditResult",
    "Engine",
    "FileChange",
    "LineRange",
    "Policy",
    "Receipt",
    "Sampling",
    "Status",
    "Tree",
    "change",
    "commit",
]
__version__ = "0.1.0"
_HOMES = {
    "ChangeRequest": "fastedit.engine.changes",
    "ChangeResult": "fastedit.engine.changes",
    "ChangeStream": "fastedit.engine.change_stream",
    "Document": "fastedit.edit.document",
    "EditRequest": "fastedit.edit.request",
    "EditResult": "fastedit.edit.result",
    "Engine": "fastedit.engine",
    "FileChange": "fastedit.engine.changes",
    "LineRange": "fastedit.edit.request",
    "Policy": "fastedit.edit.request",
    "Receipt": "fastedit.edit.result",
    "Sampling": "fastedit.edit.request",
    "Status": "fastedit.edit.result",
    "Tree": "fastedit.files.tree",
    "change": "fastedit.engine.changes",
    "commit": "fastedit.files.transaction",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fastedit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
