"""What a file may hold that breaks tools: encodings, and lines with characters that something somewhere mistreats."""

from __future__ import annotations

import codecs
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a file's text becomes bytes. `declares` is a first line that names the encoding, `sample` what it can say."""

    name: str
    codec: str = "utf-8"
    bom: bytes = b""
    declares: str = ""
    sample: str = "naïve café"

    def encode(self, text: str) -> bytes:
        return self.bom + text.encode(self.codec)


PLAIN = Spelling("utf-8")
_BOMS = (
    Spelling("utf-8 with a BOM", bom=codecs.BOM_UTF8),
    Spelling("utf-16-le with a BOM", "utf-16-le", codecs.BOM_UTF16_LE, sample="naïve 日本 😀"),
    Spelling("utf-16-be with a BOM", "utf-16-be", codecs.BOM_UTF16_BE, sample="naïve 日本 😀"),
    Spelling("utf-32-le with a BOM", "utf-32-le", codecs.BOM_UTF32_LE),
    Spelling("utf-32-be with a BOM", "utf-32-be", codecs.BOM_UTF32_BE),
    Spelling("utf-16-le without a BOM", "utf-16-le"),
    Spelling("utf-8 with two BOMs", bom=2 * codecs.BOM_UTF8),
    Spelling("utf-8 with a BOM, declared", bom=codecs.BOM_UTF8, declares="# -*- coding: utf-8 -*-"),
    Spelling("utf-8-sig declared, no BOM", declares="# coding: utf-8-sig"),
    Spelling("utf-8-sig declared, with a BOM", bom=codecs.BOM_UTF8, declares="# coding: utf-8-sig"),
    Spelling("latin-1 declared behind a UTF-8 BOM", bom=codecs.BOM_UTF8, declares="# coding: latin-1"),
)
_DECLARED = {
    "latin-1": "naïve café",
    "cp1252": "“quoted” €",
    "iso8859-15": "œuvre €",
    "cp1251": "привет",
    "koi8-r": "привет",
    "cp437": "naïve ▓",
    "mac-roman": "naïve café",
    "shift_jis": "日本語 表示",  # 表 ends in a backslash's byte
    "euc_jp": "日本語",
    "iso2022_jp": "日本語 カナ",
    "gb18030": "简体 😀",
    "big5": "繁體 功能",
    "euc_kr": "한국어",
    "hz": "简体",
    "utf-7": "naïve 日本",
    "cp037": "plain",  # EBCDIC: its own declaration cannot be read
    "unicode_escape": "naïve",
    "raw_unicode_escape": "naïve 日本",
    "punycode": "naïve",
}
SPELLINGS = (
    PLAIN,
    *_BOMS,
    *(
        Spelling(f"{codec} declared", codec, b"", f"# -*- coding: {codec} -*-", sample)
        for codec, sample in _DECLARED.items()
    ),
    Spelling(
        "latin-1 declared for Emacs", "latin-1", declares="# -*- mode: python; coding: latin-1-unix -*-"
    ),
    Spelling("cp1252 declared for Vim", "cp1252", declares="# vim: set fileencoding=cp1252 :"),
    Spelling("latin-1 undeclared", "latin-1"),
    Spelling("latin-1 declared as utf-8", "latin-1", declares="# coding: utf-8"),
    Spelling("an unknown encoding declared", declares="# coding: klingon"),
    Spelling("no text encoding declared", declares="# coding: rot13"),
)

_CONTROLS = "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 32), *range(0x7F, 0xA0)]))
LONG = 100_000  # characters
FEATURES: dict[str, tuple[str, ...]] = {
    "tabs and trailing blanks": ("\tindented = 1\t\t# tab\t", "x = 1   \t ", "\t ", "   "),
    "control characters": (f'controls = "{_CONTROLS}"',),
    "what only Python takes for a line end": (
        "# \v vt \f ff \x1c fs \x1d gs \x1e rs \x85 nel \u2028 ls \u2029 ps",
    ),
    "a form feed on a line of its own": ("\f", "# page two"),
    "escape sequences": ("# \x1b[31mred\x1b[0m \x1b]0;title\x07",),
    "emoji": ("# 😀 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪",),
    "combining marks": ("# e\u0301 \u00e9 a\u0308\u0323 \u1e69 s\u0323\u0307 Z̷̢̛a̸l̵g̶o̷",),
    "right to left": ("# שלום עולם مرحبا \u202eflipped\u202c \u2066isolated\u2069 \u200f",),
    "invisible": ("# zero\u200bwidth \u2060 \u00ad \ufeff inside \u180e \u3000 \u00a0",),
    "rare planes": ("# \U0001f9ff \U00020000 \U000e0001 \ue000 \U0010fffd \ufffe \uffff \ufdd0",),
    "scripts": ("# 日本語 한국어 ไทย हिन्दी ქართული ｆｕｌｌ",),
    "normal forms": ("# ﬁ Å Å ½ ǆ \u1100\u1161 가 İı ß ẞ",),
    "markers": (
        "# ... existing code ...",
        "// ... existing code ...",
        "...",
        "# ... rest of the code ...",
        "# …",
    ),
    "tags of apply prompts": ("# </code> <update> </update> <code> </updated-code> <instruction>",),
    "tags of chat models": ("# <|im_end|> <|endoftext|> </s> [INST] <think> <|fim_middle|>",),
    "tags of the embedded model": ("# o17 u3 n4 keep drop given m0 close <o17> <keep>",),
    "fences": ("# ```python", "# ```", "# ~~~~", '# """'),
    "a conflict": ("# <<<<<<< HEAD", "# =======", "# >>>>>>> theirs", "# |||||||"),
    "a diff": ("# --- a/x.py", "# +++ b/x.py", "# @@ -1,2 +1,2 @@", "# \\ No newline at end of file"),
    "search and replace blocks": ("# <<<<<<< SEARCH", "# >>>>>>> REPLACE"),
    "quotes and backslashes": (r"""x = "\\ \n \t ' \" {x} %s $1 \\1 `cmd` &amp; <b>" """,),
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
