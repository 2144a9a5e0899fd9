"""Comments that say nothing but the path of the file that the lines below them are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fastedit.files.paths import slashed
from fastedit.formats.base import ALONE, Beside, unreadable
from fastedit.formats.markdown.info_strings import names_a_language
from fastedit.formats.markdown.paths import is_file_name
from fastedit.formats.report import quoted
from fastedit.formats.text.views import without_blank_ends
from fastedit.source.fences import first_word
from fastedit.source.languages import TEXT, named, notation_of
from fastedit.source.markers import said_in_comment

_LABELLED = re.compile(r"\s*+[^\w\s]++\s*+(?P<label>\w++(?: \w++)?):\s++(?P<path>\S++)(?:\s++[^\w\s]++)?\s*+")
_NOTE = re.compile(r"\s\([^()]*\)(?=\s*(?:\*/|-->)?$)")


def path_in_comment(line: str, info: str) -> str | None:
    """The path that is all of a comment: with a label, or in the language of that path. `info` is the info string of
    the fence: where it names no language that is known, the comment may be in any, if the path has a folder."""
    return _labelled(line) or _commented(line, info)


def without_label(text: str, path: str) -> str:
    """The text of a new file without a first comment that only says its path, with a label."""
    first, _, rest = text.partition("\n")
    said = _labelled(first)
    return rest if said is not None and slashed(said) == slashed(path) else text


def parts(
    name: str, path: str, info: str, lines: Sequence[str], beside: Beside = ALONE
) -> list[tuple[str, Sequence[str]]]:
    """The files of a code fence, each with its lines: below a comment with the path of the first, each comment with
    another one begins the next. Where the path stands above the fence, that is open. `name` is the format.

    A first comment may have the folder that the path lacks.

    Raises UnreadableEdit for a comment with the path of another file that there is, and that the first does not have.
    """
    begins = [(path, 0, 0)]  # with the line after a comment that says more than the path
    in_comments = bool(lines) and path_in_comment(lines[0], info) == path
    for row, line in enumerate(lines):
        without_note = _NOTE.sub("", line)
        other = None if line[:1].isspace() else path_in_comment(without_note, info)
        above = begins[-1][0]
        if other is None or slashed(other) == slashed(above) or beside.has_one_of(above, [line]):
            continue
        if row == 0 and slashed(other).endswith(f"/{slashed(path)}") and not beside.is_file(path):
            begins = [(other, 0, 1)]  # with its folder
        elif in_comments:
            begins.append((other, row, row if line == without_note else row + 1))
        elif beside.is_file(other):
            problem = f"{quoted(line)} in the code fence of {path} names another file"
            raise unreadable(name, None, problem, "put what is for that one in a fence of its own")
    stops = [row for _, row, _ in begins[1:]] + [len(lines)]
    found = ((file, lines[row:stop]) for (file, _, row), stop in zip(begins, stops, strict=True))
    return [(file, without_blank_ends(text) if len(begins) > 1 else text) for file, text in found]


def _commented(line: str, info: str) -> str | None:
    """The path that is a whole comment in its own language."""
    words = line.split()
    for path in filter(is_file_name, words[1:2]):
        language = named(notation_of(Path(path), ""))
        marks = [] if language.name == TEXT or language.comment is None else [language.comment]
        if ("//", "") in marks:
            marks.append(("/*", "*/"))
        of_any = language.name == TEXT and "/" in path and not names_a_language(first_word(info))
        if words in ([begin, path, *filter(None, [end])] for begin, end in marks):
            return path
        if of_any and said_in_comment(line) == path:
            return path
    return None


def _labelled(line: str) -> str | None:
    """The path that a comment says with a label for it, as Copilot writes it: `// filepath: src/a.js`."""
    found = _LABELLED.fullmatch(line) if said_in_comment(line) is not None else None
    if found is None:
        return None
    from fastedit.formats.tools.json_values import plain  # only now: few comments have a label
    from fastedit.formats.tools.tool_arguments import PATH

    if plain(found["label"].replace(" ", "_")) not in PATH.spellings:
        return None
    return found["path"] if is_file_name(found["path"]) else None
