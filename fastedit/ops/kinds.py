"""Sets of kinds of nodes, as their names in one string."""

from __future__ import annotations


def kinds(names: str) -> frozenset[str]:
    return frozenset(names.split())
