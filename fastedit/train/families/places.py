"""Where things stand in a region: signatures, blocks, statements, and what stands between commas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from fastedit.train.families.scene import Scene
from fastedit.train.regions import definition_at, indent_of

_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_HEADED = re.compile(
    r"\s*(?:def|class|if|elif|else|for|while|with|try|except|finally|return|raise|throw|async|do|switch|case|default"
    r"|catch|fn|func|function|type|struct|enum|impl|use|import|from|package|public|private|protected|break|continue"
    r"|goto|using|namespace|export|yield|pass|defer|global|nonlocal|assert|lambda|not|and|or|in|is)\b"
)
_MEMBER = re.compile(r"\s*[\w$]+\??(?:\([^()]*\))?:(?!:)")  # of a type or a mapping
_DECLARED = re.compile(r"\s*(?:const|let|var|static|final|auto|mut|(?:[\w:<>\[\]*&]+\s+)+[*&]*\w+\s*(?:=|;))")


class Signature(NamedTuple):
    """A signature that stands on one line; `body` is the first line behind it."""

    line: int
    name: str
    params: str
    body: int


def signatures(scene: Scene) -> list[Signature]:
    """The definitions whose name is defined once in the region."""
    pattern, lines = scene.speech.function, scene.lines
    if pattern is None:
        return []
    found = []
    for line, text in enumerate(lines):
        match = pattern.match(text)
        # With other blanks between its parameters, how new ones are spaced would be a matter of taste.
        if not match or not spaced_plainly(match["params"]):
            continue
        body = line + 1
        if scene.speech.braces and not text.rstrip().endswith("{"):
            if body >= len(lines) or lines[body].strip() != "{":
                continue
            body += 1
        found.append(Signature(line, match["name"], match["params"], body))
    names = [signature.name for signature in found]
    return [signature for signature in found if names.count(signature.name) == 1]


def spaced_plainly(listed: str) -> bool:
    """Whether what stands between commas is spaced as most people do."""
    pieces = split_commas(listed)
    return pieces is not None and listed.removesuffix(",") == ", ".join(filter(None, pieces))


def signature(scene: Scene) -> Signature | None:
    return scene.pick(signatures(scene))


def with_params(scene: Scene, at: Signature, params: Sequence[str]) -> str:
    """The signature's line with other parameters."""
    return scene.lines[at.line].replace(f"({at.params})", f"({', '.join(params)})", 1)


def param_name(scene: Scene, param: str) -> str | None:
    """What a parameter is called, wherever the language puts its type; None for what has no plain name."""
    bare = param.split("=", 1)[0].strip()
    if scene.speech.parameter == "{t} {n}":
        found = re.fullmatch(r"[\w:<>,\s*&\[\]]+[\s*&](\w+)", bare)
    elif scene.language == "go":
        found = re.fullmatch(r"(\w+)\s+[\w.*\[\]{}]+", bare)
    else:
        found = re.fullmatch(r"(?:mut\s+)?(\w+)\??(?:\s*:.*)?", bare)
    return found[1] if found and found[1] not in ("self", "cls", "this") else None


def split_commas(text: str) -> list[str] | None:
    """What stands between a text's outer commas, blanks taken off; None where brackets or quotes do not close."""
    pieces, depth, quote, start = [], list[str](), "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[place - 1] != "\\" else quote
        elif letter in "\"'`":
            quote = letter
        elif letter in "([{<":
            depth.append(letter)
        elif letter in _CLOSING:
            if letter == ">" and (not depth or depth[-1] != "<"):
                continue
            if not depth or depth.pop() != _CLOSING[letter]:
                return None
        elif letter == "," and not depth:
            pieces.append(text[start:place].strip())
            start = place + 1
    return None if depth or quote else [*pieces, text[start:].strip()]


def block_end(scene: Scene, start: int) -> int | None:
    """The line behind the block that begins at `start`, its closing brace included; None where it does not close.

    In a language of indentation that is the line behind the last deeper one that is not blank.
    """
    lines, indent = scene.lines, indent_of(scene.lines[start])
    if not scene.speech.braces:
        return start + len(definition_at(list(lines), start))
    for line in range(start + 1, len(lines)):
        text = lines[line].strip()
        if not text or indent_of(lines[line]) > indent or text.startswith("#"):
            continue
        if indent_of(lines[line]) == indent and text.rstrip(";,") in ("}", "})"):
            return line + 1
        if indent_of(lines[line]) < indent or not (text == "{" and line == start + 1):
            return None
    return None


def balanced(line: str) -> bool:
    return (
        all(line.count(a) == line.count(b) for a, b in ("()", "[]", "{}"))
        and line.count('"') % 2 == 0
        and line.count("'") % 2 == 0
    )


def is_whole(scene: Scene, line: int) -> bool:
    """Whether the line is one statement, begun and ended on it, as far as its neighbours tell."""
    text = scene.lines[line].strip()
    above = next((scene.lines[i].strip() for i in range(line - 1, -1, -1) if scene.lines[i].strip()), "")
    if not text or not balanced(text) or "//" in text or "#" in text:
        return False
    if scene.speech.braces:
        if scene.speech.end and not text.endswith(scene.speech.end):
            return False
        ended = above.endswith(("{", "}", ";")) or (not scene.speech.end and above.endswith(")"))
        return ended and not text.endswith(("{", ",", "(")) and not text.startswith((".", "}"))
    behind = next((text for text in scene.lines[line + 1 : line + 2]), "")
    deeper = indent_of(behind) > indent_of(scene.lines[line])
    open_above = above.endswith((",", "(", "[", "{", "\\", "+")) or not balanced(above)
    return not (deeper or open_above) and text.endswith(tuple("abcdefghijklmnopqrstuvwxyz0123456789_)]\"'"))


def statements(scene: Scene, declarations: bool = True) -> list[int]:
    """Lines that are a plain statement which the sentence can quote."""
    return [
        line
        for line in scene.unique()
        if re.match(r"\s+\w", scene.lines[line])
        and re.search(r"\w\(|=", scene.lines[line])  # prose in a docstring has neither
        and not _HEADED.match(scene.lines[line])
        and not (scene.speech.braces and _MEMBER.match(scene.lines[line]))
        and is_whole(scene, line)
        and (declarations or not scene.speech.braces or not _DECLARED.match(scene.lines[line]))
    ]


def body_start(scene: Scene, at: Signature) -> int | None:
    """The line before which a body's first statement can be put: behind a docstring, above what is there."""
    lines, place = scene.lines, at.body
    if place >= len(lines):
        return None
    quote = None if scene.speech.braces else re.match(r"\s*[rRbBuU]?(\"\"\"|''')", lines[place])
    if quote:
        last = [i for i in range(place, len(lines)) if lines[i].count(quote[1]) > (1 if i == place else 0)]
        if not last:
            return None
        place = last[0] + 1
    if place >= len(lines) or not lines[place].strip() or lines[place].lstrip()[0] in "})#":
        return None
    return place if indent_of(lines[place]) > indent_of(lines[at.line]) else None
