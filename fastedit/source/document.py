"""A text file as text: what its bytes say, and how to say new text in the same way.

Knows encodings and line ends; does not know what an edit is.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fastedit.errors import FileUnreadable, TooLong, Undecodable
from fastedit.source.languages import named, notation_of

MOST_BYTES = 8 << 20  # planning takes up to a hundred times as much memory, and some devices never end
_LINE_END = re.compile(r"(\r\n|\n|\r)")
# PEP 263, "Defining the Encoding"; the second line counts only where the first is a comment or blank.
_DECLARATION = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_COMMENT_OR_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_HEAD = 4096  # bytes in which those lines must stand
_EMACS_LINE_END = re.compile(r"-(?:unix|dos|mac)$")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Document:
    """One file. `text` keeps every line end and leaves out the `bom`; `sha256` is of the bytes, in hex.

    `language` is what its caller says that it is written in; None leaves that to `fastedit.source.language`.
    """

    text: str
    encoding: str
    bom: bytes
    sha256: str
    path: Path | None = None
    language: str | None = None

    @classmethod
    def read(cls, path: str | Path, opener: Callable[[str, int], int] | None = None) -> Document:
        """The file at `path`, which `opener` opens as that of `open` does. Raises FileUnreadable, Undecodable or
        TooLong."""
        path = Path(path)
        try:
            with open(path, "rb", opener=opener or _open_without_waiting) as file:
                data = file.read(MOST_BYTES + 1) or b""
                abandoned = not data and stat.S_ISFIFO(os.fstat(file.fileno()).st_mode)
        except FileNotFoundError:
            raise FileUnreadable(f"{path}: no such file; check the path") from None
        except IsADirectoryError:
            raise FileUnreadable(f"{path}: is a folder; name a file in it") from None
        except PermissionError:
            raise FileUnreadable(f"{path}: permission denied; make it readable first") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FileUnreadable(f"{path}: {reason}; check the path") from None
        if abandoned:
            raise FileUnreadable(f"{path}: is a pipe that nothing is written to; name a file")
        return cls.from_bytes(data, path)

    @classmethod
    def from_bytes(cls, data: bytes, path: Path | None = None) -> Document:
        """The document these bytes spell. Raises Undecodable unless its text encodes to the same bytes, or TooLong."""
        name = str(path) if path else "the input"
        if len(data) > MOST_BYTES:
            raise TooLong(
                f"{name}: has more than {MOST_BYTES >> 20} MiB; cut out the part that is to be edited"
            )
        bom, encoding = _detect(data, path)
        try:
            text = data[len(bom) :].decode(encoding)
            # Strict UTF-8 spells no character in two ways.
            exact = encoding == "utf-8" or text.encode(encoding) == data[len(bom) :]
        except UnicodeError as error:
            if b"\0" in data and not encoding.startswith(("utf-16", "utf-32")):
                raise Undecodable(
                    f"{name}: holds NUL bytes, so it looks binary; only text files can be edited"
                ) from None
            offset = getattr(error, "start", 0) + len(bom)
            raise Undecodable(
                f"{name}: byte {offset} is not {encoding}; convert the file to UTF-8 or declare its encoding in a "
                "comment on its first two lines (`coding: latin-1`)"
            ) from None
        if "\0" in text:
            raise Undecodable(f"{name}: holds NUL bytes, so it looks binary; only text files can be edited")
        if not exact:
            raise Undecodable(
                f"{name}: does not survive decoding as {encoding} and back; convert the file to UTF-8"
            )
        return cls(text, encoding, bom, hashlib.sha256(data).hexdigest(), path)

    @classmethod
    def from_text(cls, text: str, path: Path | None = None) -> Document:
        """A document whose bytes are `text` in UTF-8, whatever the text declares. Raises Undecodable."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Undecodable(f"{path or 'the input'}: lone surrogate at character {error.start}") from None
        if "\0" in text:
            raise Undecodable(f"{path or 'the input'}: holds NUL characters; only text can be edited")
        return cls(text, "utf-8", b"", hashlib.sha256(data).hexdigest(), path)

    @property
    def mark(self) -> str:
        """The BOM as a character, as a text of the whole file may begin with it."""
        return "\ufeff" if self.bom else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; empty text has none. Only CR LF, LF and CR end a line."""
        return self._split[0]

    @property
    def ends(self) -> tuple[str, ...]:
        """The end of each line; `""` for a last line without one."""
        return self._split[1]

    @cached_property
    def _split(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if "\r" not in self.text:
            return self._split_at_lf()
        parts = _LINE_END.split(self.text)
        if parts[-1]:
            parts.append("")
        else:
            parts.pop()
        return tuple(parts[0::2]), tuple(parts[1::2])

    def _split_at_lf(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """As most files are: several times faster than by the pattern."""
        lines = self.text.split("\n")
        if lines[-1]:
            return tuple(lines), ("\n",) * (len(lines) - 1) + ("",)
        return tuple(lines[:-1]), ("\n",) * (len(lines) - 1)

    @cached_property
    def newline(self) -> str:
        """The most common line end, LF where there is none."""
        counts = Counter(self.ends)
        del counts[""]
        return counts.most_common(1)[0][0] if counts else "\n"

    def encode(self, text: str) -> bytes:
        """New text as bytes, in this document's encoding and with its BOM. Raises Undecodable."""
        name = str(self.path) if self.path else "the input"
        try:
            data = self.bom + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise Undecodable(
                f"{name}: the new text has {text[error.start]!r}, which {self.encoding} cannot express; "
                "convert the file to UTF-8 first"
            ) from None
        if "\0" in text:
            raise Undecodable(f"{name}: the new text holds NUL characters; nothing can be done with it")
        declared = _declared_in(text)
        if declared != _declared_in(self.text) and not _reads_as(data, text, self.path):
            raise Undecodable(
                f"{name}: the edit declares the encoding {declared or 'utf-8'} for a file in {self.encoding}; "
                "convert the file first"
            )
        return data


