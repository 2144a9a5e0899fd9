"""What a model thought aloud before its answer, which is no part of the answer."""

from __future__ import annotations

import re

# The tags of models and their servers, and the one that aider gives them in its transcripts.
_TAG = r"<(?P<tag>think|thinking|thought|reasoning|thinking-content-[0-9a-f]{32})>"
THOUGHT_BEGINS = re.compile(rf"\A\s*{_TAG}", re.IGNORECASE)
THOUGHT = re.compile(rf"\A\s*{_TAG}.*?</(?P=tag)>", re.DOTALL | re.IGNORECASE)


def thought_of(message: str) -> str:
    """The thought that a message begins with, tags included; empty where it begins with none."""
    thought = THOUGHT.match(message)
    return "" if thought is None else thought[0]


def blanked(message: str, thought: str) -> str:
    """The message without its thought, every line at its number."""
    return "\n" * thought.count("\n") + message[len(thought) :]
