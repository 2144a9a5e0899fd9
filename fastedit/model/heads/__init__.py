"""Heads that read a target's hidden states, as folders."""

from __future__ import annotations

from fastedit.model.heads.load import load_head
from fastedit.model.heads.write import write_head

__all__ = ["load_head", "write_head"]
