"""`bump postgres to 16`: the version of what a data file depends on."""

from __future__ import annotations

import re

from fastedit.edit.codemod.keys import DATA
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk

_WHAT = "[version|image|package|dependency|]"
_VERB = "[bump|upgrade|update]"
_SENTENCES = Sentences(
    f"{_VERB} {{the}}{{name:code}} {_WHAT} [to|->] [version|] {{version:code}}",
    f"{_VERB} {{the}}version of {{name:code}} [to|->] {{version:code}}",
    f"use {{the}}{{name:code}} {_WHAT} {{version:code}}",
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)*(?:[-+.][\w.]+)?")
# Before the version stands what ranges begin with: `"react": "^18.2.0"`, `requests>=2.28`, `image: postgres:14`.
_PINNED = (
    r"(?P<head>(?:^|[\s\"'/,\[]){name}(?:\[[\w,]+\])?[\"']?\s*(?:[=:]\s*(?:\{{\s*version\s*=\s*)?[\"']?[~^]?|@|[~=><!]=\s*)(?:>=\s*)?)"
    r"(?P<old>v?\d[\d.]*)(?P<tail>.*)"
)


def version(text: str, source: Source) -> Codemod | None:
    """None where the file names no version of it, several, or bounds it on both sides."""
    if source.language not in DATA:
        return None
    for told in _SENTENCES.read(text):
        new = told["version"]
        if not _VERSION.fullmatch(new) or told["name"] == "version":
            continue
        pinned = re.compile(_PINNED.format(name=re.escape(told["name"])))
        found = [(n, match) for n, line in enumerate(source.lines) if (match := pinned.search(line))]
        if len(found) != 1 or not source.holds(found[0][0], found[0][0] + 1):
            return None
        row, match = found[0]
        bounded = re.match(r"\s*,\s*[<>!]", match["tail"])
        put = f"v{new}" if match["old"].startswith("v") and not new.startswith("v") else new
        if put == match["old"] or bounded:
            return None
        marked = re.match(r"[\w.+-]", match["tail"]) is not None
        reasons = ("what stands behind the version may go with it",) if marked else ()
        line = source.lines[row]
        put = line[: match.start("old")] + put + match["tail"]
        return Codemod((Hunk(row, row + 1, (put,)),), reasons)
    return None
