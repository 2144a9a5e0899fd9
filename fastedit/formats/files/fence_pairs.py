"""Two code fences of which the second takes the place of the first, or comes next to it, by the words around them: a
search/replace block that has words for its markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fastedit.formats.base import FileOperation, Format, FormatHunk, FoundEdit, ModifyFile, Sketch
from fastedit.formats.diffs.search_replace import MAY_BE_EDIT
from fastedit.formats.diffs.search_replace_hunks import NAME, replacements
from fastedit.formats.files.path_comments import path_in_comment
from fastedit.formats.files.whole import edit_kind
from fastedit.formats.files.withheld import says
from fastedit.formats.markdown.info_strings import is_no_code
from fastedit.formats.markdown.lead import stated
from fastedit.formats.markdown.paths import citation, files_in_prose
from fastedit.formats.text.views import ended
from fastedit.source.fences import Fence, Nested, first_word
from fastedit.source.markers import looks_like_marker, said_in_comment
from fastedit.source.outline import indent_width


def find(lines: Sequence[str]) -> list[FoundEdit]:
    found: list[FoundEdit] = []
    marks, above, floor, at = Nested(lines), None, 0, 0
    while at < len(lines):
        fence = marks.fence(at)
        if fence is None:
            at += 1
            continue
        at = fence.lines.stop
        edit = None if above is None else _pair(lines, floor, above, fence)
        if edit is not None:
            found.append(edit)
        if above is not None:
            floor = above.lines.stop if edit is None else at
        above = fence if edit is None else None
    return found


FORMAT = Format(NAME, (find,))


def _pair(lines: Sequence[str], floor: int, first: Fence, second: Fence) -> FoundEdit | None:
    """The edit that a fence and the next one are together; None where the words do not say so. `floor` is the first
    line that may be about them."""
    if not _may_pair(lines, first, second):
        return None
    start, path = stated(lines, first.lines.start, floor, first.info)
    old, new = first.text(lines), second.text(lines)
    if path is None and (path := path_in_comment(old[0], first.info)) is not None:
        old, new = old[1:], new[path_in_comment(new[0], second.info) == path :]
    above, words = lines[floor : first.lines.start], lines[first.lines.stop : second.lines.start]
    if not _said(words) and says("shown", said_in_comment(old[0]) or "") > 0:
        above, words = [said_in_comment(old[0]) or ""], [said_in_comment(new[0]) or ""]
        old, new = old[1:], new[1:]
    hunks = _hunks(_last(above), _last(words), old, new)
    is_named = path is not None or bool(files_in_prose(_last(above)))
    if not hunks or (is_no_code(first.info) and not is_named):
        return None

    def read() -> list[FileOperation]:
        return [ModifyFile(path, hunks)]

    return FoundEdit(range(start, second.lines.stop), read, judged=second.lines)


def _may_pair(lines: Sequence[str], first: Fence, second: Fence) -> bool:
    """Whether two fences hold code of one language, and nothing else is between them that is or names an edit."""
    infos = {first_word(each.info) for each in (first, second) if each.info}
    if not (first.closed and second.closed) or len(infos) > 1 or citation(first.info):
        return False
    texts = [each.text(lines) for each in (first, second)]
    if not all(_said(text) and edit_kind("", "", text) for text in texts):
        return False
    # What stands right at marks that say nothing may be text of a fence with others inside.
    between = lines[first.lines.stop : second.lines.start]
    is_apart = (first.info and second.info) or _last(between).endswith(":") or not _last(between[-1:])
    return is_apart and not any(MAY_BE_EDIT.match(line) or files_in_prose(line) for line in between)


def _hunks(lead: str, words: str, code: Sequence[str], other: Sequence[str]) -> tuple[FormatHunk, ...]:
    """What the words above and between make of two pieces of code; empty where they say of each that it is something by
    itself, or leave it open."""
    is_open = max(says("above", lead), says("open", lead)) > 0 and says("shown", lead) <= 0
    if is_open or not words or says("above", words) > 0 or not (_said(code) and _said(other)):
        return ()
    old, new = (["..." if looks_like_marker(line) else line for line in part] for part in (code, other))
    gaps = old.count("..."), new.count("...")
    instead, adds = says("instead", words), says("adds", words)
    if instead > max(adds, 0):
        return _in_words(old, new) if gaps[0] == gaps[1] else (Sketch(ended(other)),)
    behind, ahead = (max(says(side, lead), says(side, words)) for side in ("behind", "ahead"))
    if any(gaps) or adds <= 0 or max(behind, ahead) <= 0:
        return ()
    blocks = all(len(set(map(indent_width, _said(part)))) > 1 for part in (old, new))
    between = [""] if blocks else []
    return _in_words(old, [*old, *between, *new] if behind > ahead else [*new, *between, *old])


def _in_words(old: Sequence[str], new: Sequence[str]) -> tuple[FormatHunk, ...]:
    return tuple(replace(hunk, in_words=True) for hunk in replacements(old, new))


def _said(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _last(lines: Sequence[str]) -> str:
    return next(iter(_said(lines)[-1:]), "")
