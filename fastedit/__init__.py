"""fastedit applies code edits with a language model whose drafts come from the file itself.

Importing this package imports next to nothing, torch and transformers least of all: each name is loaded when it is
first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fastedit.engine import Engine
    from fastedit.engine.changes.change import ChangeRequest, ChangeResult, FileChange, change
    from fastedit.engine.changes.change_stream import ChangeStream
    from fastedit.files.transaction import commit
    from fastedit.files.tree import Tree
    from fastedit.ops import parse_operations
    from fastedit.request import EditRequest, LineRange, Policy
    from fastedit.result import EditResult, Receipt, Status
    from fastedit.sampling import Sampling
    from fastedit.source.document import Document

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
    "parse_operations",
]
__version__ = "0.1.0"
_HOMES = {
    "ChangeRequest": "fastedit.engine.changes.change",
    "ChangeResult": "fastedit.engine.changes.change",
    "ChangeStream": "fastedit.engine.changes.change_stream",
    "Document": "fastedit.source.document",
    "EditRequest": "fastedit.request",
    "EditResult": "fastedit.result",
    "Engine": "fastedit.engine",
    "FileChange": "fastedit.engine.changes.change",
    "LineRange": "fastedit.request",
    "Policy": "fastedit.request",
    "Receipt": "fastedit.result",
    "Sampling": "fastedit.sampling",
    "Status": "fastedit.result",
    "Tree": "fastedit.files.tree",
    "change": "fastedit.engine.changes.change",
    "commit": "fastedit.files.transaction",
    "parse_operations": "fastedit.ops",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fastedit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
