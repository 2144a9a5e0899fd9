"""Whether a change may be trusted. Each check is a sentence about it that must hold; a reason says where one does not.

Strict on purpose: a false alarm costs a look at the diff, a wrong change that passes costs the file.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fastedit.edit.change import WORD, Change, inked, short
from fastedit.edit.data import data_format
from fastedit.edit.definitions import Definition, definitions
from fastedit.edit.document import Document
from fastedit.edit.hunks import Hunk
from fastedit.edit.imports import imports
from fastedit.edit.markers import begins_with_dots, looks_like_marker
from fastedit.edit.outline import definition_at, indent_width, is_closer
from fastedit.edit.provenance import PROVENANCE_CHECKS
from fastedit.edit.request import LineRange
from fastedit.edit.syntax import Syntax, has_grammar
from fastedit.edit.update import Update

_DELIMITER = re.compile(r"</?(?:updated-code|original-code|code|update|instruction|edit)>|<\|\w+\|>")
_ASSIGNED = re.compile(
    r"\s*(?:(?:const|let|var|final|auto)\s+)?(?P<names>[\w$.]+(?:\s*,\s*[\w$.]+)*)\s*(?::[^=:]+)?(?::=|=)(?![=>])(?P<value>.*)"
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_DIFF_LINE = re.compile(r"@@ -\d+(?:,\d+)? \+\d|(?:<{7}|>{7})(?: |$)")
_DIFFS = frozenset({".diff", ".patch", ".rej"})
# In these languages one name may have several definitions.
_OVERLOADS = frozenset({"java", "cpp", "typescript", "tsx"})
_SHORT_FILE = 10
_PROSE = frozenset({".md", ".markdown", ".rst", ".txt", ".adoc"})  # where `#` and `--` begin no comment


def check(
    document: Document,
    hunks: Sequence[Hunk],
    instruction: str | None,
    regions: Sequence[LineRange],
    *,
    foretold: bool = False,
) -> tuple[str, ...]:
    """Why the change that an instruction came to may be wrong, a phrase each; empty where nothing speaks against it.

    `foretold`: they are what code alone made of the instruction, so nothing need be asked of how well it was followed.
    """
    change = Change(document, hunks, (instruction or "").strip() or None, None, foretold)
    checks = _CHECKS if foretold or change.said is None else (*_CHECKS, *PROVENANCE_CHECKS)
    reasons = [*_within(change, regions), *(reason for one in checks for reason in one(change))]
    return tuple(dict.fromkeys(reasons))


class Objection(NamedTuple):
    """Why a merge may be wrong. `kind` names the check."""

    kind: str
    reason: str


def check_merge(
    document: Document, hunks: Sequence[Hunk], update: Update, told_gone: frozenset[int] = frozenset()
) -> tuple[Objection, ...]:
    """Why the change that an update came to may be wrong. `told_gone` are lines that a comment of it removes."""
    change = Change(document, hunks, None, update, told_gone=told_gone)
    found = (Objection(kind, reason) for kind, one in MERGE_CHECKS.items() for reason in one(change))
    return tuple(dict.fromkeys(found))


def _within(change: Change, regions: Sequence[LineRange]) -> Iterator[str]:
    """Nothing outside the regions changes, and none of them is lost whole: an empty answer is no deletion."""
    for hunk in change.hunks:
        if not any(region.start <= hunk.start and hunk.stop <= region.stop for region in regions):
            yield f"line {hunk.start + 1} changes, which is outside the requested region"
        elif not change.foretold and not inked(hunk.lines):
            for region in regions:
                if hunk.start <= region.start < region.stop <= hunk.stop:
                    yield f"nothing is left of lines {region.start + 1}:{region.stop}"


def _parses(change: Change) -> Iterator[str]:
    """The result parses no worse than the original."""
    if not change.hunks or not has_grammar(change.language):
        return
    if change.near and not (
        change.language == "python" and any(_python_error(new.lines) is not None for _, new in change.near)
    ):
        return
    old, new = change.old_syntax, change.new_syntax
    assert old is not None
    assert new is not None
    if new.damage > old.damage:
        places = {node.start_point.row for node in new.find("(ERROR) @found (MISSING) @found")}
        known = {node.start_point.row for node in old.find("(ERROR) @found (MISSING) @found")}
        line = min(places - known or places)
        yield f"the result has a syntax error near line {line + 1}"
    elif (
        change.language == "python" and (error := _python_error(change.new)) and not _python_error(change.old)
    ):
        yield f"the result is no valid Python: {error}"


def _data_stays_valid(change: Change) -> Iterator[str]:
    """JSON, TOML and YAML that could be read before, or were not there yet, can be read after."""
    kind = data_format(change.document.path, change.document.text) if change.hunks else None
    if kind is None or (error := kind.error("\n".join(change.new))) is None:
        return
    if not change.document.text.strip() or kind.error("\n".join(change.old)) is None:
        yield f"the result is no valid {kind.name}: {error}"


def _python_error(lines: Sequence[str]) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile("\n".join(lines) + "\n", "<result>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"{error.msg} (line {error.lineno})"
        except (ValueError, RecursionError, MemoryError) as error:
            return str(error) or type(error).__name__
    return None


def _markers_stay(change: Change) -> Iterator[str]:
    """No marker, code fence or delimiter of a prompt gets into the file."""
    asked = {line.text.strip() for line in change.update.lines if not line.marker} if change.update else set()
    given = change.said or ""
    known = (change.document.text, given, *asked)
    for text in sorted(asked):
        if begins_with_dots(text) and change.count_after(text) > change.count_before(text):
            yield f"the comment {short(text)} may be meant as a marker"
    for hunk in change.hunks:
        for text in inked(hunk.lines):
            if text in asked or text in given or change.count_after(text) <= change.count_before(text):
                continue
            if looks_like_marker(text):
                yield f"the marker {short(text)} was written into the file"
            elif has_grammar(change.language) and _FENCE.match(text):
                yield "a code fence was written into the file"
            elif (found := _DELIMITER.search(text)) and not any(found[0] in one for one in known):
                yield f"the delimiter {found[0]} was written into the file"


def _own_markers_stay(change: Change) -> Iterator[str]:
    """No line of the file that looks like a marker goes where an update has markers: it was taken for one of those."""
    if change.update is None:
        return
    markers = {line.text.strip() for line in change.update.lines if line.marker}
    for hunk in change.hunks:
        for text in inked(change.old[hunk.start : hunk.stop]):
            # Python's `...` is a statement that goes like any other, unless the update has it for a marker.
            if text == "..." and text not in markers:
                continue
            if looks_like_marker(text) and change.count_after(text) < change.count_before(text):
                yield f"the file's own line {short(text)}, which looks like a marker, vanishes"
                return


def _only_code_is_written(change: Change) -> Iterator[str]:
    """Nothing gets into code that an update has around it: the fences of an answer, what makes it a diff."""
    path = change.document.path
    if change.update is None or (path and path.suffix.lower() in _PROSE | _DIFFS):
        return
    fenced = has_grammar(change.language) or any(map(_FENCE.match, change.old))
    for line in (line for hunk in change.hunks for line in hunk.lines):
        if change.count_after(line.strip()) <= change.count_before(line.strip()):
            continue
        if _FENCE.match(line) and not fenced:
            yield "a code fence was written into the file"
        elif _DIFF_LINE.match(line) or _marked(change, line):
            yield f"{short(line)} looks like a line of a diff"
            return


def _marked(change: Change, line: str) -> bool:
    """Whether a line begins with the sign of a diff: that of one of the file's lines, or one that no line there has."""
    if line.startswith("-"):
        return any(map(str.isalnum, line)) and line[1:] in change.old
    return line.startswith("+") and not any(other.startswith("+") for other in change.old)


