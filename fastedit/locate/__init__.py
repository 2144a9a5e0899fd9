"""Which regions of a file an edit can touch, and what surrounds them."""

from __future__ import annotations

from fastedit.locate.region import Region
from fastedit.locate.search import around, check_not_empty, locate, scope_of

__all__ = ["Region", "around", "check_not_empty", "locate", "scope_of"]
