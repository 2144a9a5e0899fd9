"""What a server refused, kept from one command to the next: else every one of them would be told again."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from time import time

from fastedit.connect.names import Endpoint
from fastedit.files.state import state_folder

Refused = tuple[tuple[str, str], ...]  # fields in the order that they were refused, with the server's words
_LASTS_S = 7 * 86_400.0  # then it is tried again: servers learn


def recall(target: Endpoint) -> Refused:
    file = _file(target)
    with suppress(OSError, ValueError, TypeError):
        if time() - file.stat().st_mtime < _LASTS_S:
            return tuple((str(field), str(said)) for field, said in json.loads(file.read_text("utf-8")))
    return ()


def keep(target: Endpoint, refused: Refused) -> None:
    file = _file(target)
    with suppress(OSError):  # it is only asked once more then
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(refused), "utf-8")


def _file(target: Endpoint) -> Path:
    name = hashlib.sha256(f"{target.api} {target.shown} {target.model}".encode()).hexdigest()[:24]
    return state_folder() / "servers" / f"{name}.json"