def _imports_stay(change: Change) -> Iterator[str]:
    """No import vanishes that is still used, or that nobody asked to lose."""
    if not change.hunks:
        return
    if change.near and not any(_import_names(old.syntax) - _kept_names(new) for old, new in change.near):
        return
    if change.old_syntax is None or change.new_syntax is None:
        return
    kept = _kept_names(change.new_syntax)
    for item in imports(change.old_syntax):
        for name in sorted(item.names - kept):
            root = name.split(".")[0]
            if _asked_for(change, name):
                continue
            # A sketch that lists the imports it has in mind is the usual way to lose one, so that it spells them
            # out is no excuse while the name is in use.
            if root in change.new_syntax.identifiers and root not in kept:
                yield f"the import of {name} vanishes, but {root} is still used"
            elif not change.foretold and not _left_out(change, item.start):
                yield f"the import of {name} vanishes, and nobody asked for that"


def _import_names(syntax: Syntax) -> set[str]:
    return {name for item in imports(syntax) for name in item.names}


def _kept_names(syntax: Syntax) -> set[str]:
    return _import_names(syntax) | {definition.name for definition in definitions(syntax)}


def _definitions_stay(change: Change) -> Iterator[str]:
    """No definition vanishes that nobody asked to lose, and none is there twice that was there once."""
    if not change.hunks or (change.near and _expected_definitions(change)):
        return
    if change.old_syntax is None or change.new_syntax is None:
        return
    before, after = definitions(change.old_syntax), definitions(change.new_syntax)
    kept, lost = {item.path for item in after}, set[tuple[str, ...]]()
    for item in before:
        if item.path in kept or item.path[:-1] in lost:
            lost |= {item.path} if item.path not in kept else set()
            continue
        lost.add(item.path)
        if _asked_for(change, item.name):
            if not change.foretold and len(item.path) == 1 and (line := _used(change, item.name)) is not None:
                yield f"the {item.kind} {item.dotted} vanishes, but is still used at line {line + 1}"
        elif not _left_out(change, item.header):
            yield f"the {item.kind} {item.dotted} vanishes, and nobody asked for that"
    if change.language not in _OVERLOADS:
        yield from _doubled(change, before, after)


