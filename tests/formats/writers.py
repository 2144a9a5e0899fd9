"""Writes one change of a file in every edit format, as its authors do.

A format that cannot say a change gives None: blocks of lines, for one, do not tell whether the last line has an end.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fastedit.formats.hashline.anchor import file_tag, read_anchor
from fastedit.source.hunks import diff_lines
from fastedit.source.outline import indent_width
from tests.formats.blocks import (
    OPEN,
    Block,
    FileEdit,
    as_seen,
    blocks,
    count_lines,
    count_strings,
    line_blocks,
    lines_of,
    plain_blocks,
)

_CONTEXT = 3  # of `git diff`

Write = Callable[[FileEdit], str | None]


@dataclass(frozen=True, slots=True)
class Writer:
    """One dialect of an edit format. `format` is its name in fastedit's registry."""

    name: str
    format: str
    write: Write


def _search_replace(head: str, middle: str, tail: str, hint: bool = False) -> Write:
    def write(edit: FileEdit) -> str | None:
        if not edit.same_end:
            return None
        lines = lines_of(edit.old)
        written = [edit.path]
        for block in line_blocks(edit):
            hints = [f":start_line:{block.start + 1}", "-------"] if hint else []
            written += [head, *hints, *block.old(lines), middle, *block.new(lines), tail]
        return "\n".join(written) + "\n"

    return write


def git_diff(edit: FileEdit) -> str:
    """As `git diff` writes it: the lines of a file with CR LF keep their CR."""
    path = edit.path
    before, after = lines_of(edit.old, OPEN), lines_of(edit.new, OPEN)
    end = "\r\n" if "\r\n" in edit.old else "\n"
    blobs = f"{_blob(edit.old)}..{_blob(edit.new)}"
    written = f"diff --git a/{path} b/{path}\nindex {blobs} 100644\n--- a/{path}\n+++ b/{path}\n"
    shift = 0
    for block in plain_blocks(before, after, _CONTEXT):
        rows = list(block.rows(before))
        old, new = (sum(sign != other for sign, _ in rows) for other in "+-")
        # A range without lines names the line before it.
        starts = block.start + (old > 0), block.start + shift + (new > 0)
        shift += new - old
        written += f"@@ -{starts[0]},{old} +{starts[1]},{new} @@\n"
        for sign, text in rows:
            written += sign + (
                f"{text[:-1]}\n\\ No newline at end of file\n" if text.endswith(OPEN) else f"{text}{end}"
            )
    return written


def _blob(text: str) -> str:
    data = text.encode()
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data)).hexdigest()[:7]


def _model_diff(header: Callable[[Block, int, int], str]) -> Write:
    def write(edit: FileEdit) -> str | None:
        if not edit.same_end:
            return None
        lines = lines_of(edit.old)
        written = ["```diff", f"--- a/{edit.path}", f"+++ b/{edit.path}"]
        for block in line_blocks(edit):
            written.append(header(block, len(block.old(lines)), len(block.new(lines))))
            written += [f"{sign}{text}" for sign, text in block.rows(lines)]
        return "\n".join([*written, "```"]) + "\n"

    return write


def _wrong_header(block: Block, old: int, new: int) -> str:
    """Up to four lines off the place, and with other counts, as models write it."""
    start = max(1, block.start + 1 + (block.start * 7 + 3) % 9 - 4)
    return f"@@ -{start},{max(1, old - 2)} +{start},{new + 1} @@"


def v4a(edit: FileEdit) -> str | None:
    if not edit.same_end:
        return None
    lines = lines_of(edit.old)
    written = ["*** Begin Patch", f"*** Update File: {edit.path}"]
    for block in blocks(edit):
        scope = _scope(lines, block) if count_lines(lines, block.old(lines)) > 1 else None
        written.append(f"@@ {scope}" if scope else "@@")
        written += [f"{sign}{text}" for sign, text in block.rows(lines)]
        if block.stop == len(lines):
            written.append("*** End of File")
    return "\n".join([*written, "*** End Patch"]) + "\n"


def _scope(lines: Sequence[str], block: Block) -> str | None:
    """The line above that encloses the block: the nearest one that is indented less, if it says something."""
    depth = min((indent_width(line) for line in block.old(lines) if line.strip()), default=0)
    above = (line for line in reversed(lines[: block.start]) if line.strip() and indent_width(line) < depth)
    head = next(above, "").strip()
    return head if re.search(r"\w", head) else None


def _pairs(edit: FileEdit) -> list[tuple[str, str]]:
    """Old and new strings: whole lines without the last line's end, each once in the text if the author takes care."""
    seen, lines = as_seen(edit.old), lines_of(edit.old)

    def is_unique(part: list[str]) -> bool:
        return bool(part) and count_strings(seen, "\n".join(part)) == 1

    found = blocks(edit, is_unique if edit.unique else None)
    if not edit.same_end and not (found and found[-1].stop == len(lines)):
        found.append(Block(len(lines) - 1, len(lines), ()))
    pairs: list[tuple[str, str]] = []
    for block in found:
        old, new = block.old(lines), block.new(lines)
        ends = ["", ""]
        if block.stop == len(lines) and not edit.same_end:
            sides = (edit.old, old), (edit.new, new)
            ends = ["\n" * (text.endswith("\n") and bool(part)) for text, part in sides]
        elif not (old and new):
            ends = ["\n" * bool(old), "\n" * bool(new)]
        pairs.append(("\n".join(old) + ends[0], "\n".join(new) + ends[1]))
    return pairs


