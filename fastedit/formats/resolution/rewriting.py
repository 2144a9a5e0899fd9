"""Writes the new text of a hunk where its old text was found: only what changes, in the file's own spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from fastedit.formats.base import Replacement
from fastedit.formats.report import quoted, spans
from fastedit.formats.resolution.ladder import HunkPlace, OldNew, as_lines, depths
from fastedit.formats.text.changes import TextChange
from fastedit.formats.text.indentation import Indentation
from fastedit.formats.text.views import ViewedText, ended, in_ascii_with_offsets
from fastedit.source.hunks import Hunk, diff_lines
from fastedit.source.look_alikes import in_ascii, in_plain
from fastedit.source.outline import indentation as indent_of
from fastedit.source.syntax import parse

_WORD = re.compile(r"\w+|\W")
_HOLD = re.compile(r"""[\w\n"']""")
IS_SAME = "its old and its new text are the same"


def rewrite(text: ViewedText, hunk: Replacement, place: HunkPlace) -> list[TextChange]:
    """The changes that a hunk makes at a place. Raises UnclearDepth."""
    if not hunk.old:
        new = hunk.new if hunk.at_end or hunk.new.endswith("\n") else f"{hunk.new}\n"
        return [TextChange(place.start, place.start, new, stack=True)]
    if place.rows:
        lines = as_lines(hunk)
        assert lines is not None
        return list(_by_lines(text, lines, place, plain=has_foreign_look_alikes(text, hunk, place)))
    found = text.whole[place.start : place.stop]
    if found == hunk.old:
        return _joined(_by_pieces(hunk.old, hunk.new, place.start))
    new = spelled_as(found, hunk.old, hunk.new, plain=has_foreign_look_alikes(text, hunk, place))
    return _joined(_by_pieces(found, new, place.start))


def is_there(rows: range) -> str:
    """Of a hunk whose new text is at these lines."""
    return f"its new text is there already, at {spans([rows])}, so nothing is written for it"


def remarks(text: ViewedText, hunk: Replacement, place: HunkPlace) -> Iterator[str]:
    """Where the file does not get what the hunk's author wrote, one phrase each."""
    if in_plain(hunk.new) != hunk.new and has_foreign_look_alikes(text, hunk, place):
        yield "its old text has typographic signs where the file has plain ones, so plain ones are written for it"
    if lost := list(_lost(hunk, place)):
        first, *others = map(quoted, lost)
        more = f" and {len(others)} more" if others else ""
        yield f"the file lacks {first}{more}, which the hunk shows as unchanged; nothing is written for it"


def _lost(hunk: Replacement, place: HunkPlace) -> Iterator[str]:
    """The lines of the old text that the file lacks where it has the others."""
    lines = as_lines(hunk) if place.rows else None
    if lines is not None:
        rows = zip(lines.old, place.rows, strict=True)
        yield from (line for line, row in rows if row is None and line.strip())


def has_foreign_look_alikes(text: ViewedText, hunk: Replacement, place: HunkPlace) -> bool:
    """Whether the old text has look-alikes for plain characters of the file: what put them there, as a chat does, puts
    them everywhere, so that those of the new text are not its author's either."""
    if hunk.old.isascii():
        return False
    if not place.rows:
        return _is_plainer(text.whole[place.start : place.stop], hunk.old)
    lines = as_lines(hunk)
    assert lines is not None
    known = ((old, row) for old, row in zip(lines.old, place.rows, strict=True) if row is not None)
    return any(_is_plainer(text.lines[row].strip(), old.strip()) for old, row in known)


def _is_plainer(found: str, old: str) -> bool:
    """Whether `found`, which is the same but for look-alikes, has plain characters where `old` has those."""
    if found == old:
        return False
    (plain, at_found), (_, at_old) = in_ascii_with_offsets(found), in_ascii_with_offsets(old)
    return any(
        found[one] == character and in_plain(old[other]) != old[other]
        for character, one, other in zip(plain, at_found, at_old, strict=False)
    )


def spelled_as(found: str, old: str, new: str, *, plain: bool) -> str:
    """`new` with the words that it keeps from `old` as in `found`, which is the same but for look-alikes; `plain`:
    without look-alikes in others.

    A dash or blank is kept with a word, a quote or an end next to it: alone it may be any other one of the text.
    """
    at_old, at_found = in_ascii_with_offsets(old)[1], in_ascii_with_offsets(found)[1]
    # Where in `found` stands what begins at a character of `old`; not where one look-alike is several characters.
    where = {at_old[0]: at_found[0]} | {
        one: other
        for (one_before, one), (other_before, other) in zip(pairwise(at_old), pairwise(at_found), strict=True)
        if one_before < one and other_before < other
    }
    old_words, new_words = _WORD.findall(old), _WORD.findall(new)
    starts = list(accumulate(map(len, old_words), initial=0))
    own = in_plain if plain else str
    parts = []
    for tag, a, b, c, d in SequenceMatcher(None, old_words, new_words).get_opcodes():
        start, stop = starts[a], starts[b]
        held = a == 0 or b == len(old_words) or _HOLD.search(in_ascii(old[start:stop]))
        known = tag == "equal" and held and start in where and stop in where
        parts.append(found[where[start] : where[stop]] if known else own("".join(new_words[c:d])))
    return "".join(parts)