def _used(change: Change, name: str) -> int | None:
    """A line of the result that has this name, and not as somebody's attribute."""
    assert change.new_syntax is not None
    own = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    lines = change.new_syntax.identifiers.get(name, ())
    return next((line for line in lines if own.search(change.new[line])), None)


def _expected_definitions(change: Change) -> bool:
    """Whether near the hunks none is lost that was not to go, and those that come have names new to the file."""
    before = [item.moved(old.start) for old, _ in change.near for item in definitions(old.syntax)]
    after = Counter(item.path for _, new in change.near for item in definitions(new))
    gained = after - Counter(item.path for item in before)
    return all(count == 1 and path[-1] not in change.document.text for path, count in gained.items()) and all(
        item.path in after
        or (change.foretold and _asked_for(change, item.name))
        or _left_out(change, item.header)
        for item in before
    )


def _doubled(change: Change, before: Sequence[Definition], after: Sequence[Definition]) -> Iterator[str]:
    def counted(items: Sequence[Definition]) -> Counter[tuple[str, str]]:
        # A decorator such as @overload or @x.setter makes a second definition of a name a matter of course.
        plain = (item for item in items if item.kind != "impl" and item.start == item.header)
        return Counter((item.kind, item.dotted) for item in plain)

    old = counted(before)
    sketch = change.update.texts if change.update is not None else ()
    given = Counter(definition_at(sketch, index) for index in range(len(sketch)))
    for (kind, name), count in counted(after).items():
        if count > max(old[kind, name], given[name.rsplit(".", 1)[-1]], 1):
            yield f"the {kind} {name} is now defined {count} times"


def _stores_last(change: Change) -> Iterator[str]:
    """No new assignment stands next to an old one of the same name, unless the update shows that one too."""
    shown = {text.strip() for text in change.update.texts} if change.update is not None else set()
    rows = change.new_rows
    for row in sorted(rows):
        above, below = _statement(change.new, row, -1), _statement(change.new, row, 1)
        for kept in (above, below):
            if kept is None or kept in rows or change.new[kept].strip() in shown:
                continue
            first, second = sorted((row, kept))
            if name := _overwritten(change.new[first], change.new[second]):
                yield f"{name} is assigned at line {first + 1} and again at line {second + 1}"


def _overwritten(first: str, second: str) -> str | None:
    """What the first statement assigns in vain, as the second one does so again without using it."""
    one, other = _ASSIGNED.match(first), _ASSIGNED.match(second)
    if not one or not other or one["names"] != other["names"]:
        return None
    names: str = one["names"]
    return None if set(WORD.findall(names)) & set(WORD.findall(other["value"])) else names


def _statement(lines: Sequence[str], row: int, step: int) -> int | None:
    """The next line of the same indentation that is neither blank nor a closing bracket, unless a block ends before."""
    width = indent_width(lines[row])
    at = row + step
    while 0 <= at < len(lines):
        text = lines[at]
        if text.strip() and indent_width(text) < width:
            return None
        if text.strip() and indent_width(text) == width and not is_closer(text):
            return at
        at += step
    return None


def _asked_for(change: Change, name: str) -> bool:
    """Whether the instruction speaks of `name`."""
    return not change.said_words.isdisjoint(WORD.findall(name)) or "unused" in change.said_words


def _left_out(change: Change, line: int) -> bool:
    """Whether the update plainly leaves out this line of the original, or says that it goes."""
    return line in change.told_gone or any(
        hunk.start <= line < hunk.stop and change.spelled_out(index)
        for index, hunk in enumerate(change.hunks)
    )


def _most_stays(change: Change) -> Iterator[str]:
    """The better part of the file stays, but where the update spells out what takes its place."""
    before = len(change.old) - change.count_before("")
    after = len(change.new) - change.count_after("")
    gone = any(hunk.stop > hunk.start for hunk in change.hunks)
    if before <= _SHORT_FILE or not gone or after >= before / 2:
        return
    told = change.update is not None and all(
        change.spelled_out(index) or change.told_gone.issuperset(range(hunk.start, hunk.stop))
        for index, hunk in enumerate(change.hunks)
    )
    old_size, new_size = (sum(map(len, inked(lines))) for lines in (change.old, change.new))
    if not told and new_size < 0.4 * old_size:
        yield f"{before - after} of the file's {before} lines vanish"


_Check = Callable[[Change], Iterator[str]]
_CHECKS: tuple[_Check, ...] = (
    _parses,
    _data_stays_valid,
    _markers_stay,
    _imports_stay,
    _definitions_stay,
    _most_stays,
)
MERGE_CHECKS: dict[str, _Check] = {
    "syntax": _parses,
    "data": _data_stays_valid,
    "marker": _markers_stay,
    "own marker": _own_markers_stay,
    "code": _only_code_is_written,
    "import": _imports_stay,
    "definition": _definitions_stay,
    "store": _stores_last,
    "size": _most_stays,
}