def str_replace(edit: FileEdit) -> str | None:
    """One call for each block, as Anthropic's text editor takes them."""
    if not edit.old:
        return None
    calls = [
        {"command": "str_replace", "path": edit.path, "old_str": old, "new_str": new}
        for old, new in _pairs(edit)
    ]
    return "\n".join(map(json.dumps, calls)) + "\n"


def _multi_edit(edit: FileEdit) -> str | None:
    if not edit.old:
        return None
    edits = [{"old_string": old, "new_string": new} for old, new in _pairs(edit)]
    return json.dumps({"file_path": edit.path, "edits": edits}, indent=2) + "\n"


def _edit_tags(edit: FileEdit) -> str | None:
    if not edit.same_end or not edit.old:
        return None
    lines = lines_of(edit.old)
    written = [edit.path, "<edits>"]
    for block in line_blocks(edit):
        written += [f"<old_text line={block.start + 1}>", *block.old(lines), "</old_text>"]
        written += ["<new_text>", *block.new(lines), "</new_text>"]
    return "\n".join([*written, "</edits>"]) + "\n"


def _workspace_edit(edit: FileEdit) -> str:
    seen, open_lines = as_seen(edit.old), lines_of(edit.old, OPEN)
    lines = [f"{line}\n".replace(f"{OPEN}\n", "") for line in open_lines]
    edits = []
    for hunk in diff_lines(open_lines, lines_of(edit.new, OPEN)):
        start, stop = ("".join(lines[:at]) for at in (hunk.start, hunk.stop))
        text = "".join(f"{line}\n" for line in hunk.lines).replace(f"{OPEN}\n", "")
        edits.append({"range": {"start": _position(start), "end": _position(stop)}, "newText": text})
    assert "".join(lines) == seen
    document = {"textDocument": {"uri": f"file:{edit.path}", "version": None}, "edits": edits}
    return json.dumps({"documentChanges": [document]}) + "\n"


def _position(before: str) -> dict[str, int]:
    """The position behind a text."""
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def _hashline_json(edit: FileEdit) -> str | None:
    lines = lines_of(edit.old)
    if not edit.same_end or not lines:
        return None

    def anchor(row: int) -> str:
        digest = read_anchor(f"{row + 1}:00", 1).tag.digest
        return f"{row + 1}:{digest(lines[row])}"

    edits: list[dict[str, object]] = []
    for hunk in diff_lines(lines, lines_of(edit.new)):
        text = "".join(f"{line}\n" for line in hunk.lines)
        if hunk.start < hunk.stop:
            ends = {"start_anchor": anchor(hunk.start), "end_anchor": anchor(hunk.stop - 1)}
            edits.append({"replace_lines": {**ends, "new_text": text}})
        elif hunk.start:
            edits.append({"insert_after": {"anchor": anchor(hunk.start - 1), "text": text}})
        else:
            edits.append({"op": "prepend", "pos": anchor(0), "lines": list(hunk.lines)})
    return json.dumps({"path": edit.path, "edits": edits}) + "\n"


def _hashline_tagged(edit: FileEdit) -> str | None:
    lines = lines_of(edit.old)
    if not edit.same_end or not lines:
        return None
    written = [f"[{edit.path}#{file_tag('').digest(edit.old)}]"]
    for hunk in diff_lines(lines, lines_of(edit.new)):
        if not hunk.lines:
            written.append(f"CUT {hunk.start + 1}.={hunk.stop}")
        elif hunk.start < hunk.stop:
            written.append(f"PUT {hunk.start + 1}.={hunk.stop}:")
        else:
            written.append(f"PUT >{hunk.start}:" if hunk.start else "PUT <1:")
        written += [f"+{line}" for line in hunk.lines]
    return "\n".join(["*** Begin Patch", *written, "*** End Patch"]) + "\n"


def _whole(edit: FileEdit) -> str:
    """As the Write tools take it: a code fence does not say whether it holds the whole file."""
    return json.dumps({"file_path": edit.path, "content": as_seen(edit.new)}) + "\n"


WRITERS = (
    Writer(
        "search/replace, Aider",
        "search_replace",
        _search_replace("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"),
    ),
    Writer(
        "search/replace, Cline",
        "search_replace",
        _search_replace("------- SEARCH", "=======", "+++++++ REPLACE"),
    ),
    Writer(
        "search/replace, Roo",
        "search_replace",
        _search_replace("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", hint=True),
    ),
    Writer("edit tags, Zed", "edit_tags", _edit_tags),
    Writer("udiff, git", "udiff", git_diff),
    Writer("udiff, wrong numbers", "udiff", _model_diff(_wrong_header)),
    Writer("udiff, no numbers", "udiff", _model_diff(lambda block, old, new: "@@ ... @@")),
    Writer("V4A", "v4a", v4a),
    Writer("str_replace", "str_replace", str_replace),
    Writer("MultiEdit", "str_replace", _multi_edit),
    Writer("hashline, lines", "hashline", _hashline_json),
    Writer("hashline, file", "hashline", _hashline_tagged),
    Writer("WorkspaceEdit", "workspace_edit", _workspace_edit),
    Writer("whole file", "str_replace", _whole),
)
