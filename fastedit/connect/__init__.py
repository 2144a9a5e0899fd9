"""Models behind an address: one file an API, one small client for all of them. Knows chat messages, never an edit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fastedit.connect.base import Piece, Question, Tool
from fastedit.connect.hangup import Hangup
from fastedit.connect.names import Target, is_remote, target

if TYPE_CHECKING:
    from fastedit.connect.client import Client

__all__ = ["Hangup", "Piece", "Question", "Tool", "chats", "connect", "is_remote", "takes_tools"]


def chats(name: str) -> bool:
    """Whether the model is asked for answers, and does not only go on with a text. Raises as `connect` does."""
    return target(name).api != "completions"


def takes_tools(name: str) -> bool:
    """Whether the model may be offered tools: its API has them, and its server has not refused them lately. Raises as
    `connect` does."""
    return connect(name).takes_tools


def connect(name: str) -> Client:
    """The model that an address, `API:NAME` or a profile stands for; nothing is sent yet.

    All who ask for one model share a client, which remembers what its server refuses. Raises UsageError or
    ModelUnavailable for a name that cannot be one.
    """
    return _client(target(name))


@lru_cache(maxsize=4)
def _client(of: Target) -> Client:
    from fastedit.connect.client import Client

    return Client(of)
