"""Lists, mappings, sections, rules and types that have a name: one more entry at their end, or one less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.edit.codemod.brackets import Bracketed, bracketed, with_last, without
from fastedit.edit.codemod.class_fields import with_field
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.words import Word
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indent_width, indentation

_TEXT = re.compile(r"([\"']).*\1\Z", re.DOTALL)
_PAIR = re.compile(r"(?P<key>[\"'`]?[\w.$-]+[\"'`]?|\[[^\]]*\]|[\w.]+\([^)]*\))\s*:(?![:=])\s*\S")
_WORD = re.compile(r"[A-Za-z_]\w*")
# What makes a list of what stands in the brackets behind it.
_MADE = (
    r"&?(?:mut )?(?:vec!|new [\w<>]+\[\]\s*|\[\][*\w.]+|map\[[\w.]+\][*\w.\[\]{}]*|(?:frozen)?set\("
    r"|Object\.freeze\(|new Set\(|List\.of|Set\.of|Arrays\.asList)?"
)
_BEFORE_NAME = r"\s*(?:[\w:<>*&\[\].$]+\s+)*?(?:[\w$]+\.)*\*?"
_TYPE_HEAD = (
    r"\s*(?:export |declare |pub(?:\([a-z]+\))? |public |static |typedef )*(?:type |struct |interface )"
)
_TYPES = ("go", "rust", "c", "cpp", "typescript", "tsx")
_ITEM = re.compile(r"\s*- ")


def added(source: Source, name: str, new: Word, *, more: bool, last: bool) -> Iterator[Codemod | None]:
    """The new entry at the end of each thing of this name that can have it.

    `more` tells that the others stay, which a list needs to be told, and `last` that it goes to the end.
    """
    if "\n" in new.text or not name:
        return
    for row, column in _openings(source, name):
        found = bracketed(source, row, column)
        if found is not None:
            made = _added_to(source, found, name, new, last)
            yield made if more or _PAIR.match(new.text) else None
    yield from _added_line(source, name, new)


def removed(source: Source, name: str, gone: Word) -> Iterator[Codemod | None]:
    for row, column in _openings(source, name):
        found = bracketed(source, row, column)
        entries = found.entries if found else ()
        meant = [e for e in entries if e.text in (gone.text, gone.literal)] or [
            e for e in entries if _TEXT.fullmatch(e.text) and e.text[1:-1] == gone.text
        ]
        pairs = [
            e for e in entries if (pair := _PAIR.match(e.text)) and pair["key"].strip("\"'`") == gone.text
        ]
        if not meant and len(pairs) == 1:
            made = without(source, found, pairs[0]) if found else None
            doubts = (*_elsewhere(source, name), *_read_elsewhere(source, row, gone.text))
            yield Codemod(made.hunks, (*made.reasons, *doubts)) if made else None
            continue
        if found is None or len(meant) != 1:
            continue
        if source.lines[row][column] == "(" and len(entries) == 2 and source.language == "python":
            continue
        made = without(source, found, meant[0])
        yield Codemod(made.hunks, (*made.reasons, *_elsewhere(source, name))) if made else None
    yield from _without_item(source, name, gone.text)


def _openings(source: Source, name: str) -> list[tuple[int, int]]:
    """Where the brackets open that stand behind the name, if it is one place."""
    coded = re.escape(name)
    if name not in "\n".join(source.lines):
        return []
    opener = re.compile(
        rf"{_BEFORE_NAME}([\"']?){coded}\1(?:\[\])?(?:\s*:\s*[^=;]*?)?\s*(?::=|=|:)\s*{_MADE}(?P<open>[\[{{(])"
    )
    found = [(n, m) for n, line in enumerate(source.lines) if name in line and (m := opener.match(line))]
    kept = [(n, m) for n, m in found if source.holds(n, n + 1)]
    if len(kept) != 1 or len(found) != 1:
        return []
    row, match = kept[0]
    made = match[0].rstrip("[{(").rstrip()
    plain = match["open"] != "(" or (
        made.endswith(("List.of", "Set.of", "Arrays.asList"))
        or (source.language == "python" and made[-1] == "=")
    )
    return [(row, match.end() - 1)] if plain else []


def _read_elsewhere(source: Source, row: int, key: str) -> tuple[str, ...]:
    """A reason where the file also has the key as a text, or behind a dot, before or behind its mapping."""
    pattern = re.compile(rf"[\"']{re.escape(key)}[\"'](?!\s*:)|\.{re.escape(key)}(?!\w)")
    found = [n for n, line in enumerate(source.lines) if key in line and pattern.search(line)]
    return (f"`{key}` also stands on line {found[0] + 1}",) if found else ()


def keyed(source: Source, name: str, key: str, value: str) -> str | None:
    """An entry spelled as the others of the mapping are; None where it has none."""
    for row, column in _openings(source, name):
        found = bracketed(source, row, column)
        pairs = [m for entry in found.entries if (m := _PAIR.match(entry.text))] if found else []
        if pairs:
            quote = pairs[-1]["key"][0] if pairs[-1]["key"][0] in "\"'" else ""
            bare = quote or source.language in ("javascript", "typescript", "tsx")
            return f"{quote}{key}{quote}: {value}" if bare and _WORD.fullmatch(key) else None
    return None


def _elsewhere(source: Source, name: str) -> tuple[str, ...]:
    """A reason where the name is given something in another place as well."""
    pattern = re.compile(rf"(?<![\w$.]){re.escape(name)}[\"']?(?:\s*:[^=]*)?\s*(?::=|=(?![=>])|\+=)")
    times = sum(len(pattern.findall(line)) for line in source.lines if name in line)
    return (f"`{name}` is set in several places",) if times > 1 else ()


def _added_to(source: Source, found: Bracketed, name: str, new: Word, last: bool) -> Codemod | None:
    bracket = source.lines[found.row][found.start - 1]
    texts = [entry.text for entry in found.entries]
    pairs, pair = [m for text in texts if (m := _PAIR.match(text))], _PAIR.match(new.text)
    mapping = bool(pairs) if texts else bracket == "{" and pair is not None
    reasons = list(_elsewhere(source, name))
    if mapping:
        key = None if pair is None else pair["key"].strip("\"'`")
        if key is None or any(key == match["key"].strip("\"'`") for match in pairs):
            return None
        if pair is not None and pairs and (pair["key"][0] in "\"'") != (pairs[-1]["key"][0] in "\"'"):
            reasons.append("its key is spelled unlike the others")
        put = new.text.rstrip(",")
    else:
        if pair is not None and bracket != "[":
            return None
        strings = bool(texts) and all(map(_TEXT.fullmatch, texts))
        put, doubts = _item(source, new, texts[-1] if strings else "")
        if put in texts or new.text in texts or f'"{new.text}"' in texts or f"'{new.text}'" in texts:
            return None
        reasons += doubts
        if _required(source, new.text, texts):
            reasons.append("a version of it is required already")
        if len(texts) > 3 and texts == sorted(texts) and put < texts[-1] and strings and not last:
            reasons.append("they stand in order")
    if bracket == "(" and source.language == "python" and len(texts) < 2:
        return None
    made = with_last(source, found, put)
    return Codemod(made.hunks, (*made.reasons, *reasons)) if made else None


def _required(source: Source, new: str, texts: list[str]) -> bool:
    """Whether a list of dependencies has one of the same name."""
    name = re.match(r"[\w.-]+(?=[\[=~!><^@ ]|\Z)", new)
    alike = name and re.compile(rf"[\"']{re.escape(name[0])}(?:[\[=~!><^@; ].*)?[\"']")
    return alike is not None and source.language == "toml" and any(map(alike.fullmatch, texts))


def _item(source: Source, new: Word, like: str) -> tuple[str, list[str]]:
    """What is added, in the quotation marks of one that is like it."""
    if not like:
        return new.text, []
    # Data has no names that an entry could be.
    if new.literal is not None or (source.language in ("json", "toml") and new.text[0] not in "\"'"):
        return f"{like[-1]}{new.text}{like[-1]}", []
    bare = _WORD.fullmatch(new.text) and source.language not in ("yaml",)
    return new.text, ["the others are texts"] if bare and new.text not in source.vocabulary else []


def _added_line(source: Source, name: str, new: Word) -> Iterator[Codemod | None]:
    """One more line at the end of a section, rule or type."""
    language = source.language
    if language == "toml":
        yield _in_section(source, name.strip("[]"), new.text)
    elif language == "yaml":
        yield _in_mapping(source, name, new.text)
    elif language == "css":
        yield _in_rule(source, name, new.text)
    elif language in _TYPES:
        yield _in_type(source, name, new.text)
    elif language == "python":
        yield with_field(source, name, new.text)


def _in_section(source: Source, name: str, new: str) -> Codemod | None:
    key = re.fullmatch(r"([\w.\"'-]+)\s*=\s*\S.*", new)
    head = re.compile(rf"\[{re.escape(name)}\]\s*(?:#|\Z)")
    heads = [n for n, line in enumerate(source.lines) if head.match(line)]
    if key is None or len(heads) != 1:
        return None
    start = heads[0] + 1
    ends = [n for n in range(start, len(source.lines)) if source.lines[n].startswith("[")]
    return _below(
        source, range(start, ends[0] if ends else len(source.lines)), new, rf"\s*{re.escape(key[1])}\s*="
    )


def _in_mapping(source: Source, name: str, new: str) -> Codemod | None:
    head = re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?:\s*(?:#|\Z)")
    heads = [n for n, line in enumerate(source.lines) if head.match(line)]
    if len(heads) != 1 or heads[0] + 1 >= len(source.lines):
        return None
    start, width = heads[0] + 1, indent_width(source.lines[heads[0]])
    item = _ITEM.match(source.lines[start])

    def goes_on(line: str) -> bool:
        deeper = indent_width(line) > width
        return (
            not line.strip() or deeper or (indent_width(line) == width and bool(item and _ITEM.match(line)))
        )

    stop = next(
        (n for n in range(start, len(source.lines)) if not goes_on(source.lines[n])), len(source.lines)
    )
    if item:
        text = new.removeprefix("- ")
        return _below(source, range(start, stop), f"- {text}", rf"\s*- {re.escape(text)}\s*\Z")
    key = re.fullmatch(r"[\"']?([\w.-]+)[\"']?:(?:\s.*)?", new)
    return _below(source, range(start, stop), new, rf"\s*[\"']?{re.escape(key[1])}[\"']?:") if key else None


def _below(source: Source, rows: range, new: str, known: str) -> Codemod | None:
    """A line below the last one with ink, indented as the first is; None where there is one like it."""
    ink = [n for n in rows if source.lines[n].strip() and not source.lines[n].lstrip().startswith("#")]
    if not ink or any(re.match(known, source.lines[n]) for n in ink):
        return None
    if not source.holds(rows.start - 1, ink[-1] + 1) or source.lines[ink[-1]].rstrip().endswith(
        ("|", ">", "\\")
    ):
        return None
    parted = any(not source.lines[n].strip() for n in range(ink[0], ink[-1]))
    reasons = ("blank lines stand between its entries",) if parted else ()
    put = indentation(source.lines[ink[0]]) + new
    return Codemod((Hunk(ink[-1] + 1, ink[-1] + 1, (put,)),), reasons)


def _without_item(source: Source, name: str, gone: str) -> Iterator[Codemod | None]:
    """A line less below a name in YAML."""
    head = re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?:\s*\Z")
    heads = [n for n, line in enumerate(source.lines) if source.language == "yaml" and head.match(line)]
    if len(heads) != 1:
        return
    row = heads[0] + 1
    items = list[int]()
    while row < len(source.lines) and _ITEM.match(source.lines[row]):
        items.append(row)
        row += 1
    alike = [n for n in items if source.lines[n].strip().removeprefix("- ").strip("\"'") == gone.strip("\"'")]
    followed = row < len(source.lines) and items and source.lines[row].strip()
    deeper = followed and indent_width(source.lines[row]) > indent_width(source.lines[items[0]])
    if len(alike) == 1 and len(items) > 1 and not deeper and source.holds(alike[0], alike[0] + 1):
        yield Codemod((Hunk(alike[0], alike[0] + 1, ()),))


def _block(source: Source, head: re.Pattern[str]) -> range | None:
    """The lines between a head that only one line has and the brace that closes it."""
    heads = [n for n, line in enumerate(source.lines) if head.fullmatch(line)]
    if len(heads) != 1:
        return None
    margin = indentation(source.lines[heads[0]])
    below = range(heads[0] + 1, len(source.lines))
    close = next((n for n in below if source.lines[n].startswith(margin + "}")), None)
    if close is None or not source.holds(heads[0], close + 1):
        return None
    rows = range(heads[0] + 1, close)
    plain = bool(rows) and all(source.lines[n].strip() for n in rows)
    flat = plain and len({indentation(source.lines[n]) for n in rows}) == 1
    return rows if flat and not re.match(r"\s*(?://|/\*|\*|#)", source.lines[rows[-1]]) else None


def _in_rule(source: Source, name: str, new: str) -> Codemod | None:
    rows = _block(source, re.compile(rf"\s*{re.escape(name)}\s*\{{\s*"))
    key = re.fullmatch(r"([\w-]+):\s*[^;{}]+;?", new)
    if rows is None or key is None or not source.lines[rows[-1]].rstrip().endswith(";"):
        return None
    # Where the line above ends with a comma, the rule is one for others as well.
    shared = rows.start > 1 and source.lines[rows.start - 2].rstrip().endswith(",")
    known = any(re.match(rf"\s*{re.escape(key[1])}\s*:", source.lines[n]) for n in rows)
    put = indentation(source.lines[rows[-1]]) + new.rstrip(";") + ";"
    return None if shared or known else Codemod((Hunk(rows.stop, rows.stop, (put,)),))


_FIELD = {
    "go": re.compile(r"(?P<name>\w+)\s+[\w*\[\].]+(?:\s*`[^`]*`)?"),
    "rust": re.compile(r"(?:pub(?:\([a-z]+\))? )?(?P<name>\w+):\s*\S.*"),
    "typescript": re.compile(r"(?:readonly )?(?P<name>[\w$]+)\??:\s*\S.*"),
    "c": re.compile(r"[\w:<>*&, ]*[\w>*&]\s*[ *&](?P<name>\w+)(?:\[\w*\])?(?: = [^;]+)?"),
}


def _in_type(source: Source, name: str, new: str) -> Codemod | None:
    new = new.rstrip(";,")
    language = {"tsx": "typescript", "cpp": "c"}.get(source.language, source.language)
    field = _FIELD[language].fullmatch(new)
    rows = _block(
        source,
        re.compile(rf"{_TYPE_HEAD}{re.escape(name)}(?: struct| interface)?(?:<[^{{}}]*>)?(?: =)? \{{\s*"),
    )
    if field is None or rows is None:
        return None
    last = source.lines[rows[-1]].rstrip()
    known = any(re.search(rf"\b{field['name']}\b", source.lines[n]) for n in rows)
    if known or not re.search(r"[\w;,>)\]`\"'}?]\Z", last):
        return None
    end = last[-1] if last[-1] in ",;" else ""
    methods = any("(" in source.lines[n] for n in rows)
    reasons = ("it has methods",) if methods else ()
    put = indentation(last) + new
    if language == "rust" and not end:
        return Codemod((Hunk(rows[-1], rows.stop, (f"{last},", put)),), reasons)
    return Codemod((Hunk(rows.stop, rows.stop, (put + end,)),), reasons)
