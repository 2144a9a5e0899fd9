"""The code fences of a message that no format has read: edits of files that the prose above them names; commands, plain
text and quotations, which are no edits; and the rest, which may be some, so that none is dropped."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from fastedit.files.paths import slashed
from fastedit.formats.base import Beside, FileOperation, FoundEdit, ModifyFile, Replacement
from fastedit.formats.files.whole import told_in_prose
from fastedit.formats.files.withheld import says
from fastedit.formats.markdown.code_fences import is_beside, names_language
from fastedit.formats.markdown.info_strings import is_no_code, said, says_commands
from fastedit.formats.markdown.lead import Prose
from fastedit.formats.markdown.paths import citation, path_alone
from fastedit.formats.report import quoted
from fastedit.source.document import Document
from fastedit.source.fences import Closings, Fence, Nested, first_word
from fastedit.source.language import language_in
from fastedit.source.languages import languages
from fastedit.source.outline import is_closer, opens_block
from fastedit.source.syntax import flawless, has_grammar, parse

_QUOTED = re.compile(r" {0,3}>[> ]*(?:`{3}|~{3})")
_MOST = 100  # fences that are looked for in what the edit replaces
_RUNS = "is taken for a command or an output, not for an edit"
_QUOTES = "is what the edit replaces, and taken for no edit itself"


@dataclass(slots=True)
class Unread:
    """A fence that may be an edit, with what is wrong with it. `text` is what it holds where it names no file, and
    `lines` are its own; `names_none`: nor a language. `cites`: it shows lines of a file. `further` is what it is as
    another part of the file of the edit above, with its format, where it has lines of that."""

    row: int
    problem: str
    text: str = ""
    lines: range = range(0)
    names_none: bool = False
    cites: bool = False
    further: tuple[str, str, FoundEdit] | None = None

    def __str__(self) -> str:
        return f"update line {self.row + 1}: {self.problem}"


@dataclass(slots=True)
class Others:
    """What is beside the edits that formats have found: those in fences that prose names the file of, each with its
    format, a note on each fence that is no edit, and the rest.

    `paths` are the files that prose names for edits that formats have found, by the line these begin on.
    """

    found: list[tuple[str, FoundEdit]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    # The file and the text of those found, by line.
    shown: dict[int, tuple[str, str]] = field(default_factory=dict)

    def part_quotations(self, read: Mapping[int, Sequence[FileOperation]]) -> None:
        """Takes fences for no edits that show, in one piece, what the operations replace in their file, or in any where
        they name none. One below with more than that would undo the edit, or brings something else: that is open. No
        edits either are those that cite lines, beside edits, and those that name neither file nor language, and are no
        code of any file that is changed, nor examples of its use.

        `read` are the operations by the line that their edit begins on.
        """
        hunks = [
            (slashed(each.path or ""), start, hunk)
            for start, operations in read.items()
            for each in operations
            if isinstance(each, ModifyFile)
            for hunk in each.hunks
            if isinstance(hunk, Replacement) and hunk.old.strip()
        ]
        replaced: dict[str, list[tuple[int, str, str]]] = {}
        for path, start, hunk in hunks[:_MOST]:
            replaced.setdefault(path, []).append((start, _compact(hunk.old), _compact(hunk.new)))
        changed = sorted({slashed(each.path) for found in read.values() for each in found if each.path})
        gone = [old for found in replaced.values() for _, old, _ in found]
        unread, self.unread = self.unread, []
        for at, fence in enumerate(unread):
            if fence.cites and (read or self.found):
                self.notes.append(str(fence))
            elif at < _MOST and (said := _why_no_edit(fence, gone, changed)):
                self.note(fence.row, fence.text, said)
            elif fence.further is not None:
                path, format, edit = fence.further
                self.found.append((format, edit))
                self.shown[fence.row] = path, fence.text
            else:
                self.unread.append(fence)
        found, self.found = self.found, []
        for at, (format, edit) in enumerate(found):
            row = edit.lines.start
            path, text = self.shown[row]
            mine = replaced.get(slashed(path), []) if at < _MOST else []
            if any(_compact(text) in old for _, old, _ in mine):
                self.note(row, text, _QUOTES)
            elif any(
                start < row and old in _compact(text) and new not in _compact(text)
                for start, old, new in mine
            ):
                problem = f"the code fence {quoted(_first(text))} has text of {path} that the edit replaces"
                way_out = "leave it out, or send it as the edit is written"
                self.unread.append(Unread(row, f"{problem}; {way_out}"))
            else:
                self.found.append((format, edit))

    def note(self, row: int, text: str, said: str) -> None:
        self.notes.append(f"update line {row + 1}: {quoted(_first(text))} {said}")


def other_fences(lines: Sequence[str], read: Mapping[range, str | None], beside: Beside) -> Others:
    """`read` are the lines of the edits that formats have found, in order, each with its file where that is known."""
    others = Others()
    edits = list(read)
    stops = [rows.stop for rows in edits]
    prose, at, closings, marks = Prose(beside.prose_names, beside.is_file), 0, Closings(lines), Nested(lines)
    current: str | None = None  # the file of the edit above
    while at < len(lines):
        following = bisect_right(stops, at)
        edit = edits[following] if following < len(edits) else None
        fence = closings.fence(at) or marks.fence(at)
        if fence is not None and fence.tag and not fence.closed:
            fence = None  # a tag of what is no fence
        if edit is not None and edit.start < (at + 1 if fence is None else fence.lines.stop):
            files = prose.files("", for_sure=True)
            if not files and current is not None and prose.goes_on(current):
                files = [current]
            if len(files) == 1:
                others.paths[edit.start] = files[0]
            current = read[edit] or (files[0] if len(files) == 1 else None)
            at = max(edit.stop, fence.lines.stop) if fence is not None and fence.closed else edit.stop
        elif fence is None:
            if _QUOTED.match(lines[at]):
                problem = f"the code fence {quoted(lines[at])} stands in a quotation"
                way_out = "send it without the marks of that, or leave it out"
                others.unread.append(Unread(at, f"{problem}; {way_out}"))
            prose.feed(lines[at])
            at += 1
            continue
        else:
            start, at = at, _read(others, lines, marks, fence, prose)
            if start in others.shown:
                current = others.shown[start][0]
            elif others.unread and others.unread[-1].row == start and (text := others.unread[-1].text):
                goes_on = current is not None and prose.goes_on(current)
                if current is not None and goes_on and beside.has_one_of(current, text.split("\n")):
                    others.unread[-1].further = _further(lines, marks, start, current, prose)
                elif (
                    prose.last
                    and says("above", prose.last) > 0
                    and not _only_imports(text, fence.info, current)
                ):
                    del others.unread[-1]
                    said = f"is no edit by the words above it, {quoted(prose.last)}"
                    others.note(start, text, said)
        prose.end_run()
    return others


def _further(
    lines: Sequence[str], marks: Nested, at: int, path: str, prose: Prose
) -> tuple[str, str, FoundEdit] | None:
    """What a fence is as a part of a file, with that and its format; None where it says that it is something else."""
    fence = marks.fence(at)
    if fence is None or not names_language(fence.info, Path(slashed(path))):
        return None
    edit = told_in_prose(lines, marks, at, path, prose.last)
    return None if edit is None else (path, *edit)


def _read(others: Others, lines: Sequence[str], marks: Nested, fence: Fence, prose: Prose) -> int:
    """Adds what a fence is that no format has read, and gives the line after it."""
    text = [lines[at] for at in fence.inside if lines[at].strip()]
    if not text:
        return fence.lines.stop
    files = [] if citation(fence.info) else prose.files(fence.info)
    is_below_name = is_no_code(fence.info) and files == [prose.alone]
    named = len(files) == 1 and (is_below_name or names_language(fence.info, Path(files[0])))
    path = files[0] if named else None
    file = None if path is None else Path(slashed(path))
    # A command that has the file's name runs it.
    is_about_it = file is None or any(file.name in line for line in text)
    is_command = is_below_name and is_about_it and says_commands(fence.info)
    if is_command or (file is not None and is_beside(fence.info, file, text)):
        others.unread.append(_unread(fence, text, files))
    elif is_about_it and not is_below_name and is_no_code(fence.info) and not path_alone(prose.last):
        others.note(fence.lines.start, text[0], _RUNS)
    elif (
        path is not None
        and (edit := told_in_prose(lines, marks, fence.lines.start, path, prose.last)) is not None
    ):
        others.found.append(edit)
        others.shown[fence.lines.start] = path, "\n".join(text)
        return edit[1].lines.stop
    else:
        others.unread.append(_unread(fence, text, files))
    return fence.lines.stop


def _compact(text: str) -> str:
    """The lines that are not blank, without their indentation, each between line ends."""
    return "\n" + "".join(f"{line.strip()}\n" for line in text.split("\n") if line.strip())


def _first(text: str) -> str:
    return text.split("\n", 1)[0]


def _unread(fence: Fence, text: Sequence[str], files: Sequence[str]) -> Unread:
    its = f"the code fence {quoted(text[0])}"
    if cited := citation(fence.info):
        problem = (
            f"{its} cites lines {cited['first']}-{cited['last']} of {cited['path']}, and is taken for no edit"
        )
        way_out = "for an edit write the path alone after its opening marks"
        return Unread(fence.lines.start, f"{problem}; {way_out}", cites=True)
    if len(files) > 1:
        problem = f"{its} may be for {' or '.join(files)}, which the text above it names"
    elif files:
        problem = f"{its} says that it is {fence.info}, and the text above it names {files[0]}"
    else:
        problem = f"nothing says which file {its} is for"
    if files and is_no_code(fence.info):
        way_out = "put words between if it is no edit, or after its marks the language of the file"
    else:
        names = "write its path in backticks on the line right above it"
        way_out = f"{names}, or `text` after its opening marks if it is no edit"
    row, names_none = fence.lines.start, not files and not fence.info
    shown = "" if files else "\n".join(text)
    return Unread(row, f"{problem}; {way_out}", shown, fence.lines, names_none)


def _language(path: str) -> str:
    return language_in(Document.from_text("", Path(slashed(path))))


def _why_no_edit(fence: Unread, gone: Sequence[str], changed: Sequence[str]) -> str | None:
    """What tells that a fence which names no file is no edit: `gone` are texts that the edits replace, and `changed`
    the files."""
    if fence.text and any(_compact(fence.text) in old for old in gone):
        return _QUOTES
    if fence.names_none and not any(_may_be_code(fence.text, each) for each in set(map(_language, changed))):
        return _RUNS
    used = _used(fence.text, changed)
    return f"imports {used}, and is taken for an example" if used else None


def _may_be_code(text: str, language: str) -> bool:
    """Whether a text may be code of a language, or a part of some: that opens or closes blocks, or stands in them. Of a
    language without a grammar anything may."""
    lines = dedent(text).split("\n")
    if any(line[:1].isspace() or opens_block(line) or is_closer(line) for line in lines):
        return True
    return not has_grammar(language) or flawless(lines, language) is not None


def _used(text: str, paths: Sequence[str]) -> str | None:
    """The file that a text of statements alone imports: no file does so itself, and a new one would define
    something."""
    lines = text.split("\n")
    if not text or any(map(opens_block, lines)):
        return None
    imports: dict[str, str] = {}
    for path in paths:
        language, name = _language(path), Path(path).stem
        if language not in imports:
            imports[language] = _imports(lines, language)
        if name in imports[language] and re.search(rf"\b{re.escape(name)}\b", imports[language]):
            return path
    return None


def _only_imports(text: str, info: str, path: str | None) -> bool:
    """Whether all statements of a text import, in the language that its fence names or that of the file above: an edit
    may need them, and an example does more."""
    word = first_word(info)
    called = (each.name for each in languages() if word in said(each))
    language = next(called, "" if word or path is None else _language(path))
    syntax = parse((*text.split("\n"), ""), language)
    if syntax is None:
        return False
    rows = {node.start_point.row for node in syntax.nodes(syntax.language.import_kinds)}
    spans = [range(node.start_point.row, node.end_point.row + 1) for node in syntax.root.named_children]
    return bool(spans) and not any(map(rows.isdisjoint, spans))


def _imports(lines: Sequence[str], language: str) -> str:
    """The statements of a text that import, empty where it is no code of the language."""
    syntax = parse(tuple(lines), language)
    if syntax is None or syntax.has_error:
        return ""
    return "\n".join(map(syntax.text, syntax.nodes(syntax.language.import_kinds)))
