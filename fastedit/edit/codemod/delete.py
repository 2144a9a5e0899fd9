"""`delete the function merge`, ``remove the line `x = 1` ``: definitions and lines that go."""

from __future__ import annotations

import re

from fastedit.edit.codemod.import_line import import_users
from fastedit.edit.codemod.names import Role, still_used
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.imports import Import, imports
from fastedit.edit.outline import blank_lines, block_end, indent_width, is_closer
from fastedit.edit.request import LineRange

_VERB = "[delete|remove|drop|erase|eliminate|get rid of]"
_NOW, _IT = "[ any more| anymore|][,|:|;|]", "[delete|remove|drop] it"
_SENTENCES = Sentences(
    f"{_VERB} {{the}}{{gone:code}}{{in}}",
    f"{_VERB} {{the}}{{gone:code}} {{kind=function|method|class|line|statement|definition}}{{in}}",
    f"{_VERB} {{the}}{{gone:code}} [completely|entirely|altogether]",
    "take {the}{gone:code} out",
    "take out {the}{gone:code}{in}",
    f"{{the}}{{gone:code}} is [no longer|not] [needed|used|required|called]{_NOW} {_IT}",
    f"{{the}}{{gone:code}} is [superfluous|unused|obsolete|redundant|dead|unnecessary]{_NOW} {_IT}",
    "{the}{gone:code} [can go|should go|has to go|must go]",
    f"[we|you] [don't|do not] need {{the}}{{gone:code}}{_NOW} {_IT}",
    f"nobody [calls|uses] {{the}}{{gone:code}}{_NOW} {_IT}",
)
_DEFINED = re.compile(
    r"function|method|class|def|struct|enum|interface|trait|impl|test|constructor|macro|module", re.IGNORECASE
)


def delete(text: str, source: Source) -> Codemod | None:
    """None where the sentence names no one definition or line that goes."""
    for told in _SENTENCES.read(text):
        place = source.place(told.get("place"))
        if place is None:
            continue
        gone = told["gone"].removesuffix("()")
        found = [
            d for d in source.meant(gone, told.kind_words) if place.start <= d.start and d.stop <= place.stop
        ]
        if len(found) == 1:
            return without_definition(source, found[0])
        if not found and "gone" in told.quoted and not _DEFINED.search(told.kinds):
            return without_line(source, told["gone"], place)
    return None


def without_definition(source: Source, gone: Definition) -> Codemod:
    """The definition goes with its decorators, the comment above it and the blank lines that set it apart."""
    lines, start, stop = source.lines, gone.start, gone.stop
    above, below = blank_lines(lines, start - 1, -1), blank_lines(lines, stop, 1)
    follows = stop + below < len(lines) and not is_closer(lines[stop + below])
    if follows and indent_width(lines[stop + below]) >= indent_width(lines[gone.header]):
        stop += below
    else:
        start -= above
    reasons = _users(source, gone)
    if _alone(source, gone):
        reasons.append(f"nothing is left of what {gone.dotted} stands in")
    if gone.start < gone.header and not lines[gone.start].lstrip().startswith(("@", "#[")):
        reasons.append(f"the comment above {gone.dotted} may be about more")
    return Codemod((Hunk(start, stop, ()),), tuple(reasons))


def _users(source: Source, gone: Definition) -> list[str]:
    assert source.syntax is not None
    # C++ and TypeScript also declare a definition elsewhere.
    roles = [Role.USE, Role.MEMBER, *([] if source.language == "python" else [Role.DEFINITION])]
    if len(gone.path) == 1 and source.language == "python":
        roles.remove(Role.MEMBER)
    return still_used(source.syntax, gone.name, range(gone.start, gone.stop), *roles)


def _alone(source: Source, gone: Definition) -> bool:
    """Whether a block of Python's would be empty without it."""
    if source.language != "python" or indent_width(source.lines[gone.header]) == 0:
        return False
    above = blank_lines(source.lines, gone.start - 1, -1)
    below = gone.stop + blank_lines(source.lines, gone.stop, 1)
    width = indent_width(source.lines[gone.header])
    first = indent_width(source.lines[gone.start - above - 1]) < width
    return first and (below == len(source.lines) or indent_width(source.lines[below]) < width)


def _fills_block(source: Source, line: int) -> bool:
    """Whether it is all that stands between two braces."""
    around = source.lines[line - 1 : line] + source.lines[line + 1 : line + 2]
    return len(around) == 2 and around[0].rstrip().endswith("{") and is_closer(around[1])


def _imports(source: Source) -> tuple[Import, ...]:
    return () if source.syntax is None else imports(source.syntax)


def without_line(source: Source, text: str, place: LineRange) -> Codemod | None:
    """The one line that is this text goes."""
    found = source.lines_like(text, place)
    if len(found) != 1:
        return None
    line = found[0]
    reasons = []
    stop = line + 1
    if source.opens(line):
        stop = block_end(source.lines, line)
        reasons.append("the line has a block below it, which may be meant to stay")
    elif _fills_block(source, line):
        reasons.append("nothing is left of the block that the line stands in")
    reasons += [r for i in _imports(source) if i.start <= line < i.stop for r in import_users(source, i)]
    return Codemod((Hunk(line, stop, ()),), tuple(reasons))
