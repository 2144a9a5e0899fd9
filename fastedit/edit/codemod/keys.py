"""Names and what they are set to, read line by line: keys of JSON, YAML, TOML and CSS, and plain values in code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fastedit.edit.codemod.brackets import bracketed
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.codemod.value import changes_kind, spelled
from fastedit.edit.codemod.words import Word
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width
from fastedit.edit.request import LineRange

DATA = frozenset({"json", "yaml", "toml", "css"})
_KEY = re.compile(
    r"(?P<head>\s*(?P<quote>[\"']?)(?P<name>[\w.$-]+)(?P=quote)\s*(?P<sign>[:=])\s*)"
    r"(?P<value>\"(?:\\.|[^\"\\])*\"|'[^']*'|[^\s\"'#][^#]*?|#\w+|)(?P<tail>\s*[;,]?\s*(?:#.*)?)"
)
# In code: a literal that a line of its own gives to a name.
_ASSIGNED = re.compile(
    r"(?P<head>\s*(?:[\w:<>*&\[\]]+\s+)*?(?P<name>[A-Za-z_$][\w.$]*)(?:\s*:\s*[\w\[\]|<> .]+)?\s*(?::=|=)\s*)"
    r"(?P<value>-?\d[\d_.]*[a-zA-Z%]*|\"[^\"\\]*\"|'[^'\\]*'|True|False|None|true|false|null|nil|nullptr|NULL|\[\]|\{\})"
    r"(?P<tail>\s*[;,]?\s*(?:(?:#|//).*)?)"
)
_TITLE = re.compile(r"\s*[\"'\[]*(?P<title>[\w.#*: -]*\w)")
_WORD = re.compile(r"[A-Za-z_][\w.-]*")
_PLAIN = re.compile(
    r"(?:true|false|null|nan|[+-]?inf|[+-]?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?|0[xob][\da-f_]+|\d{4}-\d\d-\d\d\S*)\Z",
    re.IGNORECASE,
)
_INLINE_TABLE = re.compile(r"\s*[\w.\"-]+\s*=\s*\{")
_OPENED = re.compile(r"\s*[\[{]\s*\Z")


@dataclass(frozen=True, slots=True)
class Key:
    """A line that sets a name; `value` is "" where it goes on below."""

    row: int
    match: re.Match[str]

    @property
    def value(self) -> str:
        return self.match["value"]


def keys(source: Source, name: str, place: LineRange | None = None) -> list[Key]:
    """The lines that set a name; none where it is also set within a line."""
    place = place or source.scope
    if not _WORD.fullmatch(name) and not re.fullmatch(r"[\w.$-]+", name):
        return []
    found, rows = list[Key](), range(place.start, place.stop)
    inline = re.compile(rf"(?<![\w.$-]){re.escape(name)}[\"']?\s*[:=]")
    for row in rows:
        line = source.lines[row]
        if name not in line:
            continue
        match = _KEY.fullmatch(line)
        if match is not None and match["name"] == name and _signed(source, match):
            found.append(Key(row, match))
        elif inline.search(line) and _sets_within(source, line):
            return []
    return found


def _sets_within(source: Source, line: str) -> bool:
    """Whether a name of the line may be a key: not in a comment, nor in what a dependency of TOML has in braces."""
    commented = line.lstrip().startswith(("#", "//", "/*"))
    of_another = source.language == "toml" and _INLINE_TABLE.match(line) is not None
    return not commented and not of_another and not line.endswith("{")


def settings(source: Source, name: str, place: LineRange | None = None) -> list[Key]:
    """The line of code that gives the name a literal; none where it is given something else as well."""
    place = place or source.scope
    given = re.compile(rf"(?<![\w$.]){re.escape(name)}\b(?:\[\w*\]|\s*:[^=()]*)?\s*(?::=|[-+*/|&]?=(?![=>]))")
    rows = [n for n in range(place.start, place.stop) if name in source.lines[n]]
    times = sum(len(given.findall(source.lines[n])) for n in rows)
    found = [
        Key(n, match)
        for n in rows
        if (match := _ASSIGNED.fullmatch(source.lines[n])) and match["name"] == name
    ]
    code = source.syntax is None or not any(source.syntax.in_comment(key.row) for key in found)
    return found if times == len(found) == 1 and code else []


def literals(source: Source, name: str, place: LineRange, old: str | None = None) -> list[Key]:
    """The lines of code that give the name a literal, or this one, whatever others give it."""
    rows = [n for n in range(place.start, place.stop) if name in source.lines[n]]
    found = [Key(n, match) for n in rows if (match := _ASSIGNED.fullmatch(source.lines[n]))]
    return [
        key
        for key in found
        if key.match["name"] == name
        and (old is None or old in (key.value, key.value.strip("\"'")))
        and not (source.syntax is not None and source.syntax.in_comment(key.row))
    ]


def _signed(source: Source, match: re.Match[str]) -> bool:
    return match["sign"] == ("=" if source.language == "toml" else ":")


def below(source: Source, title: str) -> LineRange | None:
    """The lines that stand under what has this title; None where it is not one thing."""
    heads = [
        row
        for row in range(source.scope.start, source.scope.stop)
        if title in source.lines[row] and _heads(source, row, title)
    ]
    if len(heads) != 1:
        return None
    start = heads[0] + 1
    stop = next(
        (row for row in range(start, len(source.lines)) if _leaves(source, heads[0], row)), len(source.lines)
    )
    return LineRange(start, min(stop, source.scope.stop))


def _heads(source: Source, row: int, title: str) -> bool:
    line = source.lines[row]
    if source.language == "toml":
        return re.match(rf"\[{re.escape(title.strip('[]'))}\]", line) is not None
    found = _TITLE.match(line)
    opens = row + 1 < len(source.lines) and indent_width(source.lines[row + 1]) > indent_width(line)
    said = title.rstrip(" {:")
    return opens and found is not None and said in (found["title"], line.strip().rstrip(" {:"))


def _leaves(source: Source, head: int, row: int) -> bool:
    line = source.lines[row]
    if source.language == "toml":
        return line.startswith("[")
    return bool(line.strip()) and indent_width(line) <= indent_width(source.lines[head])


def with_value(source: Source, key: Key, new: Word) -> Codemod | None:
    """None where the value does not stand on the line of its key, or is this one already."""
    old = key.value
    if not old or "\n" in new.text or not _balanced(old) or old[0] in "&*|>!":
        return None
    if old[0] in "[{" and len(old) > 2 and new.text[:1] not in ("[", "{"):
        # It may be meant to become one of them.
        return None
    put = new.text if _same_quotes(new.text) else spelled(new.text, new.literal, old, source.language)
    if _same_quotes(old) and put == new.text and _texts(old[1:-1], put):
        put = f"{old[0]}{put}{old[0]}"
    # Where both ticks and quotation marks stand around it, the latter are the code's.
    sure = new.quote == "`" and _same_quotes(new.text)
    reasons = [] if sure else changes_kind(old, put)
    if source.language in ("json", "toml") and put[0] not in "\"'[{" and not _PLAIN.match(put):
        put = f'"{put}"'
        reasons = [] if old[0] in "\"'" else ["a text takes the place of something else"]
    if source.language == "json" and put[0] == "'":
        put = f'"{put[1:-1]}"'
    if put in (old, f'"{old}"'):
        return None
    match = key.match
    return Codemod((Hunk(key.row, key.row + 1, (match["head"] + put + match["tail"],)),), tuple(reasons))


def _texts(old: str, new: str) -> bool:
    """Whether the new value is a text as the old one is: a word, or a flag where the old one is one as well."""
    flags = {"true", "false"}
    return (old in flags and new in flags) or (not _PLAIN.match(new) and new[:1] not in ("[", "{", '"', "'"))


def _same_quotes(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"


def _balanced(text: str) -> bool:
    return all(text.count(opener) == text.count(closer) for opener, closer in ("()", "[]", "{}"))


def renamed(source: Source, key: Key, new: str) -> Codemod:
    line, match = source.lines[key.row], key.match
    put = line[: match.start("name")] + new + line[match.end("name") :]
    doubts = {
        f"`{new}` is a key already": new in source.vocabulary and keys(source, new),
        f"`{match['name']}` is named elsewhere as well": _named_elsewhere(
            source, key, range(key.row, key.row + 1)
        ),
    }
    reasons = holding(doubts)
    return Codemod((Hunk(key.row, key.row + 1, (put,)),), reasons)


def without_key(source: Source, key: Key) -> Codemod | None:
    """The key goes with its value, and the comma before it where it is JSON's last."""
    lines, start = source.lines, key.row
    stop = _stop(source, key)
    if stop is None or not source.holds(start, stop):
        return None
    doubts = {
        "nothing is left of what it belongs to": _alone(source, start, stop),
        f"`{key.match['name']}` is named elsewhere as well": _named_elsewhere(
            source, key, range(start, stop)
        ),
    }
    reasons = holding(doubts)
    ended = lines[stop - 1].rstrip().endswith(",")
    if source.language == "json" and not ended and start and lines[start - 1].rstrip().endswith(","):
        above = lines[start - 1].rstrip().removesuffix(",")
        return Codemod((Hunk(start - 1, stop, (above,)),), reasons)
    return Codemod((Hunk(start, stop, ()),), reasons)


