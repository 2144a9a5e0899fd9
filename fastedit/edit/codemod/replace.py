"""``replace `timeout=3` by `timeout=5` in load``: one piece of text for another."""

from __future__ import annotations

import re

from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.instruction import whole_word
from fastedit.edit.request import LineRange

_TEXT = "[text |phrase |words |word |message |string |literal |]"
_SENTENCES = Sentences(
    # "swap a with b" may mean that both change places.
    f"replace {{the}}{_TEXT}{{old:code}} [with|by|for][:|] {{the}}{{new:code}}{{in}}",
    # "Substitute a for b" has it the other way round.
    f"substitute {{the}}{_TEXT}{{old:code}} [with|by][:|] {{the}}{{new:code}}{{in}}",
    f"[swap|exchange] {{the}}{_TEXT}{{old:code}} for[:|] {{the}}{{new:code}}{{in}}",
    "replace {the}{old:code}{in} [with|by|for] {the}{new:code}",
    "substitute {the}{old:code}{in} [with|by] {the}{new:code}",
    "[change|turn] {the}{old:code} [to|into][:|] {the}{new:code}{in}",
    "[where it says|instead of] {the}{old:code}[,|] [write|say|use|put][:|] {new:code}{in}",
    "it should say {new:code} [instead of|rather than] {old:code}{in}",
    "{old:code} should read {new:code}{in}",
    "[change|turn] {the}{old:code}{in} [to|into] {the}{new:code}",
    "use {new:code} [instead of|rather than|in place of] {old:code}{in}",
    "{old:code} [should|must] be {new:code}{in}",
    "replace [all|every|each|all occurrences of|every occurrence of] {old:code} [with|by] {new:code}{in}",
)
_NOT = "[instead of|rather than|not]"
_RETURNED = Sentences(
    f"return {{new:code}} {_NOT} {{old:code}}{{in}}",
    f"return {{new:code}} in {{the}}{{place}} {_NOT} {{old:code}}",
    f"{{the}}{{place}} should return {{new:code}} {_NOT} {{old:code}}",
    f"[let|make|have] {{the}}{{place}} return {{new:code}} {_NOT} {{old:code}}",
)
# Where the file has the line, it is quoted as a whole.
_RETURNED_LINE = Sentences(
    f"{{the}}{{place}} should {{line:code}} {_NOT} {{old:code}}",
    f"{{line:code}} {_NOT} {{old:code}}{{in}}",
)
_CAMEL = re.compile(r"\w*[a-z\d][A-Z]\w*")
_EVERY = re.compile(r"\b(?:all|every|each|everywhere|throughout)\b", re.IGNORECASE)
# What Python has no such words for.
_ELSEWHERE = frozenset({"true", "false", "null", "nil"})
_WORD = re.compile(r"[^\W\d][\w$]*\Z")
_PLAIN = re.compile(r"[\w$.]+\Z")
_VALUE = re.compile(r"[\d\"'\[{(-]|(?:true|false|none|null|nil)\b", re.IGNORECASE)


def replace(text: str, source: Source) -> Codemod | None:
    """None where the old text does not stand in one place, or everywhere is meant and nowhere it does."""
    for told in _RETURNED.read(text):
        new = told.literals.get("new", told["new"]) if _spells_code(source, told, "new") else None
        if new is not None and (made := _returned(source, told, new)) is not None:
            return made
    for told in _RETURNED_LINE.read(text):
        if (
            told["line"].startswith("return ")
            and (made := _returned(source, told, told["line"][7:])) is not None
        ):
            return made
    for told in _SENTENCES.read(text):
        # Of "`f(x)` should be awaited" nothing is to stand in its place.
        if not _spells_code(source, told, "new"):
            continue
        old, new = told["old"], told["new"]
        place = source.place(told.get("place"))
        # Of "change `timeout` to `30`" the name stays and its value goes.
        value = _WORD.match(old) and _VALUE.match(told.literals.get("new", new))
        if place is None or old == new or "\n" in old + new or value:
            continue
        if assigned(old, new, source, place):
            continue
        pattern = whole_word(old)
        counts = {n: len(pattern.findall(source.lines[n])) for n in range(place.start, place.stop)}
        found = sum(counts.values())
        every = told.get("everywhere") is not None or _EVERY.search(text[: text.find(old)]) is not None
        if not found or (found > 1 and not every):
            continue
        numbers = [number for number, count in counts.items() if count]
        return _replaced(source, pattern, old, new, numbers, "old" in told.quoted)
    return None


def _returned(source: Source, told: Told, new: str) -> Codemod | None:
    """The one line of a place that returns the old text, as all or as one of what it returns."""
    place, old = source.place(told.get("place")), told["old"]
    if place is None or not _spells_code(source, told, "old"):
        return None
    spelled = told.literals.get("old", old)
    returns = re.compile(rf"(?P<head>\s*return (?:.*, )?){re.escape(spelled)}(?P<tail>(?:, .*)?;?)")
    found = [
        (n, match) for n in range(place.start, place.stop) if (match := returns.fullmatch(source.lines[n]))
    ]
    if len(found) != 1 or source.in_text(found[0][0]):
        return None
    row, match = found[0]
    return Codemod((Hunk(row, row + 1, (f"{match['head']}{new}{match['tail']}",)),))


def _spells_code(source: Source, told: Told, name: str) -> bool:
    """Whether what is said there is code: as everywhere, or a name of the file with capitals within."""
    if name not in told.quoted and is_foreign(source, told[name]):
        return False
    camel = _CAMEL.fullmatch(told[name]) is not None and told[name] in source.vocabulary
    return told.is_code(name) or camel


def is_foreign(source: Source, text: str) -> bool:
    """Whether it is a value of other languages: "a should be false" tells what a condition of Python's is to say, not
    what is to be written.
    """
    return source.language == "python" and text in _ELSEWHERE


def assigned(old: str, new: str, source: Source, place: LineRange) -> bool:
    """Whether the old text is a name that is given a value, and the new one a value."""
    return _VALUE.match(new) is not None and any(
        re.match(rf"\s*[\"']?{re.escape(old)}[\"']?\s*[:=](?!=)", source.lines[n])
        for n in range(place.start, place.stop)
    )


def _replaced(
    source: Source, pattern: re.Pattern[str], old: str, new: str, numbers: list[int], quoted: bool
) -> Codemod:
    hunks = tuple(Hunk(n, n + 1, (pattern.sub(lambda _: new, source.lines[n]),)) for n in numbers)
    reasons = () if quoted or not _PLAIN.match(old) else ("it does not quote what is to be replaced",)
    return Codemod(hunks, reasons)
