"""Which files of a package are worth learning from: written by hand, readable, in a language of the corpus."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from fastedit.source.languages import TEXT, named, notation_of

FEWEST_LINES, MOST_LINES, MOST_CHARACTERS = 8, 8_000, 300_000
LONGEST_LINE = 400  # beyond it a file is taken for a minified one
MOST_DIGITS = 0.25  # beyond this share of a file's characters it is a table of data
_NOT_OURS = re.compile(
    r"node_modules|bower_components|_?vendor(ed)?|(third|3rd)[-_]?party|extern(als?)?|dist|umd|cjs|esm|"
    r"_*generated_*|__snapshots__"
)
_BUILT = re.compile(
    r"\.(ipynb|geojson|webmanifest)$|\.min\.\w+$|\.d\.[mc]?ts$|\.bundle\.js$|[-.]lock\.(json|yaml)$|_pb2(_grpc)?\.py$|\.pb\.\w+$"
)
_GENERATED = re.compile(
    r"generated (by|from|file|code|automatically)|(do not|don't|never) (edit|modify)|@generated|auto-?generated|"
    r"automatically generated|machine[- ]generated|name=\"generator\"|creator *: groff",
    re.I,
)
# What TypeScript and Babel write at the head, and Flow, which no parser of JavaScript reads.
_COMPILED = re.compile(r"__esModule|_interopRequire|__importDefault|@flow\b|__webpack_require__|define\.amd")
_COPYLEFT = re.compile(r"General\s+Public\s+License|\b[AL]?GPL\b|Mozilla\s+Public|Eclipse\s+Public", re.I)


def corpus_language(path: PurePosixPath, text: str) -> str:
    """The name under which the corpus counts a file: a language that is learned, or `"text"`."""
    known = notation_of(Path(path), text)
    return known if named(known).corpus_share else TEXT


def in_language(path: PurePosixPath) -> bool:
    """Whether a path alone promises a language of the corpus, before its text is read."""
    return not path.suffix or corpus_language(path, "") != TEXT


def is_own(path: PurePosixPath) -> bool:
    """Whether the package itself wrote the file: not vendored, built, minified or locked by a tool."""
    return not any(map(_NOT_OURS.fullmatch, path.parts)) and not _BUILT.search(path.name)


def is_written(text: str, language: str) -> bool:
    """Whether a person wrote the text under a licence like its package's: neither tiny, generated nor copyleft."""
    if not FEWEST_LINES <= text.count("\n") <= MOST_LINES or len(text) > MOST_CHARACTERS:
        return False
    if "\r" in text or "\0" in text or "\ufffd" in text or max(map(len, text.split("\n"))) > LONGEST_LINE:
        return False
    if sum(map(text.count, "0123456789")) > MOST_DIGITS * len(text):
        return False
    head = text[:3000]
    if _GENERATED.search(head[:1000]) or _COPYLEFT.search(head):
        return False
    if named(language).compiled_to:
        return not _COMPILED.search(head) and "sourceMappingURL=" not in text[-400:]
    return True
