"""Calls: their arguments, await, and text that is put together."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import spaced_plainly, split_commas
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS, SCRIPTS

_CALL = re.compile(r"(?<![\w.])(?P<name>[A-Za-z_][\w.]*)\((?P<args>[^()]*)\)")
_WORDS = (
    "if",
    "while",
    "for",
    "switch",
    "return",
    "catch",
    "def",
    "function",
    "fn",
    "func",
    "in",
    "and",
    "or",
    "not",
)
_COMMENT = re.compile(r"\s*(?:#|//|\*|/\*|--)")
# A word right before a name makes it one that is declared, all but these.
_BEFORE_CALL = re.compile(
    r"\b(?!(?:return|await|new|throw|raise|in|not|and|or|else|yield|case|go|defer|if|is)\b)\w+[\s*&]+\Z"
)
_FORMAT = re.compile(
    r"(?<![\w])(?P<quote>[\"'])(?P<text>[^\"'{}\\]*(?:\{\}[^\"'{}\\]*)+)(?P=quote)\.format\((?P<args>[^()=*]*)\)"
)
_PERCENT = re.compile(
    r"(?<![\w])(?P<quote>[\"'])(?P<text>[^\"'{}%\\]*(?:%s[^\"'{}%\\]*)+)(?P=quote)"
    r" % (?:\((?P<args>[\w., ]+)\)|(?P<one>[\w.]+))(?![\w.(\[])"
)


def _call(scene: Scene, least: int = 0) -> tuple[int, re.Match[str], list[str]] | None:
    """A call that stands on one line and is made once, with its arguments."""
    pattern = scene.speech.function
    found = []
    for at, line in enumerate(scene.lines):
        if (pattern and pattern.match(line)) or "class " in line or _COMMENT.match(line) or "@" in line:
            continue
        for call in _CALL.finditer(line):
            declared = _BEFORE_CALL.search(line[: call.start()])
            if (
                not declared
                and spaced_plainly(call["args"])
                and call["name"] not in _WORDS
                and scene.once(call["name"])
                and "`" not in call[0]
            ):
                found.append((at, call))
    picked = scene.pick(found)
    args = split_commas(picked[1]["args"]) if picked and picked[1]["args"].strip() else []
    return (*picked, args) if picked and args is not None and len(args) >= least else None


def _called(scene: Scene, call: re.Match[str]) -> str:
    """What the sentence says for a call: all of it, or what is called."""
    return scene.quoted(call[0] if scene.chance(0.4) else call["name"] + scene.rng.choice(("", "", "()")))


def _recalled(scene: Scene, at: int, call: re.Match[str], args: list[str]) -> Change:
    line = scene.lines[at]
    put = f"{line[: call.start()]}{call['name']}({', '.join(args)}){line[call.end() :]}"
    return revised(scene.lines, {at: put})


@family(
    languages=FUNCTIONS,
)
def add_argument(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _call(scene)
    if picked is None or picked[1]["args"].rstrip().endswith(","):
        return None
    at, call, args = picked
    bare = scene.rng.choice((scene.name(), scene.value(), scene.known() or "x"))
    new = f"{scene.name()}={bare}" if scene.language == "python" and scene.chance(0.6) else bare
    return {"p": f"`{new}`", "c": _called(scene, call)}, _recalled(scene, at, call, [*args, new])


@family(
    languages=FUNCTIONS,
)
def remove_argument(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _call(scene, least=1)
    if picked is None:
        return None
    at, call, args = picked
    place = scene.rng.randrange(len(args))
    if args.count(args[place]) > 1 or not args[place] or len(args[place]) > 40:
        return None
    rest = args[:place] + args[place + 1 :]
    return {"p": f"`{args[place]}`", "c": _called(scene, call)}, _recalled(scene, at, call, rest)


@family(
    languages=FUNCTIONS,
)
def change_callee(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _call(scene)
    if picked is None:
        return None
    at, call, _ = picked
    new = scene.rng.choice((scene.name(), f"{scene.name()}.{scene.name()}"))
    line = scene.lines[at]
    put = line[: call.start("name")] + new + line[call.end("name") :]
    return {"a": scene.quoted(call["name"]), "b": scene.quoted(new)}, revised(scene.lines, {at: put})


@family(
    languages=("python", *SCRIPTS),
)
def add_await(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _call(scene)
    if picked is None:
        return None
    at, call, _ = picked
    line = scene.lines[at]
    before, behind = line[: call.start()], line[call.end() :]
    plain = re.search(r"(?:^\s*|=\s|return\s|\(|,\s)\Z", before)
    if (
        not plain
        or behind[:1] in (".", "(", "[", "`")
        or "await" in line
        or re.search(r"\b(?:def|lambda)\b|=>", line)
    ):
        return None
    return {"c": scene.quoted(call[0])}, revised(scene.lines, {at: f"{before}await {call[0]}{behind}"})


@family(
    near=('".format(', "'.format(", '" % ', "' % "),
)
def to_fstring(scene: Scene) -> tuple[Parts, Change] | None:
    found = [
        (at, match, "{}" if pattern is _FORMAT else "%s")
        for at, line in enumerate(scene.lines)
        for pattern in (_FORMAT, _PERCENT)
        for match in pattern.finditer(line)
        if scene.once(match[0])
    ]
    picked = scene.pick(found)
    if picked is None:
        return None
    at, match, hole = picked
    args = split_commas(match["args"] or match.groupdict().get("one") or "")
    pieces = match["text"].split(hole)
    if (
        args is None
        or len(args) != len(pieces) - 1
        or not all(re.fullmatch(r"[A-Za-z_][\w.]*", arg) for arg in args)
    ):
        return None
    filled = pieces[0] + "".join(f"{{{arg}}}{piece}" for arg, piece in zip(args, pieces[1:], strict=True))
    line = scene.lines[at]
    put = f"{line[: match.start()]}f{match['quote']}{filled}{match['quote']}{line[match.end() :]}"
    return {"a": f"`{match[0]}`"}, revised(scene.lines, {at: put})
