"""Which replicas should get a request: the one that has its file's keys and values, then others, always the same.

A file's name says little (everyone has a `settings.py`) and its text changes with every edit. The least hash of its
lines is the same before and after an edit with a probability equal to the share of lines that both have (MinHash:
Broder, On the resemblance and containment of documents, 1997). Replicas are ranked by rendezvous hashing (Thaler and
Ravishankar, 1998): every front ranks them alike without asking anyone, and when one comes or goes, only its own share
of the files moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import TypeVar
from zlib import crc32

from fastedit.engine.models.chat import ChatRequest
from fastedit.serve.jobs.backend import Work
from fastedit.serve.jobs.held import HeldChange

T = TypeVar("T")


def key_of(request: Work) -> bytes:
    """The same for edits of one file, for changes with the same first file, and for the turns of one conversation."""
    if isinstance(request, ChatRequest):
        opening = next((i for i, (role, _) in enumerate(request.messages, 1) if role == "user"), 1)
        return _hash(*(part for message in request.messages[:opening] for part in message))
    document = request.first if isinstance(request, HeldChange) else request.document
    name = document.path.name if document.path is not None else ""
    lines = {line.strip() for line in document.text.split("\n")} - {""}  # blank ones are in every file
    return _hash(name, str(min((crc32(line.encode()) for line in lines), default=0)))


def ranks(key: bytes, replicas: Sequence[T], names: Sequence[str]) -> Iterator[list[T]]:
    """All replicas, best first, in groups of 1, 1, 2, 4, ...: a request tries the next group where one is busy."""
    scores = [_hash(key.hex(), name) for name in names]
    order = [replicas[i] for i in sorted(range(len(replicas)), key=scores.__getitem__, reverse=True)]
    start, size = 0, 1
    while start < len(order):
        yield order[start : start + size]
        start, size = start + size, max(1, start + size)


def _hash(*parts: str) -> bytes:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
