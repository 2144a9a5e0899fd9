"""What every text has that a call of a tool stands in: no other is worth the import of what reads calls."""

from __future__ import annotations

import re

# An object with a member, an array of objects or arrays, or a JSON string that holds one of those.
JSON_START = r'\{\s*"|\[\s*[\[{]|"(?:\\[nrt]|\s)*[\[{]'
JSON = re.compile(rf"^[^\S\n]*+(?:{JSON_START})", re.MULTILINE)
TAG = re.compile(r"<\w")
