"""Where lines of a text stand: in which block, below what heads them, next to which others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastedit.sketch.read.names import code_of
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.text.written import Written
from fastedit.source.outline import indent_width, is_closer

_LEAVES = re.compile(r"(?:return|raise|throw|break|continue|goto)\b")
_GOES_ON = re.compile(r"(?:[(\[{,\\=+|&?:<>*/-]|\b(?:and|or|not|await|new))$")
_ON_CONDITION = re.compile(r"\s(?:if|unless)\s")  # after it, as in Ruby
_ARM = re.compile(r"(?:else|elif|except|finally|catch|case|default)\b|[#@]|//|/?\*")
_LABEL = re.compile(r"\w+\s*:$")


def leaving_blocks(written: Written) -> Iterator[str]:
    """Lines of the file that leave the block they stood in, whose first line stays."""
    file, new = written.file, written.new
    come = frozenset(written.come)
    for row in written.near:
        origin = written.image_of[row]
        head = None if origin is None else file.parents[origin]
        if head is None or (place := written.image(head)) is None or place >= row:
            continue
        width, level = indent_width(new[place]), file.parts.get(head)
        between = (
            other
            for other in come
            if place < other <= row
            and (indent_width(new[other]) <= width if level is None else file.ends_part(new[other], level))
        )
        if any(
            not (is_closer(new[other]) or file.is_comment(new[other]) or _is_aside(file, new[other].strip()))
            for other in between
        ):
            yield "a line leaves its block"
            return


def bereft(written: Written) -> Iterator[str]:
    """Lines of the file that stay, while what stood above them and belonged to them goes: a comment, a decorator."""
    file, new = written.file, written.new
    led = -1
    for row in written.lost:
        if row < led:
            continue  # of the same run
        led = file.led_to(row)
        place = written.image(led) if led > row and not file.leads(led) else None
        if place is not None and not (place and file.may_lead(new[place - 1])):
            yield "what belongs to a line that stays goes"
            return


def beheaded(written: Written) -> Iterator[str]:
    """All comments and strings that the file begins with go, and the text begins with none."""
    heading = written.file.heading
    first = next((line for line in written.new if line.strip()), "")
    if (
        heading
        and not set(heading).difference(written.gone)
        and not Outline([first], language=written.file.language.name).heading
    ):
        yield "what heads the file goes"


def next_to_each_other(written: Written) -> Iterator[str]:
    """Lines that stand next to each other now and did not before."""
    new = written.new
    for above, below in written.met:
        one, other = new[above].strip(), new[below].strip()
        level = indent_width(new[above]) == indent_width(new[below])
        if level and _is_left(one) and _is_statement(written.file, other):
            yield "a line is never reached"
        if one == other and any(map(str.isalnum, one)) and not is_closer(one):
            yield "a line stands twice"


def _is_left(line: str) -> bool:
    """Whether a block is left behind this line, which says so alone."""
    code = code_of(line).rstrip()
    return (
        _LEAVES.match(code) is not None
        and not (_GOES_ON.search(code) or _ON_CONDITION.search(code.rpartition(" else ")[2]))
        and code.count("(") == code.count(")")
    )


def _is_statement(file: Outline, line: str) -> bool:
    return not is_closer(line) and (not _is_aside(file, line) or file.is_decorator(line))


def _is_aside(file: Outline, line: str) -> bool:
    """Whether a line is a comment or decorator, or control comes to it from elsewhere: an arm of a statement, a label.
    Where blocks are told by indentation `try:` is a statement."""
    return bool(_ARM.match(line)) or (not file.language.is_indented and bool(_LABEL.match(line)))
