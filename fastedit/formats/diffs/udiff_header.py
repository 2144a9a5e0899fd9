"""The lines of a diff that say which file it is about: `---` and `+++`, and git's extended headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha1

from fastedit.formats.base import Tag
from fastedit.formats.diffs.udiff_hunk import is_hunk_header, read_hunk_header
from fastedit.source.lines import with_lf

NOTHING = "/dev/null"
CONTEXT_HEADER = 3  # lines
_COMMAND = re.compile(r"diff -\S+ ")
_FIELDS = (
    "Index: ", "====", "old mode ", "new mode ", "new file mode ", "deleted file mode ", "similarity index ",
    "dissimilarity index ", "rename from ", "rename to ", "copy from ", "copy to ", "index ", "--- ", "+++ ",
    "Binary files ", "GIT binary patch",
)  # fmt: skip
_TIMESTAMP = re.compile(r"\t.*|(?<!\s)\s++\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*")
_TIME = re.compile(r"\t(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.0+)? ([-+]\d{4})\s*$")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_BLOBS = re.compile(r"([0-9a-f]{7,40})\.\.[0-9a-f]")
_QUOTED = re.compile(r'(?<!\\)"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True)
class FileHeader:
    """The header of one file, by the words its lines start with. Without any: hunks for the file the caller names.

    `below`: the first folders of both names tell the sides apart, and are no part of the path.
    """

    fields: dict[str, str] = field(default_factory=dict)
    below: bool = False

    @property
    def sides(self) -> tuple[str | None, str | None]:
        """The paths before and after the change as the diff has them: with prefixes, `/dev/null` for no file."""
        return self._side("--- ", 0), self._side("+++ ", 1)

    def _side(self, name: str, index: int) -> str | None:
        if name not in self.fields:
            return self._commanded[index]
        if _is_epoch(self.fields[name]) and not all(
            _is_epoch(self.fields.get(each, "")) for each in ("--- ", "+++ ")
        ):
            return NOTHING
        return read_path(self.fields[name]) or None

    @property
    def _commanded(self) -> tuple[str | None, str | None]:
        """Both names in the line `diff --git`."""
        return _git_paths(self.fields["diff "]) if "diff " in self.fields else (None, None)

    @property
    def names(self) -> tuple[str | None, str | None]:
        """What the sides are called, also where they have no such file."""
        return self._name("--- ", 0), self._name("+++ ", 1)

    def _name(self, name: str, index: int) -> str | None:
        found, commanded = read_path(self.fields.get(name, "")), self._commanded[index]
        return found if found and found != NOTHING else commanded or found or None

    @property
    def folders(self) -> tuple[str, str] | None:
        """The first folders of both names, where nothing else tells them apart."""
        (old, at, rest), (new, _, other) = ((name or "").partition("/") for name in self.names)
        return (old, new) if at and old and old != new and rest == other else None

    @property
    def path(self) -> str | None:
        """The file after the change, before a rename; without prefixes. None if no line names one."""
        if "rename from " in self.fields:
            return read_path(self.fields["rename from "])
        old, new = self.names
        if self.below and new is not None:
            return new.partition("/")[2]
        return strip_prefixes(old, new) or self.fields.get("Index: ")

    @property
    def renamed_to(self) -> str | None:
        return read_path(self.fields["rename to "]) if "rename to " in self.fields else None

    @property
    def contradiction(self) -> str | None:
        """Two lines that name different files, where one says which is renamed, or to what."""
        for word, side in zip(("rename from ", "rename to "), self.sides, strict=True):
            name = read_path(self.fields.get(word, ""))
            if name and side and not (_ends(side, name) or _ends(name, _rest(side))):
                return f"`{word}{name}` and `{side}`"
        return None

    @property
    def created(self) -> bool:
        return "new file mode " in self.fields or self.sides[0] == NOTHING

    @property
    def deleted(self) -> bool:
        return "deleted file mode " in self.fields or self.sides[1] == NOTHING

    @property
    def tag(self) -> Tag | None:
        """The hash of the file before the change, which git writes into the header."""
        old = _BLOBS.match(self.fields.get("index ", ""))
        return Tag(None, old[1], partial(_blob_hash, old[1])) if old else None

    @property
    def new_mode(self) -> str:
        """The mode that a file which stays gets, empty where it keeps its own."""
        return self.fields.get("new mode ", "").strip()

    @property
    def mode(self) -> str:
        """The file's mode after the change, as far as the header has it."""
        index = self.fields.get("index ", "").partition(" ")[2]
        return self.fields.get("new file mode ", self.fields.get("new mode ", index)).strip()


