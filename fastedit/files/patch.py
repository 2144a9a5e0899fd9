"""Hunks as a unified diff that `git apply`, `patch` and unidiff accept.

The diff comes from the hunks alone, so it never shows as changed what an edit did not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, SplicedLine, splice

_ESCAPES = {chr(code): f"\\{code:03o}" for code in (*range(32), 127)} | {'"': '\\"', "\\": "\\\\"}
_NO_NEWLINE = "\\ No newline at end of file\n"


class _LfLine(NamedTuple):
    """A line as diff tools see it: the text up to and with LF, and the origins of what it is made of."""

    text: str
    origins: tuple[int | None, ...]


class _Change(NamedTuple):
    """Old lines a0:a1 become new lines b0:b1."""

    a0: int
    a1: int
    b0: int
    b1: int


def unified_diff(document: Document, hunks: Iterable[Hunk], path: str, context: int = 3) -> str:
    """The diff of `path` with `context` lines around each change; empty where the text stays the same.

    As in every diff tool a line ends at LF: a lone CR is a character within it. A byte order mark is part of
    the first line.
    """
    mark = "\ufeff" if document.bom else ""
    body = sections(own_lines(document), splice(document, hunks), mark, context)
    return header(f"a/{path}", f"b/{path}") + body if body else ""


def header(old: str, new: str) -> str:
    """The lines that name a file before and after; a name with a blank in it has a tab behind it, as git writes it."""
    names = (
        f"{name}\t" if " " in name and not name.startswith('"') else name for name in map(quoted, (old, new))
    )
    return "--- {}\n+++ {}\n".format(*names)


def quoted(path: str) -> str:
    """A path as git writes it: in quotes where it would not be read back."""
    if path.endswith(" ") or any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
        return '"' + "".join(_ESCAPES.get(letter, letter) for letter in path) + '"'
    return path


def own_lines(document: Document) -> list[SplicedLine]:
    """The document's lines, each with its own origin."""
    ends = zip(document.lines, document.ends, strict=True)
    return [SplicedLine(line + end, i) for i, (line, end) in enumerate(ends)]


def sections(old: list[SplicedLine], new: list[SplicedLine], mark: str, context: int = 3) -> str:
    """The `@@` sections that turn one text into the other. `mark` opens the first line of both."""
    before, after = _lf_lines(old, mark), _lf_lines(new, mark)
    changes = list(_changes(before, after))
    groups = _groups(changes, context) if changes else ()
    return "".join(_section(before, after, group, context) for group in groups)


def _lf_lines(lines: list[SplicedLine], mark: str) -> list[_LfLine]:
    """Joins what a lone CR separates. `mark` opens the first line."""
    joined: list[_LfLine] = []
    texts, origins = [mark], list[int | None]()
    for line in lines:
        texts.append(line.text)
        origins.append(line.origin)
        if line.text.endswith("\n"):
            joined.append(_LfLine("".join(texts), tuple(origins)))
            texts, origins = [], []
    if origins:
        joined.append(_LfLine("".join(texts), tuple(origins)))
    return joined


def _changes(old: list[_LfLine], new: list[_LfLine]) -> Iterator[_Change]:
    """What lies between the lines that both have: the same text from the same origin."""
    places = {line.origins[0]: i for i, line in enumerate(old)}
    a0 = b0 = 0
    for b, line in enumerate(new):
        a = places.get(line.origins[0])
        if a is not None and old[a] == line:
            if a > a0 or b > b0:
                yield _Change(a0, a, b0, b)
            a0, b0 = a + 1, b + 1
    if len(old) > a0 or len(new) > b0:
        yield _Change(a0, len(old), b0, len(new))


def _groups(changes: list[_Change], context: int) -> Iterator[list[_Change]]:
    """Changes so near that their context would meet stand in one section."""
    group = changes[:1]
    for change in changes[1:]:
        if change.a0 - group[-1].a1 > 2 * context:
            yield group
            group = []
        group.append(change)
    yield group


def _section(
    old: list[_LfLine],
    new: list[_LfLine],
    group: list[_Change],
    context: int,
) -> str:
    first, last = group[0], group[-1]
    lead, trail = min(context, first.a0), min(context, len(old) - last.a1)
    old_span = _span(first.a0 - lead, last.a1 + trail)
    new_span = _span(first.b0 - lead, last.b1 + trail)
    parts = [f"@@ -{old_span} +{new_span} @@\n"]
    at = first.a0 - lead
    for change in group:
        parts.extend(_row(" ", text) for text, _ in old[at : change.a0])
        parts.extend(_row("-", text) for text, _ in old[change.a0 : change.a1])
        parts.extend(_row("+", text) for text, _ in new[change.b0 : change.b1])
        at = change.a1
    parts.extend(_row(" ", text) for text, _ in old[at : at + trail])
    return "".join(parts)


def _span(start: int, stop: int) -> str:
    """Lines `start:stop` from 0 as `first,count` from 1; an empty span names the line before it."""
    return f"{start + 1 if stop > start else start},{stop - start}"


def _row(sign: str, text: str) -> str:
    return f"{sign}{text}" if text.endswith("\n") else f"{sign}{text}\n{_NO_NEWLINE}"
