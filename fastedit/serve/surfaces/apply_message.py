"""The one-message format of apply models: `<instruction>..</instruction><code>..</code><update>..</update>`."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastedit.serve.bodies.errors import ApiError

_START = re.compile(r"\s*(?:<instruction>(?P<instruction>.*?)</instruction>\s*)?<code>", re.DOTALL)
_MIDDLE = re.compile(r"</code>\s*<update>")
_END = re.compile(r"</update>\s*\Z")


class ApplyMessage(NamedTuple):
    instruction: str | None
    code: str
    update: str


def parse_apply_message(text: str) -> ApplyMessage | None:
    """None for a text that is something else. Raises ApiError 400 where the text can be read in two ways.

    Only the outermost tags count, so the file may hold any of them; what lies between them is taken as it is.
    """
    start, end = _START.match(text), _END.search(text)
    if start is None or end is None:
        return None
    middles = list(_MIDDLE.finditer(text, start.end(), end.start()))
    if not middles:
        return None
    if len(middles) > 1:
        raise ApiError(
            400,
            "ambiguous_message",
            "the text holds '</code><update>' more than once, so nobody can tell where the file ends; "
            "send it to /v1/code/apply as two fields",
            param="messages",
        )
    (middle,) = middles
    code, update = text[start.end() : middle.start()], text[middle.end() : end.start()]
    instruction = (start["instruction"] or "").strip() or None
    return ApplyMessage(instruction, code, update)