def _open_without_waiting(path: str, flags: int) -> int:
    """Opening a pipe waits for its writer, which may never come; reading one without a writer ends at once."""
    file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows has none, nor pipes in folders
    os.set_blocking(file, True)
    return file


def _reads_as(data: bytes, text: str, path: Path | None) -> bool:
    """Whether what the bytes declare makes this text of them. Raises Undecodable like `_detect`."""
    bom, encoding = _detect(data, path)
    try:
        return data[len(bom) :].decode(encoding) == text
    except UnicodeError:
        return False


def _detect(data: bytes, path: Path | None) -> tuple[bytes, str]:
    """The BOM and the codec's name: by BOM, by declaration, else UTF-8."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return bom, encoding
    declared = _declared(data)
    if declared is None:
        return b"", "utf-8"
    try:
        codec = codecs.lookup(_EMACS_LINE_END.sub("", declared))
        if codec._is_text_encoding:
            return b"", codec.name.removesuffix("-sig")
    except LookupError:
        pass
    # "# Content-encoding: gzip" in a configuration file declares nothing.
    if path is not None and named(notation_of(path, "")).declares_encoding:
        raise Undecodable(f"{path}: declares the unknown encoding {declared!r}; correct its first lines")
    return b"", "utf-8"


def _declared_in(text: str) -> str | None:
    return _declared(text[:_HEAD].encode("utf-8", "replace"))


def _declared(data: bytes) -> str | None:
    """The encoding that a comment in the first two lines names (PEP 263), in any kind of file."""
    for line in re.split(rb"\r\n|\n|\r", data[:_HEAD], maxsplit=2)[:2]:
        if match := _DECLARATION.match(line):
            return match[1].decode("ascii", "replace").lower()
        if not _COMMENT_OR_BLANK.match(line):
            return None
    return None
