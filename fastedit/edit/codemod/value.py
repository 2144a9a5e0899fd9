"""How a value that a sentence hands over is spelled in code."""

from __future__ import annotations

import re

_PYTHON = {"true": "True", "false": "False", "none": "None", "null": "None", "nil": "None"}
_OTHERS = {"True": "true", "False": "false"}
_STRING = re.compile(r"[rbuRBU]{0,2}([\"'`]).*\1\Z", re.DOTALL)
_TABLE = re.compile(r"[\[{(].*[\]})]\Z", re.DOTALL)
_SCALAR = re.compile(r"-?[\d.]|true\Z|false\Z|none\Z|null\Z|nil\Z|[\"']", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d[\d_.]*(?:e-?\d+)?\Z|0x[\da-fA-F]+\Z")
# A sum or product in which a name stands, as in `30 * time.Second`.
_RECKONED = re.compile(r"[A-Za-z_][\w.]*\)* ?[-+*/%|&] |[-+*/%|&] ?\(*[A-Za-z_]")
_CALL = re.compile(r"(?:new )?[A-Za-z_][\w.:]*\(.*\)\Z", re.DOTALL)


def spelled(value: str, literal: str | None, old: str, language: str) -> str:
    """A value that a sentence names, as it takes the place of `old`; `literal` is it with quotation marks
        around.

    Quotation marks may be the code's or the sentence's own: they stay around a text that is no number, name or call.
    """
    if literal is not None and (_STRING.match(old) or not _NUMBER.match(value)):
        quote = old[-1] if _STRING.match(old) and old[-1] in "\"'" and old[-1] not in value else literal[0]
        return f"{quote}{value}{quote}"
    if _STRING.match(old) and _NUMBER.match(old.strip("\"'`")) and _NUMBER.match(value):
        # A number that is kept as text stays one.
        return f"{old[-1]}{value}{old[-1]}"
    known = _PYTHON if language == "python" else _OTHERS
    return known.get(value, value)


def changes_kind(old: str, new: str) -> list[str]:
    """A reason where a number or text takes the place of a table or a call, or text that of a number."""
    if _TABLE.match(old) and len(old) > 2 and _SCALAR.match(new):
        return ["a single value takes the place of several"]
    if _CALL.match(old) and _SCALAR.match(new):
        return ["a plain value takes the place of a call"]
    if _RECKONED.search(old) and not _STRING.match(old) and _SCALAR.match(new):
        return ["a plain value takes the place of what is reckoned"]
    if _NUMBER.match(old) and _STRING.match(new):
        return ["a text takes the place of a number"]
    return []
