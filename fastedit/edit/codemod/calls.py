"""The calls in a file: their arguments, what they call, await before them, and text that is put together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from fastedit.edit.codemod.brackets import Bracketed, bracketed, with_last, without
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.text_calls import TextCall, call_in_text, put_before, with_text_callee
from fastedit.edit.hunks import Hunk

_KINDS = "call call_expression method_invocation new_expression object_creation_expression"
_KEYWORD = re.compile(r"(\w+)=(?!=)")
_AWAITED = re.compile(r"await")
# What goes on behind a call would be what is awaited.
_GOES_ON = re.compile(r"attribute|member|field_expression|subscript|call|non_null|new_expression|decorator")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*")
# What a call passes is often left out where one is spoken of.
_LEFT_OUT = re.compile(r"\((?:\.\.\.|…)\)\Z")
_FORMAT = re.compile(
    r"(?<!\w)(?P<quote>[\"'])(?P<text>[^\"'{}\\]*(?:\{\}[^\"'{}\\]*)+)(?P=quote)\.format\((?P<args>[^()=*]*)\)"
)
_PERCENT = re.compile(
    r"(?<!\w)(?P<quote>[\"'])(?P<text>[^\"'{}%\\]*(?:%s[^\"'{}%\\]*)+)(?P=quote)"
    r" % (?:\((?P<args>(?:[\w., ]|\(\))+)\)|(?P<one>[\w.]+))(?![\w.(\[])"
)


def called(syntax_text: str, said: str) -> bool:
    """Whether what is called is said so, by all of its name or the last part of it."""
    return (
        syntax_text == said
        or re.search(rf"(?:\.|::|->|\?\.){re.escape(said)}\Z", syntax_text, re.DOTALL) is not None
    )


def calls(source: Source, said: str) -> list[Node]:
    """The calls that are spelled like this, or that call what has this name."""
    if source.syntax is None:
        return []
    name = said.removesuffix("()")
    kinds = source.syntax.known(_KINDS.split())
    found = [
        node
        for node in source.syntax.find(" ".join(f"({kind}) @found" for kind in kinds))
        if node.child_by_field_name("arguments") is not None
    ]
    whole = [node for node in found if _same(source.syntax.text(node), said)]
    return whole or [node for node in found if called(callee(source, node), name)]


def _same(text: str, said: str) -> bool:
    # "f()" may also be said for a call of f, whatever it passes.
    return text == said or text.removeprefix("new ") == said


def callee(source: Source, call: Node) -> str:
    """What stands before its parenthesis."""
    assert source.syntax is not None
    arguments = call.child_by_field_name("arguments")
    whole = source.syntax.text(call).encode()
    assert arguments is not None
    return whole[: arguments.start_byte - call.start_byte].decode(errors="replace").removeprefix("new ")


def only_call(source: Source, said: str) -> Node | TextCall | None:
    said = _LEFT_OUT.sub("()", said)
    found = calls(source, said)
    if not found and source.syntax is not None:
        return call_in_text(source, said)
    one = len(found) == 1 and source.holds(found[0].start_point.row, found[0].end_point.row + 1)
    return found[0] if one else None


def arguments(source: Source, call: Node | TextCall) -> Bracketed | None:
    if isinstance(call, TextCall):
        return bracketed(source, call.row, call.opening)
    node = call.child_by_field_name("arguments")
    if node is None or node.type not in ("argument_list", "arguments"):
        return None
    row, column = node.start_point
    start = len(source.lines[row].encode()[:column].decode(errors="replace"))
    if source.lines[row][start : start + 1] != "(":
        return None
    found = bracketed(source, row, start)
    # What the parser counts otherwise has commas of another kind.
    plain = [child for child in node.named_children if child.type != "comment"]
    return found if found is not None and len(found.entries) == len(plain) else None


def is_declared(text: str) -> bool:
    """Whether it is a parameter with its type, which no call has and no name gives way to: `path: str`."""
    return re.match(r"\w+\s*:\s", text) is not None


def with_argument(source: Source, call: Node | TextCall, new: str, last: bool) -> Codemod | None:
    """`last`: whether it is said to go to the end."""
    found = arguments(source, call)
    if found is None or "\n" in new or is_declared(new) or any(entry.text == new for entry in found.entries):
        return None
    texts = [entry.text for entry in found.entries]
    keys = [match[1] for text in texts if (match := _KEYWORD.match(text))]
    key = _KEYWORD.match(new) if source.language == "python" else None
    if key and key[1] in keys:
        return None
    made = with_last(source, found, new)
    reasons = list(made.reasons) if made else []
    if source.language == "python" and key is None and (keys or any(t.startswith("**") for t in texts)):
        reasons.append("it would follow what is passed by name")
    if texts and re.search(r"=>|\bfunction\b|\|\w*\|", texts[-1]) and not last:
        reasons.append("a function is passed last")
    return Codemod(made.hunks, tuple(reasons)) if made else None


def without_argument(source: Source, call: Node | TextCall, gone: str) -> Codemod | None:
    """The argument that is this text, or is passed by this name."""
    found = arguments(source, call)
    entries = found.entries if found else ()
    meant = [e for e in entries if e.text == gone] or [
        e for e in entries if source.language == "python" and re.match(rf"{re.escape(gone)}=(?!=)", e.text)
    ]
    made = without(source, found, meant[0]) if found and len(meant) == 1 else None
    # A call may well be left without any.
    return Codemod(made.hunks) if made else None


def with_callee(source: Source, call: Node | TextCall, old: str, new: str) -> Codemod | None:
    if isinstance(call, TextCall):
        return with_text_callee(source, call, new) if _NAME.fullmatch(new) else None
    function = callee(source, call)
    if not _NAME.fullmatch(new) or "\n" in function or not function.endswith(old) or function == new:
        return None
    row, column = call.start_point
    node = call.child_by_field_name("arguments")
    if node is None or node.start_point.row != row:
        return None
    stop = node.start_point.column
    at = source.lines[row].encode()[column:stop].decode(errors="replace").rindex(old)
    start = column + len(source.lines[row].encode()[column:stop].decode(errors="replace")[:at].encode())
    part = function != old and not re.search(r"(?:::|->)\Z", function.removesuffix(old))
    reasons = ("what it is called on may not have it",) if part else ()
    return Codemod(
        (Hunk(row, row + 1, (source.spliced(row, start, start + len(old.encode()), new),)),), reasons
    )


def awaited(source: Source, call: Node | TextCall) -> Codemod | None:
    if source.language not in ("python", "javascript", "typescript", "tsx", "rust"):
        return None
    if isinstance(call, TextCall):
        return None if source.language == "rust" else put_before(source, call, "await")
    if (above := call.parent) is None:
        return None
    behind = above.child_by_field_name("arguments") != call and _GOES_ON.search(above.type)
    outer = above.parent if above.type == "argument_list" else None
    if outer is not None and outer.type == "call" and callee(source, outer) == "asyncio.run":
        return None
    if _AWAITED.search(above.type) or (behind and above.type not in ("argument_list", "arguments")):
        return None
    if source.language == "rust":
        row, column = call.end_point
        return Codemod((Hunk(row, row + 1, (source.spliced(row, column, column, ".await"),)),))
    row, column = call.start_point
    return Codemod((Hunk(row, row + 1, (source.spliced(row, column, column, "await "),)),))


def as_fstring(source: Source, said: str) -> Codemod | None:
    """The one text in what is said that is put together by `format` or `%`, as an f-string."""
    rows = [n for n in range(source.scope.start, source.scope.stop) if said in source.lines[n]]
    found = list(put_together(said))
    if len(rows) != 1 or source.lines[rows[0]].count(said) != 1 or len(found) != 1:
        return None
    match, hole = found[0]
    arguments = (match["args"] or match.groupdict().get("one") or "").split(",")
    names, pieces = [argument.strip() for argument in arguments], match["text"].split(hole)
    if len(names) != len(pieces) - 1 or not all(
        re.fullmatch(r"[A-Za-z_][\w.]*(?:\(\))?", name) for name in names
    ):
        return None
    filled = pieces[0] + "".join(f"{{{n}}}{piece}" for n, piece in zip(names, pieces[1:], strict=True))
    quote = match["quote"]
    put = f"{said[: match.start()]}f{quote}{filled}{quote}{said[match.end() :]}"
    return Codemod((Hunk(rows[0], rows[0] + 1, (source.lines[rows[0]].replace(said, put),)),))


def put_together(said: str) -> Iterator[tuple[re.Match[str], str]]:
    """The texts that are put together by `format` or `%`, with what stands for a value in them."""
    for pattern, hole in ((_FORMAT, "{}"), (_PERCENT, "%s")):
        yield from ((match, hole) for match in pattern.finditer(said))
