"""What an edit makes of the lines that stay: text of code, code of text, or one statement of two."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.ops.source import Source
from fastedit.ops.structure.anchors import BLOCKS, CASES
from fastedit.source.hunks import Hunk, changed
from fastedit.source.preprocessor import CONDITION, unmatched
from fastedit.source.syntax import Syntax


def check_seams(source: Source, new: Syntax, hunks: Sequence[Hunk]) -> None:
    """Raises OperationRefused where a statement of a line that stays would go on in the line beside it.

    JavaScript reads a line that begins with a bracket, a template or an operator as more of the one above it, Swift one
    that begins with a dot.
    """
    if source.language.semicolons != "optional" and not source.language.goes_on:
        return
    stayed = _stayed(source, hunks)
    (old_begins, old_ends), (begins, ends) = _borders(source.syntax), _borders(new)
    joined = [stayed[row] - 1 for row in old_begins & stayed.keys() if stayed[row] not in begins]
    for hunk in hunks:
        # What cannot begin a statement, as `.then()`, is meant to go on.
        if hunk.lines and Syntax(hunk.lines, new.language.name).damage == 0:
            ended = max((row for row in old_ends & stayed.keys() if row < hunk.start), default=None)
            joined += [stayed[ended]] if ended is not None and stayed[ended] not in ends else []
    for row in joined:
        code = [line.strip() if not new.in_comment(at) else "" for at, line in enumerate(new.lines)]
        above = next((line for line in reversed(code[: row + 1]) if line), "")
        below = next((line for line in code[row + 1 :] if line), "")
        if below.startswith(".") or not source.language.goes_on:
            raise source.refused(f"`{above}` and `{below}` would be one statement; put a `;` between them")


def check_texts(source: Source, new: Syntax, hunks: Sequence[Hunk]) -> None:
    """Raises OperationRefused where a line that stays would be in a string now, or in none any more."""
    if source.syntax.damage:
        return  # where strings end is a guess
    for row, new_row in _stayed(source, hunks).items():
        if (row in source.syntax.strings) != (new_row in new.strings):
            became = "code" if row in source.syntax.strings else "text of a string"
            said = f"`{source.lines[row].strip()}` on line {source.number(row)} would be {became}"
            raise source.refused(f"{said}; change it by hand")


def check_conditions(source: Source, hunks: Sequence[Hunk]) -> None:
    """Raises OperationRefused where an `#if` would lose its `#endif` or its `#else`, or these their `#if`."""
    for hunk in hunks if source.language.conditional_lines else ():
        gone = source.lines[hunk.start : hunk.stop]
        if unmatched(gone) != unmatched(hunk.lines):
            rows = range(hunk.start, hunk.stop)
            row = next((row for row in rows if CONDITION.match(source.lines[row])), hunk.start)
            said = f"line {source.number(row)} belongs to an `#if` that goes on elsewhere"
            raise source.refused(f"{said}; change it by hand")


def _stayed(source: Source, hunks: Sequence[Hunk]) -> dict[int, int]:
    """The lines that hunks let stay, with the lines that they are then."""
    origins = changed([*range(len(source.lines))], hunks, lambda hunk: [-1] * len(hunk.lines))
    return {row: new_row for new_row, row in enumerate(origins) if row >= 0}


def _borders(syntax: Syntax) -> tuple[set[int], set[int]]:
    """The lines on which statements begin, and those on which they end."""
    alike = syntax.language.alike
    kinds = {kind for kind, called in alike.items() if called in BLOCKS | CASES}
    blocks = (syntax.root, *syntax.nodes(BLOCKS | CASES | kinds))
    inside = [node for block in blocks for node in block.named_children if "comment" not in node.type]
    begins, ends = set[int](), set[int]()
    for node in inside:
        # Decorators may be put above others, and a `;` stand on the line below, before the next statement.
        above = [each for each in node.children if each.type in syntax.language.attached]
        own = [each for each in node.children if each not in above and each.type != ";"] or [node]
        begins |= {each.start_point.row for each in (node, *above, own[0])}
        ends.add(syntax.rows(own[-1])[1] - 1)
    return begins, ends