def _is_epoch(text: str) -> bool:
    """Whether a name has the timestamp that `diff -N` gives to a file which is not there: that of time 0, here."""
    found = _TIME.search(text)
    if found is None:
        return False
    try:
        return datetime.strptime(" ".join(found.groups()), "%Y-%m-%d %H:%M:%S %z").timestamp() == 0
    except ValueError:
        return False


def _blob_hash(value: str, text: str) -> str:
    """`value` if the text, or with LF as git may store it, has a blob hash that begins so."""
    for data in (text.encode(), with_lf(text).encode()):
        found = sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()
        if found.startswith(value):
            return value
    return found


def starts_file(lines: Sequence[str], at: int) -> bool:
    """Whether the line, outside of hunks, starts the header of a file."""
    line = lines[at]
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if line.startswith("--- "):
        return below.startswith("+++ ") or is_hunk_header(below)
    if line.startswith("+++ "):
        return is_hunk_header(below)
    if line.startswith("Index: "):
        return below.startswith("====")
    if line.startswith("rename from "):
        return below.startswith("rename to ")
    return _COMMAND.match(line) is not None and (_field(below) is not None or is_hunk_header(below))


def starts_context_diff(lines: Sequence[str], at: int) -> bool:
    """Whether the line starts the header of a file in a diff of another kind, `diff -c`."""
    header = lines[at : at + CONTEXT_HEADER]
    return (
        len(header) == CONTEXT_HEADER
        and all(map(str.startswith, header, ("*** ", "--- ")))
        and header[-1].rstrip() == "*" * 15
    )


def _field(line: str) -> str | None:
    """The words that a line of a header starts with."""
    if _COMMAND.match(line):
        return "diff "
    return next((name for name in _FIELDS if line.startswith(name)), None)


def read_file_header(lines: Sequence[str], at: int) -> tuple[FileHeader, int]:
    """The header that starts at a line, and the line after it."""
    header = FileHeader()
    fields = header.fields
    while at < len(lines):
        line = lines[at]
        name = _field(line)
        if name is None or name in fields or (name == "diff " and fields) or "+++ " in fields:
            break
        if name == "--- " and not starts_file(lines, at):
            break
        fields[name] = line[len(name) :]
        at += 1
        if name == "--- " and is_hunk_header(lines[at]):
            break
    if at < len(lines) and is_hunk_header(lines[at]):
        hunk = read_hunk_header(lines[at])
        for name, count in (("--- ", hunk.old_count), ("+++ ", hunk.new_count)):
            if count and name in fields:  # a file that has lines is there, whatever its time
                fields[name] = _TIME.sub("", fields[name])
    return header, at


def read_path(text: str) -> str:
    """A path as in a header line, without a timestamp and C quotes."""
    quoted = _QUOTED.match(text.strip())
    return _unquote(quoted[0]) if quoted else _TIMESTAMP.sub("", text).strip()


def _unquote(text: str) -> str:
    def character(match: re.Match[bytes]) -> bytes:
        escape = match[1]
        return bytes([int(escape, 8) & 0xFF]) if len(escape) == 3 else _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(character, text[1:-1].encode()).decode(errors="surrogateescape")


def _git_paths(text: str) -> tuple[str | None, str | None]:
    """Both paths of `diff --git a/x b/x`. Unquoted blanks are part of a name, so the names have to agree."""
    text = text.split(" ", 1)[-1]
    quoted = _QUOTED.findall(text)
    if len(quoted) == 2:
        return _unquote(quoted[0]), _unquote(quoted[1])
    if text.count(" ") == 1:
        old, new = text.split(" ")
        return read_path(old), read_path(new)
    middle = len(text) // 2  # names that agree are as long, but for a prefix
    for cut in range(max(middle - 2, 0), middle + 3):
        if text[cut : cut + 1] == " ":
            old, new = read_path(text[:cut]), read_path(text[cut:])
            if old == new or _rest(old) == _rest(new) != "":
                return old, new
    return None, None


def strip_prefixes(old: str | None, new: str | None) -> str | None:
    """The path that both sides mean, without `a/` and `b/` or what else tells the sides apart."""
    if old is None or old == NOTHING:
        return None if new is None or new == NOTHING else new.removeprefix("b/")
    if new is None or new == NOTHING:
        return old.removeprefix("a/")
    if old == new or old == _rest(new):
        return old
    if _rest(old) in (_rest(new), new):
        return _rest(old)
    return _rest(new) if old.startswith("a/") and new.startswith("b/") else new


def _ends(path: str, name: str) -> bool:
    return f"/{path}".endswith(f"/{name}")


def _rest(path: str) -> str:
    """The path without a first component of one character, which is a side's prefix: a, b, i, w and others."""
    return path[2:] if path[1:2] == "/" else path
