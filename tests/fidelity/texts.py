"""What a file may hold that breaks tools: encodings, and lines with characters that something somewhere mistreats.

Most of it is in texts.toml.
"""

from __future__ import annotations

import codecs
import random
import tomllib
from dataclasses import dataclass
from pathlib import Path

LONG = 100_000  # characters
_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a file's text becomes bytes. `declares` is a first line that names the encoding, `sample` what it can say."""

    name: str
    codec: str = "utf-8"
    boms: int = 0
    declares: str = ""
    sample: str = "naïve café"

    @property
    def bom(self) -> bytes:
        return ("\ufeff" * self.boms).encode(self.codec)

    def encode(self, text: str) -> bytes:
        return self.bom + text.encode(self.codec)


SPELLINGS = tuple(Spelling(**told) for told in _TOLD["spellings"])
PLAIN = SPELLINGS[0]
FEATURES: dict[str, tuple[str, ...]] = {
    **{name: tuple(lines) for name, lines in _TOLD["features"].items()},
    "a long line": (f'long = "{"x" * LONG}"',),
    "a long line of emoji": (f"# {'😀' * (LONG // 2)}",),
    "a long line of blanks": (f"#{' ' * LONG}.",),
    "the same line many times": ("total = total + 1",) * 40,
    "deep indentation": tuple(f"{' ' * depth}# deep" for depth in range(0, 200, 8)),
}


def binaries(seed: int) -> dict[str, bytes]:
    """What is no text in any encoding that it declares; to be refused."""
    rng = random.Random(seed)
    code = b"def target(value):\n    total = value + 1\n    return total\n"
    return {
        "random bytes": rng.randbytes(2000),
        "NUL in the middle": code[:20] + b"\0" + code[20:],
        "cut off in a character": code + "é".encode()[:1],
        "an overlong slash": code + b"# \xc0\xaf\n",
        "a surrogate": code + b"# \xed\xa0\x80\n",
        "beyond Unicode": code + b"# \xf5\x80\x80\x80\n",
        "half a UTF-16 unit": codecs.BOM_UTF16_LE + code.decode().encode("utf-16-le") + b"x",
        "a lone UTF-16 surrogate": codecs.BOM_UTF16_LE + code.decode().encode("utf-16-le") + b"\x00\xd8",
        "a truncated JIS escape": b"# coding: iso2022_jp\n" + code + b"\x1b$B\x24",
    }


def degenerate() -> dict[str, bytes]:
    """Files that are hardly there."""
    return {
        "empty": b"",
        "only a BOM": codecs.BOM_UTF8,
        "only an LF": b"\n",
        "only a CR": b"\r",
        "only a CR LF": b"\r\n",
        "ten blank lines": b"\n" * 10,
        "blanks without a line end": b"   \t",
        "one character": b"x",
        "one letter and a CR": b"x\r",
    }