def _named_elsewhere(source: Source, key: Key, gone: range) -> bool:
    """Whether the value of another key has the name, which may lean on it."""
    name = re.compile(rf"(?<![\w.-]){re.escape(key.match['name'])}(?![\w-])(?![\"']?\s*[:=])")
    others = (line for row, line in enumerate(source.lines) if row not in gone)
    return source.language != "css" and any(name.search(line) for line in others)


def _stop(source: Source, key: Key) -> int | None:
    """Behind the last line of its value."""
    lines, row = source.lines, key.row
    opener = _OPENED.match(key.value)
    if opener and source.language in ("json", "toml"):
        found = bracketed(source, row, lines[row].rstrip().rindex(key.value.strip()))
        ends = found is not None and re.fullmatch(r"[\]}]\s*,?\s*", lines[found.last_row][found.stop :])
        return found.last_row + 1 if found and ends else None
    if not _balanced(key.value):
        return None
    stop = row + 1
    if source.language in ("yaml", "toml"):
        while (
            stop < len(lines) and indent_width(lines[stop]) > indent_width(lines[row]) and lines[stop].strip()
        ):
            stop += 1
        # What goes on behind blank lines, or as a list that is not indented, may be the key's as well.
        after = next((line for line in lines[stop:] if line.strip()), "")
        goes_on = indent_width(after) > indent_width(lines[row]) or (
            not key.value and after.lstrip().startswith("- ")
        )
        if goes_on or (stop > row + 1 and source.language == "toml"):
            return None
    return stop


def _alone(source: Source, start: int, stop: int) -> bool:
    """Whether it is all that stands under its name in YAML, which would become null."""
    if source.language != "yaml" or not start or not source.lines[start - 1].rstrip().endswith(":"):
        return False
    behind = next((line for line in source.lines[stop:] if line.strip()), "")
    return indent_width(behind) < indent_width(source.lines[start])


def meant(source: Source, name: Word, place: LineRange | None) -> Iterator[Key]:
    """The one key of this name."""
    found = (keys if source.language in DATA else settings)(source, name.text, place)
    if len(found) == 1:
        yield found[0]
