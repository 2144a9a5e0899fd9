"""fastedit applies code edits with a language model whose drafts come from the file itself.

Importing this package imports neither torch nor transformers: `Engine` is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastedit.edit.document import Document
from fastedit.edit.request import EditRequest, LineRange, Policy, Sampling
from fastedit.edit.result import EditResult, Receipt, Status

if TYPE_CHECKING:
    from fastedit.engine import Engine

__all__ = [
    "Document",
    "EditRequest",
    "EditResult",
    "Engine",
    "LineRange",
    "Policy",
    "Receipt",
    "Sampling",
    "Status",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "Engine":
        from fastedit.engine import Engine

        return Engine
    raise AttributeError(f"module 'fastedit' has no attribute {name!r}")
