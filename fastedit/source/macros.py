"""C and C++ as their grammars can read them: without lines of the preprocessor, and with macros as what they may be.

A text is valid once its macros are replaced, and what they are is mostly said in other files. Which words are macros is
told by the place that they stand in, where no name can, or by convention: they are written in capitals.
"""

from __future__ import annotations

import re

_NEAR = 1000  # characters above a line, in which the one above it is looked for
_CAPITALS = r"\b[A-Z_][A-Z0-9_]*[A-Z][A-Z0-9_]*\b"
# With brackets three deep, and no statement within.
_FLAT = r"[^(){};]"
_ARGUMENTS = rf"\((?:{_FLAT}|\((?:{_FLAT}|\((?:{_FLAT}|\({_FLAT}*+\))*+\))*+\))*+\)"
_WORDS = (
    "if|for|while|switch|catch|return|else|do|sizeof|constexpr|requires|noexcept|decltype|alignas|defined"
)
# What may stand between any two lines. Conditions are not among it: they say which lines there are.
_DIRECTIVE = re.compile(
    r"""^[^\S\n]*+\#[^\S\n]*+(?:(?:define|undef|pragma|error|warning|line)\b(?:[^\n\\]|\\.)*+
    |include(?:_next)?[^\S\n]*+(?:<[^<>\n]++>|"[^"\n]++"|\w++)[^\S\n]*+(?:/[/*][^\n]*+)?$)""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
# `FOREACH(item, list) {` and `TEST_CASE("it loads") {`.
_HEAD = re.compile(
    rf"^([^\S\n]*+(?:\}}[^\S\n]*+)?+)(?!(?:{_WORDS})\b)([A-Za-z_]\w*+)\s*+({_ARGUMENTS})(?=\s*+\{{)",
    re.MULTILINE,
)
# `BEGIN_NAMESPACE` and `ENTRY(LOAD, 1)` on a line of their own.
_ALONE = re.compile(rf"\s*+({_CAPITALS})\s*+(?:{_ARGUMENTS})?+\s*+(?://.*|/\*.*\*/\s*)?\Z")
_CALL = re.compile(rf"^[^\S\n]*+({_CAPITALS})[^\S\n]*+(?:\([^\n]*)?;[^\S\n]*$", re.MULTILINE)
_COMMENT = re.compile(r"\s*+(?://|/\*|\*|\Z)|.*\*/\s*\Z")
_ENDED = re.compile(r".*(?:[;{}]|(?<!:):)\s*+(?://.*|/\*.*\*/\s*)?\Z|\s*+#")
# One of two words in a row is no name: the first of three (`API int f();`), one behind a type (`int CALLBACK f();`, or
# at the end of a line where the next begins at the margin, as no statement of a function does), between strings, and
# behind a head.
_NO_TYPE = re.sub(
    r"\w+ ?",
    lambda word: rf"(?<!\b{word[0].strip()}[^\S\n])",
    "static extern const inline typedef volatile struct union enum return goto case else new",
)
_BESIDE = re.compile(
    rf"""(?P<line>^[^\S\n]*+\#(?:[^\n\\]|\\.)*+)
    | (?:^[^\S\n]*+|(?<=[\w)"(,;][^\S\n])|(?<=\()){_CAPITALS}(?:\([^()\n]*+\))?+
      (?=[^\S\n]++[A-Za-z_][\w:]*+(?:[^\S\n]*+[*&][\s*&]*+|[^\S\n]++)[A-Za-z_])
    | (?<=[\w)"*][^\S\n]){_NO_TYPE}{_CAPITALS}(?:\([^()\n]*+\))?+(?=[^\S\n]*+["\w]|\n[A-Za-z_])
    | (?<=\(){_CAPITALS}(?=[^\S\n]*+\*[^\S\n]*+\w++\))
    | (?<=\))[^\S\n]*+{_CAPITALS}[^\S\n]*+(?:{_ARGUMENTS})?+(?=[^\S\n]*+[;{{])""",
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
# `va_arg(rest, char *)`: a type among values.
_POINTER = re.compile(r"(?<=\w)[^\S\n]*+\*++(?=[^\S\n]*+[,)])")
_TYPE = re.compile(
    r"(?<=[(,])([^\S\n]*+)(?:(?:struct|union|enum)\s++(?=\w++\s*+[,)])"
    r"|(?:(?:unsigned|signed|long|short)\s++)++(?=(?:long|short|int|char)\s*+[,)]))"
)
_TYPENAME = re.compile(r"(?<=\busing)[^\S\n]++typename\b")  # which says the same and which the grammar lacks


def respelled(text: str) -> str:
    text = _DIRECTIVE.sub(_blank, text)
    text = _BESIDE.sub(lambda found: found["line"] or "", "\n".join(_statements(text)))
    text = _TYPE.sub(r"\1", _TYPENAME.sub("", _POINTER.sub("", text)))
    return _HEAD.sub(lambda found: _head(found) if _begins(text, found.start()) else found[0], text)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _head(found: re.Match[str]) -> str:
    """A function, which the grammars know at all depths."""
    return f"{found[1]}void {found[2]}(){_blank(found)}"


def _begins(text: str, at: int) -> bool:
    """Whether a statement may begin at the start of a line."""
    above = text[:at].rstrip() if at < _NEAR else text[at - _NEAR : at].rstrip()
    line = above.rpartition("\n")[2]
    return not line or _COMMENT.match(line) is not None or _ENDED.match(line) is not None


def _statements(text: str) -> list[str]:
    """The lines, those blank that are a macro alone below a statement that has ended, but for one that a semicolon ends
    elsewhere."""
    left, ended = list[str](), True
    calls = set(_CALL.findall(text))
    for line in text.split("\n"):
        found = _ALONE.match(line) if ended else None
        alone = found is not None and found[1] not in calls
        left.append("" if alone else line)
        if not alone and not _COMMENT.match(line):
            ended = _ENDED.match(line) is not None
    return left