def _by_pieces(old: str, new: str, at: int) -> Iterator[TextChange]:
    """Like lines, but the last one has no end."""
    pieces = old.split("\n")
    starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=at))
    stop = at + len(old)
    for group in diff_lines(pieces, new.split("\n")):
        if group.stop < len(pieces):
            yield TextChange(starts[group.start], starts[group.stop], ended(group.lines))
        elif group.start < len(pieces) and group.lines:
            yield TextChange(starts[group.start], stop, "\n".join(group.lines))
        else:
            yield TextChange(starts[group.start] - 1, stop, "".join(f"\n{line}" for line in group.lines))


def _joined(changes: Iterable[TextChange]) -> list[TextChange]:
    """Changes that touch as one: an insertion before the end of the last line and one after it are at one position."""
    joined: list[TextChange] = []
    for change in changes:
        if joined and joined[-1].stop == change.start:
            joined[-1] = TextChange(joined[-1].start, change.stop, joined[-1].new + change.new)
        else:
            joined.append(change)
    return joined


def _by_lines(text: ViewedText, lines: OldNew, place: HunkPlace, *, plain: bool) -> Iterator[TextChange]:
    indentation = depths(text, lines, place)
    longer = 0  # lines by which the groups so far lengthen the text
    for group in diff_lines(lines.old, lines.new):
        rows = _rows(group, place.rows)
        new = _deep(group, lines, text, place.rows, indentation, longer)
        new_in_file = _as_in_file(group, lines.old, text, place.rows, new, plain=plain)
        yield TextChange(text.starts[rows.start], text.starts[rows.stop], ended(new_in_file))
        longer += len(group.lines) - (group.stop - group.start)


def _rows(group: Hunk, rows: Sequence[int | None]) -> range:
    """The file's lines that a group of old lines are; where the group only inserts, the place for it."""
    known = [row for row in rows[group.start : group.stop] if row is not None]
    if known:
        return range(known[0], known[-1] + 1)
    above = [row for row in rows[: group.start] if row is not None]
    below = [row for row in rows[group.stop :] if row is not None]
    at = above[-1] + 1 if above else below[0]
    return range(at, at)


def _deep(
    group: Hunk,
    lines: OldNew,
    text: ViewedText,
    rows: Sequence[int | None],
    indentation: Indentation,
    longer: int,
) -> list[str]:
    """The group's new lines at their depth in the file. Raises UnclearDepth.

    A line that replaces another one at the same depth takes the depth that this has in the file.
    """
    first = next((at for at, line in enumerate(lines.new) if line.strip()), None)
    made = range(group.start + longer, group.start + longer + len(group.lines))
    kept = _verbatim(lines.new, made, text.language) if not indentation.is_kept else frozenset()
    one_to_one = len(group.lines) == group.stop - group.start
    found = []
    for at, line in enumerate(group.lines, group.start):
        row = rows[at] if one_to_one else None
        if row is not None and line.strip() and indent_of(line) == indent_of(lines.old[at]):
            found.append(indent_of(text.lines[row]) + line.lstrip())
        else:
            found.append(line if at + longer in kept else indentation.of(line, at + longer == first))
    return found


def _verbatim(new: Sequence[str], made: range, language: str) -> frozenset[int]:
    """The new lines that begin in a string that is new itself, whose indentation is a part of it."""
    syntax = parse(tuple(new), language) if len(made) > 1 else None
    if syntax is None:
        return frozenset()
    return frozenset(row for row in syntax.verbatim if syntax.strings[row].start_point.row in made)


def _as_in_file(
    group: Hunk,
    old: Sequence[str],
    text: ViewedText,
    rows: Sequence[int | None],
    new: Sequence[str],
    *,
    plain: bool,
) -> Sequence[str]:
    """The new lines with the file's look-alikes in what they keep of the old ones; `plain`: with no others."""
    known = [
        (old[at], text.lines[row]) for at in range(group.start, group.stop) if (row := rows[at]) is not None
    ]
    found = "\n".join(line.rstrip() for _, line in known)
    said = "\n".join(indent_of(line) + one.strip() for one, line in known)
    if found == said or in_ascii(found) != in_ascii(said) or not new:
        return list(map(in_plain, new)) if plain else new
    return spelled_as(found, said, "\n".join(new), plain=plain).split("\n")
