"""Code that a sentence spells without quotes, where nothing but code is spelled so: it gets ticks."""

from __future__ import annotations

import re
from collections.abc import Callable

from fastedit.edit.codemod.phrases import with_names_joined, with_plain_quotes
from fastedit.edit.codemod.source import TICKED, Source

_TEXT = r"\"[^\"\n]*\"|'[^'\n]*'"
_VALUE = rf"(?:{_TEXT}|-?\d[\d_]*(?:\.\d+)?|\[\]|\{{\}}|(?:True|False|None|true|false|null)\b)"
_NAME = r"[A-Za-z_$][\w$]*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_TYPE = r"(?:int|str|float|bool|bytes|list|dict|tuple|None)"
_END = r"(?=[.,;:!?)]*(?:\s|\Z))"
# `(s)` is a plural, and dots within stand for what everybody knows.
_CALL = rf"(?:new )?{_PATH}\((?!s\))(?!\.\.\.)(?:{_TEXT}|[^()\n\"'`…]|\((?:{_TEXT}|[^()\n\"'`…])*\))+\){_END}"
_KEYWORD = rf"{_NAME}=(?:{_VALUE}|{_PATH}){_END}"
_GENERIC = rf"{_NAME}(?:\[[\w.,| ]+\]|<[\w., ]+>){_END}"
_SIGNS = r"===|!==|==|!=|>=|<=|\+=|-=|\*=|/=|%=|&&|\|\||<|>"
_COMPARED = rf"(?P<left>{_PATH}) (?P<between>{_SIGNS}) (?P<right>{_VALUE}|{_PATH}){_END}"
# What a collection is to get, or a function.
_ADDED = r"(?:(?<=add )|(?<=add a )|(?<=add an ))"
_GIVEN = rf"{_ADDED}(?:{_TEXT}|[\w-]+): {_VALUE}(?= (?:to|in|into)\b)"
_MEMBER = rf"{_ADDED}{_NAME} = {_VALUE}(?= (?:to|in|into|member|value|entry)\b)"
# `requests>=2.31`, as lists of dependencies have it.
_REQUIRED = rf"[A-Za-z][\w.-]{{,60}}(?:\[[\w,]+\])?(?:[=~!><]=|\^)\d[\w.*]*{_END}"
_PARAMETER = rf"{_NAME}(?:: ?{_PATH})? ?= ?{_VALUE}(?= (?:parameter|param|argument|arg|kwarg|field)\b)"
# "Replace == by !=": these are no operands, though a file may have such words as well.
_BEFORE_SIGN = frozenset(
    """replace change turn make use using be the a an swap with by to into want wants needs
    says has""".split()  # noqa: SIM905
)
_BEHIND_SIGN = frozenset(
    """by with to into in of on instead rather should must not and or is but as there
    here where""".split()  # noqa: SIM905
)
_LONE_SIGN = rf"(?:{_SIGNS})(?=[.,;!?]?(?:\s|\Z))"
# "The and in `a and b` should be or", "- instead of +", "or, not and"
_EITHER = r"(?:and|or)(?![\w'])|[-+*/%](?=[ ,.;]|\Z)"
_BECOMES = (
    r"(?: to| with| by| into| for| instead of| rather than| in place of| as opposed to| over|,? it should (?:say|be"
    r"|read|use)| where it (?:needs|wants|has|says|uses|should be)"
    r"| (?:should|must|has to|ought to|needs to) (?:be|become|read|have been)| becomes| is wrong,? (?:it"
    r" )?(?:should|must) be|,?"
    r" (?:and |but )?not"
    r"| is the wrong operator(?: here| (?:in|of|on) `[^`\n]+`)?[,;:]? (?:use|make it|it should be)| ?(?:->|=>|→))"
)
_ITS_LINE = r"(?: (?:in|of|on) `[^`\n]+`)?"
_TURNS_INTO = rf"{_ITS_LINE}(?:{_BECOMES} ?(?:an? |the )?| an? )"
_WORD_SIGNS = rf"(?P<old>{_EITHER})(?P<becomes>{_TURNS_INTO})(?P<new>{_EITHER})"
_PIECES = re.compile(
    rf"{TICKED}|(?<![\w.$\"'])(?:(?P<code>{_CALL}|{_KEYWORD}|{_GENERIC}|{_GIVEN}|{_MEMBER}|{_REQUIRED}|{_PARAMETER})"
    rf"|(?P<compared>{_COMPARED})|(?P<worded>{_WORD_SIGNS}))|(?<!\S)(?P<sign>{_LONE_SIGN})"
    rf"|(?<= )\((?P<type>{_TYPE})\){_END}|(?<= )(?P<returned>{_TYPE}|void|boolean|string|number)(?= return type\b)"
    rf"|(?<=: )(?P<comment>(?://|#) [^`]{{0,200}}[^`\s])(?=\s*\Z)|(?P<text>(?<![\w$]){_TEXT}(?!\w))"
)
_SPELLED = ("code", "sign", "type", "returned", "comment")
_TYPED = re.compile(
    rf"(?:(?<=\ba )|(?<=\ban )|(?<=\bnew ))(?P<first>{_NAME}) (?P<second>{_NAME})"
    r"(?= (?:parameter|param|argument|arg)\b)"
)
# Macros of Rust: at the end of a word the sign would be taken for the sentence's.
_MACRO = re.compile(r"(?<![\w`.\"'])[a-z_]\w*!(?=[.,;]?(?:\s|\Z))")
_PLAIN_TYPE = re.compile(
    r"[A-Z]\w*|int|long|short|byte|char|float|double|boolean|bool|string|error|any|u?int\d+"
)
# "`load`(...)": whatever it is called with.
_ANY_ARGUMENTS = re.compile(r"(?<=[`'\"])\((?:\.\.\.|…)\)")
_FIRST_NAMED = re.compile(rf"(?P<name>{_NAME}): +(?P<rest>\S.*)", re.DOTALL)


