"""Models behind an address: one file an API, one small client for all of them. Knows chat messages, never an edit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fastedit.connect.base import Piece, Question, Tool
from fastedit.connect.hangup import Hangup
from fastedit.connect.names import Endpoint, is_remote, target

if TYPE_CHECKING:
    from fastedit.connect.client import Client

__all__ = ["Hangup", "Piece", "Question", "Tool", "connect", "is_remote"]


def connect(name: str) -> Client:
    """The model that an address, `API:NAME` or a profile stands for; nothing is sent yet.

    All who ask for one model share a client, which remembers what its server refuses. Raises UsageError or
    ModelUnavailable for a name that cannot be one.
    """
    return _client(target(name))


@lru_cache(maxsize=4)
def _client(of: Endpoint) -> Client:
    from fastedit.connect.client import Client

    return Client(of)
