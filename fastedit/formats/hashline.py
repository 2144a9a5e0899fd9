"""Edits of lines that the author names by number and content hash, in the dialects of the hashline tools.

The line numbers are those of the file as the author read it, and the hashes say whether it is still that file. No
number without a hash is accepted.
"""

from __future__ import annotations

from fastedit.formats import hashline_json, hashline_tagged
from fastedit.formats.base import Format
from fastedit.formats.hashline_anchor import NAME

FORMAT = Format(NAME, (hashline_json.find, hashline_tagged.find))