def with_code_quoted(text: str, source: Source) -> str:
    """The sentence with ticks around calls, keyword arguments, comparisons, operators and types; in "load: add x" the
    definition is said to be the place. What it shows on lines of its own is left as it is.
    """
    if "\n" in text:
        return text
    text = _ANY_ARGUMENTS.sub("", with_plain_quotes(text, source))
    first = _FIRST_NAMED.fullmatch(text)
    if first and source.only(first["name"]) is not None:
        text = f"in {first['name']}, {first['rest']}"
    if source.language == "rust":
        text = _MACRO.sub(lambda found: f"`{found[0]}`", text)
    text = _TYPED.sub(_parameter(source.language), with_names_joined(text, source))
    return _PIECES.sub(_ticked(source), text)


def _parameter(language: str) -> Callable[[re.Match[str]], str]:
    """Where a type is not set apart by a colon, it stands before the name, in Go behind it."""
    place = {"java": "first", "c": "first", "cpp": "first", "go": "second"}.get(language)

    def tick(found: re.Match[str]) -> str:
        typed = place is not None and _PLAIN_TYPE.fullmatch(found[place]) is not None
        return f"`{found[0]}`" if typed else found[0]

    return tick


def _ticked(source: Source) -> Callable[[re.Match[str]], str]:
    def tick(found: re.Match[str]) -> str:
        if found["worded"]:
            if found["old"].isalpha() != found["new"].isalpha() or found["old"] == found["new"]:
                return found[0]
            return f"`{found['old']}`{found['becomes']}`{found['new']}`"
        if found["compared"]:
            spoken = found["left"].lower() in _BEFORE_SIGN or found["right"].lower() in _BEHIND_SIGN
            whole = not spoken and _stands(source, found["left"]) and _stands(source, found["right"])
            code = found[0] if whole else found["between"]
            return found[0].replace(code, f"`{code}`")
        code = next(filter(None, map(found.__getitem__, _SPELLED)), None)
        return found[0] if code is None else f"`{code}`"

    return tick


def _stands(source: Source, operand: str) -> bool:
    """Whether it is a value or all its names are the file's, so that it is no word of the sentence."""
    value = re.fullmatch(_VALUE, operand) is not None
    return value or source.vocabulary.issuperset(operand.split("."))
