"""Reading an update sketch: which of its lines are code, and which stand for code that stays.

Knows spellings; where the code belongs is `sketch`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from fastedit.source.examples import examples
from fastedit.source.fences import OPENING
from fastedit.source.languages import Language, named
from fastedit.source.original import original
from fastedit.source.update import Update, UpdateLine

_LINE_END = re.compile(r"\r\n|\n|\r")
_OPENER = re.compile(
    r"""(?P<open>\.\.(?=\s)|\{{1,2}-?\s*/\*+|\{\{!?--|/\*+|//+[/!]?|\#+|<!--+|<%(?:--|\#)|\{\#|\(\*+|--+(?:\[\[)?|;+|%+)
      | (?P<weak>'{3}|"{3}|\*+(?=\s)|!+(?=\s)|'(?=[^']*$)|"(?=[^"]*$)|rem\b|dnl\b)""",
    re.VERBOSE | re.IGNORECASE,
)
# Each run of blanks, stars, dashes or dots is tried from its start alone: a comment may hold thousands of them.
_CLOSER = re.compile(
    r"""(?<!\s)\s*+(?:(?<!\*)\*++(?:/\s*+-?\}{0,2}|\))|(?<!-)--++(?:%?>|\}\})|-?%>|\#\}|\]\]|'{3}|"{3})?\s*+[,;]?$"""
)
_BRACKETS = re.compile(r"[(\[{<](.*)[)\]}>]")
_ELLIPSES = "…‥⋮⋯⋰⋱︙"  # the signs that Unicode calls an ellipsis or a leader
_DOTS = rf"(?:\.{{3,}}|[{_ELLIPSES}]+|\.\ \.\ \.)"
_ANY_DOTS = re.compile(_DOTS)
_ONLY_DOTS = re.compile(rf"{_DOTS}[,;]?")
_DOTTED = re.compile(rf"\s*+(?:[(\[{{<]\s*+)?{_DOTS}")
_LAST_DOTS = rf"\s*+(?:(?<!\.)\.{{3,}}+|(?<![{_ELLIPSES}])[{_ELLIPSES}]++|\.\ \.\ \.)"
_ENDS_IN_DOTS = re.compile(rf"{_DOTS}\W*$")
_BODY = re.compile(
    rf"(?P<head>{_DOTS}(?P<gap>\s*+))?+(?P<said>(?:.*?\S)??)(?:(?P<tail>{_LAST_DOTS})|(?<![,;]))[\s,;]*+"
)
_WORD = re.compile(r"[^\W_]+(?:['_-][^\W_]+)*")
# What begins an item of a list or a line of a quotation.
_ITEM = re.compile(r"(?:[-*+>]|\d++[.)])\s++(?:\[[ xX]\]\s++)?")
# A key and its value, or a value alone, as files without comments have them; the key of a remark begins with a sign.
_DATUM = re.compile(r"""(?:"(?P<key>[^"]*+)"\s*+:\s*+)?(?P<value>"[^"]*+"|'[^']*+'|\S++)""")


def _vocabulary(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Said between dots, each of these words alone tells that code is left out.
_KEPT = _vocabulary(
    """existing rest remaining remainder unchanged unmodified untouched same previous original keep
    keeps kept other others omitted before snip snipped more remains stays continues skipped elided
    truncated brevity"""
)
# Without dots these begin a marker, and every word must be one of the plain words below.
_STRONG = _vocabulary("existing unchanged unmodified untouched rest remainder remaining")
_STATE = _vocabulary(
    """unchanged unmodified untouched same before remains remain stays stay omitted here is continues"""
)
_PLAIN = (
    _KEPT
    | _STATE
    | _vocabulary(
        """code file files function functions class classes method methods module import imports body
    content contents logic implementation implementations definition definitions field fields
    property properties props attributes test tests case cases script document config configuration
    component components struct interface route routes handler handlers style styles rule rules item
    items entries variable variables constant constants declarations statement statements line lines
    parameters arguments options settings setup member members type types helper helpers jsx markup
    html section sections text data docstring comment comments source public private the this your
    all of in as is are no change changes for and to everything goes exactly above below current
    here it leave left"""
    )
)
_LONGEST = 80
_DEFINITION = re.compile(r"(?:export\s+)?(?:async\s+)?(?:def|class|fn|func|function)\s+(\w+)")


@lru_cache(maxsize=1 << 12)  # most new lines of a reading are those of every other one too
def looks_like_marker(line: str) -> bool:
    """Whether this line, without its line end, is spelled like a marker in any language's comments."""
    text = line.strip()
    if not text or len(text) > _LONGEST:
        return False
    opener = _OPENER.match(text)
    if opener is None:
        return _bare_marker(text)
    body = _CLOSER.sub("", text[opener.end() :].strip())
    if opener["weak"] and (not _WORD.search(body) or (opener["weak"] in ("'''", '"""') and body == text[3:])):
        return False
    return _comment_marker(body)


def begins_with_dots(line: str) -> bool:
    """Whether this line is a comment that begins with dots, as markers do in whatever words."""
    text = line.strip()
    opener = _OPENER.match(text)
    if opener is None or opener["weak"]:
        return False
    return _DOTTED.match(text[opener.end() :]) is not None


def said_in_comment(line: str) -> str | None:
    """What a line says that is nothing but a comment, without dots and brackets around it; None for any other line.

    A run of `#` is a heading, and `--`, `;` or `%` before a letter begin no comment.
    """
    text = line.strip()
    opener = _OPENER.match(text)
    if opener is None or opener["weak"] or opener["open"].startswith("##"):
        return None
    if opener["open"][0] in "-;%" and not text[opener.end() :].startswith(" "):
        return None
    body = _CLOSER.sub("", text[opener.end() :].strip())
    brackets = _BRACKETS.fullmatch(body)
    found = _BODY.fullmatch(brackets[1].strip() if brackets else body)
    return found["said"] if found else None


def said_in_example(lines: Sequence[str]) -> list[str]:
    """The lines, stripped, of an example that are neither markers nor fences, and have a word."""
    texts = (line.strip() for line in lines if _WORD.search(line))
    return [text for text in texts if not looks_like_marker(text) and not OPENING.fullmatch(text)]


def _bare_marker(text: str) -> bool:
    if _ONLY_DOTS.fullmatch(text):
        return text[-1] not in ",;"
    brackets = _BRACKETS.fullmatch(text)
    if brackets and _ONLY_DOTS.fullmatch(brackets[1].strip()):
        return True
    found = _BODY.fullmatch(brackets[1].strip() if brackets else text)
    words = _words(found["said"]) if found else []
    # `...rest` is a spread and `[...others]` a pattern: prose has a space after the dots.
    if not found or not words or not found["head"] or not (found["gap"] or found["tail"]):
        return False
    if brackets:
        return bool(found["tail"]) and not _KEPT.isdisjoint(words)
    return (bool(found["tail"]) and words[0] in _KEPT) or (
        not _KEPT.isdisjoint(words) and _PLAIN.issuperset(words)
    )


def _entry_marker(text: str, is_data: bool) -> bool:
    """Whether a stripped line is an entry of a list, a table or an object that says nothing but that others stay: dots,
    or dots around words. What dots begin alone goes on: `- ... and more`."""
    if len(text) > _LONGEST:
        return False
    if text.startswith("|") and text.endswith("|"):
        cells = [cell.strip() for cell in text.split("|") if cell.strip()]
        return all(map(_ONLY_DOTS.fullmatch, cells)) if len(cells) > 1 else any(map(_bare_marker, cells))
    item = _ITEM.match(text)
    said = text[item.end() :] if item else text
    if item and looks_like_marker(said):
        return _OPENER.match(said) is not None or _ENDS_IN_DOTS.search(said) is not None
    datum = _DATUM.fullmatch(said.rstrip(",")) if is_data else None
    if datum is None:
        return False
    key, value = datum["key"], datum["value"].strip("\"'")
    if key is not None and looks_like_marker(key):
        return True
    return (key is None or not key[:1].isalnum()) and looks_like_marker(value)


def _comment_marker(body: str) -> bool:
    brackets = _BRACKETS.fullmatch(body)
    found = _BODY.fullmatch(brackets[1].strip() if brackets else body)
    if not found:
        return False
    words = _words(found["said"])
    leading = [word for word in words if word not in ("the", "all", "keep", "leave", "your")]
    if found["said"][:1] in (")", "]", "}"):  # the dots end what a line above began
        return False
    if found["head"]:
        return not leading or bool(found["tail"]) or leading[0] in _KEPT or _PLAIN.issuperset(words)
    if not leading:
        return False
    if found["tail"]:
        return leading[0] in _STRONG or (not _STRONG.isdisjoint(words) and _PLAIN.issuperset(words))
    if len(words) == 1:
        return words[0] in _STATE & _STRONG
    if leading[0] in ("rest", "remainder") and leading[-1] in _STATE:
        return True
    if leading[0] == "remaining" and _STATE.isdisjoint(leading):
        return False
    said = " ".join(words)
    return _PLAIN.issuperset(words) and (
        leading[0] in _STRONG or said.startswith(("same as before", "no change"))
    )


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def parse_update(text: str, language: str = "text", original: Sequence[str] | None = None) -> Update:
    """The sketch that `text` spells, with line ends of any kind.

    `original` is the file that it is for, as lines. What looks like a marker is code where the original has it
    too, next to a line that it stands next to in the sketch; so is the `...` body of a new definition, and what stands
    in a new example of prose. An entry that says nothing but dots is a marker next to entries of the original, unless
    that has such entries itself.
    """
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    spelled = [looks_like_marker(line) for line in lines]
    is_data = named(language).is_data
    entries = [_entry_marker(line.strip(), is_data) for line in lines]
    if not any(spelled) and not any(entries):
        return Update(tuple(UpdateLine(line) for line in lines), language)
    known = _Known(tuple(original or ()), lines, named(language))
    return Update(
        tuple(
            UpdateLine(
                line,
                not known.has_in_place(index)
                if spelled[index]
                else entries[index] and known.leaves_out(index),
            )
            for index, line in enumerate(lines)
        ),
        language,
    )


class _Known:
    """Which of a sketch's lines the original has, and next to which others."""

    def __init__(self, lines: tuple[str, ...], sketch: Sequence[str], language: Language) -> None:
        self._language = language
        self._texts = sketch
        self._sketch = [line.strip() for line in sketch]
        self._lines = original(lines).stripped
        self._places = original(lines).places(self._sketch)

    @cached_property
    def _is_form(self) -> bool:
        return any(_entry_marker(line, self._language.is_data) for line in self._lines)

    @cached_property
    def _below(self) -> dict[str, set[str]]:
        """By line of the original, without the comma that ends it, those that stand below it."""
        lines = [line.rstrip(",") for line in self._lines if line]
        found: dict[str, set[str]] = {line: set() for line in lines}
        for line, below in pairwise(lines):
            found[line].add(below)
        return found

    @cached_property
    def _defined(self) -> set[str]:
        return {found[1] for line in self._lines if (found := _DEFINITION.match(line))}

    def has_in_place(self, index: int) -> bool:
        """Whether line `index` of the sketch, spelled like a marker, is the original's own, a stub body, or in an
        example that the original has nothing of."""
        if index in self._new_examples:
            return True
        text = self._sketch[index]
        before, after = _next_line(self._sketch, index, -1), _next_line(self._sketch, index, 1)
        if after and not (self._places[after] or _ANY_DOTS.search(text)) and self._hides_nothing(index):
            return True
        header = _DEFINITION.match(before)
        if self._language.ellipsis and text == "..." and header and before.endswith(":"):
            return self._stub(header[1])
        return any(
            (before and _next_line(self._lines, place, -1) == before)
            or (after and _next_line(self._lines, place, 1) == after)
            for place in self._places[text]
        )

    def _hides_nothing(self, index: int) -> bool:
        """Whether the lines of the original that the sketch shows above and below line `index`, new ones aside, stand
        next to each other."""
        rows = (range(index - 1, -1, -1), range(index + 1, len(self._sketch)))
        above, below = (
            next((text for row in side if (text := self._sketch[row].rstrip(",")) in self._below), "")
            for side in rows
        )
        return below in self._below.get(above, ())

    @cached_property
    def _new_examples(self) -> set[int]:
        """The lines of the sketch in examples that say something of which the original has nothing."""
        found = set[int]()
        for example in examples(self._texts) if self._language.prose else ():
            said = said_in_example(self._sketch[example.start : example.stop])
            if said and not any(self._places[text] for text in said):
                found.update(example)
        return found

    def leaves_out(self, index: int) -> bool:
        """Whether line `index` of the sketch, an entry that says nothing, stands in a list of the original and has
        others to stand for. A form that is to be filled in has such entries itself, and mostly several."""
        above, below = _next_line(self._sketch, index, -1), _next_line(self._sketch, index, 1)
        is_data = self._language.is_data
        # What is in a comment of code is no list: examples in others are no form of it.
        in_comment = self._sketch[index].startswith("*") and not self._language.prose
        is_form = self.has_in_place(index) if in_comment else self._is_form
        if is_form or _entry_marker(above, is_data) or _entry_marker(below, is_data):
            return False
        beside = [above, *self._sketch[index + 1 : index + 2]]
        if in_comment:  # what it is about
            beside += [line for line in self._sketch[index + 1 :] if not line.startswith("*")][:1]
        shown = (line.rstrip(",") for line in beside if line.strip("/*\"'"))  # a comment or string may be any
        hides = below.rstrip(",") not in self._below.get(above.rstrip(","), ())
        return hides and any(line in self._below for line in shown)

    def _stub(self, name: str) -> bool:
        """A marker cannot stand in a definition that the original lacks; in another, its body decides."""
        if any(
            (found := _DEFINITION.match(_next_line(self._lines, place, -1))) is not None and found[1] == name
            for place in self._places["..."]
        ):
            return True
        return any(self._lines) and name not in self._defined


def _next_line(stripped: Sequence[str], place: int, step: int) -> str:
    """The next line above (step -1) or below (step 1) that is not blank; empty where there is none."""
    rows = range(place + step, len(stripped) if step > 0 else -1, step)
    return next((stripped[row] for row in rows if stripped[row]), "")
