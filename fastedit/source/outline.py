"""The outline of code in any language, as its lines show it: definitions by spelling, blocks by indent."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from operator import sub

from fastedit.source.preprocessor import DIRECTIVE

_MODIFIERS = (
    r"(?:(?:export|default|pub(?:\([\w: ]*\))?|public|private|protected|internal|static|async|final|abstract"
    r"|sealed|unsafe|override|virtual|inline|declare|extern|data)\s+)*"
)
_KEYWORD = re.compile(
    rf"\s*{_MODIFIERS}(?:def|class|function\b\s*\*?|func|fun|fn|struct|enum|interface|trait|mod|module"
    r"|namespace|type|const\s+fn)\s+(?:\([^)]*\)\s*)?(?P<name>[\w$]+(?:(?:\.|::?)[\w$]+)*)"
)
_ARROW = re.compile(
    rf"\s*{_MODIFIERS}(?:const|let|var)\s+(?P<name>[\w$]+)\s*=\s*(?:async\s*)?(?:function\b|[\w$]+\s*=>|\()"
)
_TYPES = r"(?:<(?:[^<>()]|<[^<>()]*>)*>)?"
_OPERATOR = r"[\w:]*\boperator\s*(?:\(\)|\[\]|[^\s\w(\[]{1,3})"  # of C++
_BRACED = re.compile(
    rf"\s*(?!\*\s)(?:[\w<>\[\],.*&:?@$]+\s+)*[*&]*(?P<name>{_OPERATOR}|~?#?[\w:$]+)\s*{_TYPES}\([^;]*\{{$"
)
# A call that hands over a block, as tests, routes and handlers are written: it is known by the text it hands over too.
_TITLED = re.compile(
    r"""\s*(?P<name>(?:await\s+)?[\w$.]+\(\s*(?P<quote>["'`])(?:(?!(?P=quote)).)+(?P=quote)),.*\{$"""
)
_ARM = re.compile(r"=>\s*\{$")  # of a match, after its pattern
_CLOSURE = re.compile(r"(?:\)|=>|\|)\s*\{$")
# Rust's `impl` has the name of its type, which is defined elsewhere, and may have many.
_IMPL = re.compile(
    r"\s*(?:unsafe\s+)?impl(?:<(?:(?:(?!\bwhere\b)[^{=;])*+[=;])*+.*?(?<!-)>)?\s+"
    r"(?P<of>[\w!&(\[](?:(?!\bwhere\b)[^{=;])*+)(?:where\b|\{|$)"
)
_LIFETIMES = re.compile(r"<(?:'\w+(?:,\s*)?)+>|'\w+,\s*")
# A head whose brace stands on the next line, alone: between the parameters and the brace there is little else.
_SIGNATURE = re.compile(
    r"\s*(?!(?:foreach|using|lock|fixed|unchecked|yield|goto|delete)\b)[\w~].*\)\s*(?:(?:const|noexcept|override|final|volatile|async|throws|where|&|->)[^;=()]*)?$"
)
# A head whose parameters go on below. Where the line does not end in the bracket or a comma, it is another expression.
_OPEN_HEAD = re.compile(r"\s*[\w~][\w<>\[\].*&:?@$#, ~]*\((?:.*,)?$")
_LONGEST_HEAD = 40  # lines
_CONTROL = frozenset(
    [
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "catch",
        "with",
        "elif",
        "new",
        "throw",
        "await",
        "match",
    ]
)
_ENDS = (",", ";", "{", "}", "]")  # of a line with which a brace on the next one has nothing to do
_BOUNDS = "where"  # those of a head in Rust stand below it, one indentation deeper
_GOES_ON = ("{", _BOUNDS)  # the stripped lines that may go on with a head
CLOSED_BY_END = "if|for|foreach|while|function|macro|case|switch|block|with|class|module"
_NAMED_CLOSER = rf"(?:end(?:{CLOSED_BY_END})?|fi|done|esac)\b(?!\s*[=:\[])"
_CLOSER = re.compile(rf"\s*(?:[)\]}}]|{_NAMED_CLOSER}|</|/>|\{{%-?\s*end)")
_BARE_CLOSER = re.compile(rf"(?:</[\w:.-]*>|\{{%-?\s*end\w*\s*-?%\}}|{_NAMED_CLOSER}(?:\(\))?)[;,)\]}}]*+")
_CLOSING_WORD = re.compile(rf"{_NAMED_CLOSER}(?!\()")  # but for a call
CLOSER_BEGINS = frozenset(")]}efd</{")  # the first characters of such a line
_BRANCH = re.compile(r"\s*(?:else|elif|except|finally|catch|elsif|elseif|rescue|ensure)\b")
OPENERS = frozenset(":{([,>=")  # the last characters of a line that opens a block
_LABEL = re.compile(r"\s*\w+(?: \w+)*:")
_BEGINNINGS = ("do", "then", "else")  # its last words else
BEGINNINGS = frozenset(word[-1] for word in _BEGINNINGS)
_BEGINS = re.compile(r"\b(?:do|then|else)$")
# `--x` is an option, a decrement or a property of CSS, and `*x` what a pointer or a list holds.
_COMMENT = re.compile(
    r"\s*(?:#(?![\w\[])|//|(?:\{{1,2}-?\s*)?/\*|\{\{!?--|\*(?!\**+[\w(&])|--(?![^\s\[|-])|<!--|<%(?:--|#))"
)
# What a stripped line is to the blocks around it, by the first of these that it begins like.
_ROLE = re.compile(
    "|".join(
        f"(?P<{role}>{known.pattern})"
        for role, known in (("closer", _CLOSER), ("branch", _BRANCH), ("comment", _COMMENT))
    )
)
_ROLE_BEGINS = frozenset(")]}<{efdrc#/*-")  # the first characters of such a line
_DECORATOR = re.compile(r"\s*(?:@\w|#\[)")
# An escaped quote begins no string: else one search for its end would follow for each of thousands of them.
STRING = re.compile(r'(?<!\\)"(?:\\.|[^"\\\n])*"|(?<!\\)\'(?:\\.|[^\'\\\n])*\'')
_STRING_OR_COMMENT = re.compile(
    r"""\\.|"(?:\\.|[^"\\])*+"|'(?:\\.|[^'\\])*+'|(?:^|(?<=\s))(?P<comment>\#(?![\w\[])|//)""", re.VERBOSE
)


def definition_name(line: str) -> str | None:
    """The name of the function, class or other block that this line begins to define."""
    line = without_comment(line)
    if "impl" in line and (implemented := _IMPL.match(line)):
        return f"impl {_LIFETIMES.sub('', implemented['of']).rstrip()}"
    found = _KEYWORD.match(line) or _ARROW.match(line)
    if found is None and line.endswith("{"):
        if line.count("(") > line.count(")") and ((found := _TITLED.match(line)) or _CLOSURE.search(line)):
            return found["name"] if found else None
        if line.split(None, 1)[0].rstrip("(") in _CONTROL or _ARM.search(line):
            return None
        found = _BRACED.match(line)
        if found and found["name"] in _CONTROL:
            return None
    return found["name"] if found else None


def definition_at(lines: Sequence[str], index: int) -> str | None:
    """The name of what this line begins to define, whose parameters may go on below, and the brace that opens it too.

    Within a block a bare `name(...)` before a brace on the next line is such a head only where it may be a constructor:
    else it is a call, or a macro.
    """
    line = lines[index]
    name = definition_name(line)
    if name is None and line.endswith(("(", ",")) and _OPEN_HEAD.match(line):
        return _name_of_long_head(lines, index)
    if (
        name is not None
        or ")" not in line
        or _brace_below(lines, index) is None
        or not _SIGNATURE.match(line)
    ):
        return name
    name = definition_name(f"{line.rstrip()} {{")
    if name is None or indent_width(line) == 0 or not line.lstrip().startswith(name):
        return name
    return name if name[0] == "~" or (name[0].isupper() and not name.isupper()) else None


def _name_of_long_head(lines: Sequence[str], index: int) -> str | None:
    """The name that a head over several lines defines, if a block opens where its brackets close."""
    depth = 0
    for at in range(index, min(index + _LONGEST_HEAD, len(lines))):
        depth += lines[at].count("(") - lines[at].count(")")
        if depth <= 0:
            opens = lines[at].rstrip().endswith("{") or _brace_below(lines, at, lines[index]) is not None
            return definition_name(f"{lines[index].rstrip()}) {{") if opens and depth == 0 else None
    return None


def _is_brace(line: str) -> bool:
    return line.strip() == "{"


def _opens(lines: Sequence[str], index: int) -> bool:
    """Whether a block begins below the line."""
    return (
        opens_block(lines[index])
        or _brace_below(lines, index) is not None
        or _is_closed_by_word(lines, index)
    )


def _is_closed_by_word(lines: Sequence[str], index: int) -> bool:
    """Whether a word such as `end` closes the deeper lines below this one, as Ruby's blocks have it."""
    width = indent_width(lines[index])
    below = (line for line in lines[index + 1 :] if line.strip())
    back = next((line for line in below if indent_width(line) <= width and not _BRANCH.match(line)), "")
    return indent_width(back) == width and closes_by_word(back.lstrip())


def _brace_below(lines: Sequence[str], index: int, head: str | None = None) -> int | None:
    """The line right below this one where it is a lone brace that opens its block, indented as `head` or as this."""
    below = next((at for at in range(index + 1, len(lines)) if lines[at].strip()), None)
    if below is None or not _is_brace(lines[below]) or lines[index].rstrip().endswith(_ENDS):
        return None
    return below if indent_width(lines[below]) == indent_width(head or lines[index]) else None


def indentation(line: str) -> str:
    """The blanks that the line begins with, below the form feed where a page begins there."""
    blanks = line[: len(line) - len(line.lstrip())]
    return blanks.rpartition("\f")[2] if "\f" in blanks else blanks


def blank_lines(lines: Sequence[str], start: int, step: int) -> int:
    """How many lines are blank from `start` on, downwards for a step of 1 and upwards for -1."""
    index = start
    while 0 <= index < len(lines) and not lines[index].strip():
        index += step
    return abs(index - start)


def is_closer(line: str) -> bool:
    """Whether the line begins by closing a block: `}`, `)`, `end`, `</div>`, `/>`."""
    return line.lstrip()[:1] in CLOSER_BEGINS and _CLOSER.match(line) is not None


def only_closes(stripped: str) -> bool:
    """Whether the line closes a block by its name and says no more: `</div>`, `endif()`, `done`."""
    return _BARE_CLOSER.fullmatch(stripped) is not None


def closes_by_word(stripped: str) -> bool:
    """Whether the line closes a block by a word: `end`, `fi`."""
    return _CLOSING_WORD.match(stripped) is not None


def is_comment(line: str) -> bool:
    return _COMMENT.match(line) is not None


def masked(line: str) -> str:
    """The line with `_` for each character of its strings."""
    return STRING.sub(lambda found: "_" * len(found[0]), line) if '"' in line or "'" in line else line


def without_comment(line: str) -> str:
    """The line without a comment at its end."""
    if "#" not in line and "//" not in line:
        return line
    comment = next((found for found in _STRING_OR_COMMENT.finditer(line) if found["comment"]), None)
    return line if comment is None else line[: comment.start()].rstrip()


def opens_block(line: str) -> bool:
    """Whether the line's end tells that a block, or the rest of a statement, stands below it."""
    line = (without_comment(line) if "#" in line or "//" in line else line).rstrip()
    return line[-1:] in OPENERS or (line.endswith(_BEGINNINGS) and _BEGINS.search(line) is not None)


def is_decorator(line: str) -> bool:
    return _DECORATOR.match(line) is not None


def head_of(lines: Sequence[str], index: int) -> int:
    """The first of the comments and decorators right above a line; the line itself without any."""
    while index and stands_above(lines[index - 1]):
        index -= 1
    return index


def stands_above(line: str) -> bool:
    """Whether it is spelled like what stands above a definition and belongs to it."""
    return is_comment(line) or is_decorator(line)


def indent_width(line: str) -> int:
    """Columns of leading blanks, tab stops every 8."""
    blanks = indentation(line)
    return len(blanks.expandtabs(8)) if "\t" in blanks else len(blanks)


def indent_widths(lines: Sequence[str]) -> list[int]:
    """The same for each of many lines."""
    widths = list(map(sub, map(len, lines), map(len, map(str.lstrip, lines))))
    for row in [row for row, line in enumerate(lines) if "\t" in line or "\f" in line]:
        widths[row] = indent_width(lines[row])
    return widths


# An indentation in use: its width, the line that heads deeper lines, and the one that a closer here closes.
_Level = tuple[int, int | None, int | None]


def parents(
    lines: Sequence[str], markers: Container[int] = (), quoted: Mapping[int, int] | None = None
) -> list[int | None]:
    """For each line the index of the line that opens its block; None at the margin and for blank lines.

    A closer or a branch such as `else:` belongs to the line that opened the block before it, and a label such as
    `public:` to the line that opened the braces around it. So does a brace on a line of its own to the head above, with
    or without bounds between, and what stands between the braces. `markers` are indices of lines that stand for any
    lines: what opens the block of a deeper line after one is not known (None), nor is it where the line above one
    opens nothing, for then the opener is among the lines not shown. The lines of a block comment stand where it begins,
    though most are a column deeper. Lines within a string stand where it begins, on the line that `quoted` has for
    each, where they are less indented. A line of the preprocessor that stands further out than the one above is in
    the block of the one below.
    """
    found: list[int | None] = [None] * len(lines)
    quoted = quoted or {}
    levels: list[_Level] = []  # widths rise
    comment: int | None = None  # where one begins that has not ended yet
    for index, width in enumerate(indent_widths(lines)):
        stripped = lines[index].strip()
        if not stripped:
            continue
        if levels and width < levels[-1][0] and DIRECTIVE.match(stripped):
            depth = _depth_below(lines, index)
            found[index] = next((level[1] for level in reversed(levels) if level[0] < depth), None)
            continue
        match = _ROLE.match(stripped) if stripped[0] in _ROLE_BEGINS else None
        # As most lines: the short way.
        if (
            match is None
            and comment is None
            and stripped[-1] != ":"
            and stripped not in _GOES_ON
            and index not in markers
            and index not in quoted
        ):
            while levels and levels[-1][0] >= width:
                levels.pop()
            found[index] = levels[-1][1] if levels else None
            levels.append((width, index, index))
            continue
        marker = index in markers
        if index in quoted and width < indent_width(lines[quoted[index]]):
            found[index] = found[quoted[index]]
            continue
        if marker:
            comment = None  # it may end there
        elif comment is not None:
            found[index] = found[comment]
            comment = None if "*/" in stripped else comment
            continue
        elif stripped[:2] == "/*" and "*/" not in stripped:
            comment = index
        role = match.lastgroup if match else None
        while levels and levels[-1][0] > width:
            levels.pop()
        level: _Level = (width, index, None)
        if levels and levels[-1][0] == width:
            level = levels.pop()
        _, header, opener = level
        around = levels[-1][1] if levels else None
        found[index] = around
        if marker:
            found[index] = None
            if header == index and around is not None and not _opens(lines, around):
                levels[-1] = (levels[-1][0], None, levels[-1][2])
            levels.append((width, None, opener))
        elif role == "closer":
            if opener is not None and _hides_opener(lines, opener, index, markers):
                header, opener = opener, None
            found[index] = around if opener is None and header is not None else opener
            reopens = stripped[-1] in "{(["
            levels.append((width, header, opener if reopens else None))
        elif role == "branch" or _is_label(lines, index, opener):
            found[index] = around if opener is None else opener
            levels.append((width, index, opener))
        elif role == "comment":
            if header != index:
                levels.append((width, header, opener))
        elif header is not None and goes_on(lines, header, index):
            found[index] = header
            levels.append((width, header, header))
        else:
            levels.append((width, index, index))
    return found


def _depth_below(lines: Sequence[str], index: int) -> int:
    """How deep the next line stands that is none of the preprocessor's, or what it closes has stood."""
    below = (line for line in lines[index + 1 :] if line.strip() and not DIRECTIVE.match(line))
    line = next(below, "")
    return indent_width(line) + is_closer(line)


def is_label(line: str) -> bool:
    """Whether a line is a label such as `public:` or `case 1:`, where its language has them."""
    return _LABEL.fullmatch(line) is not None


def _is_label(lines: Sequence[str], index: int, opener: int | None) -> bool:
    """Whether a line such as `public:` or `error:` stands within the braces that the line `opener`, as deep, opens."""
    line = lines[index].rstrip()
    return (
        opener is not None
        and line.endswith(":")
        and is_label(line)
        and (lines[opener].rstrip().endswith("{") or _brace_below(lines, opener) is not None)
    )


def goes_on(lines: Sequence[str], header: int, index: int) -> bool:
    """Whether the head that `header` begins, at the indentation of line `index`, goes on with that line."""
    if lines[index].strip() == _BOUNDS:
        return _KEYWORD.match(lines[header]) is not None
    return _is_brace(lines[index]) and (
        _brace_below(lines, header) == index
        or _ends_bounds(lines, header, index)
        or _ends_head(lines, header, index)
    )


def _ends_bounds(lines: Sequence[str], header: int, brace: int) -> bool:
    """Whether nothing but the bounds of the head stands right above the brace."""
    width = indent_width(lines[brace])
    above = (index for index in range(brace - 1, header, -1) if lines[index].strip())
    first = next((index for index in above if indent_width(lines[index]) <= width), None)
    return first is not None and lines[first].strip() == _BOUNDS


def _ends_head(lines: Sequence[str], header: int, brace: int) -> bool:
    """Whether the lines between are the rest of a head, indented deeper: neither statements nor blocks of their own."""
    if brace - header > _LONGEST_HEAD:
        return False
    head = [line.rstrip() for line in lines[header:brace] if line.strip()]
    rest = head[1:]
    deeper = all(indent_width(line) > indent_width(lines[brace]) and not is_comment(line) for line in rest)
    whole = any(line.endswith((";", "{", "}", ":")) for line in head)
    return bool(rest) and deeper and not whole and not rest[-1].endswith(_ENDS)


def _hides_opener(lines: Sequence[str], shown: int, closer: int, markers: Container[int]) -> bool:
    """Whether a marker stands for the line that opens what `closer` closes: the one shown last opens nothing."""
    return any(index in markers for index in range(shown + 1, closer)) and not _opens(lines, shown)


def along_block(lines: Sequence[str], row: int, step: int) -> Iterator[int]:
    """The lines above (-1) or below (1) in the same block that are indented like this one."""
    width = indent_width(lines[row])
    for other in range(row + step, len(lines) if step > 0 else -1, step):
        if lines[other].strip():
            if indent_width(lines[other]) < width:
                return
            if indent_width(lines[other]) == width:
                yield other


def block_end(lines: Sequence[str], start: int) -> int:
    """One past the last line of the block that line `start` opens, its closer included."""
    width, brace = indent_width(lines[start]), _brace_below(lines, start)
    end = (start if brace is None else brace) + 1
    for index in range(end, len(lines)):
        if not lines[index].strip():
            continue
        if indent_width(lines[index]) <= width and DIRECTIVE.match(lines[index]):
            continue
        if indent_width(lines[index]) < width:
            break
        same = indent_width(lines[index]) == width
        if same and not (is_closer(lines[index]) or goes_on(lines, start, index)):
            break
        end = index + 1
    return end
