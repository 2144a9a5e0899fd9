"""What stands around a signature: decorators, modifiers, base classes."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import signature
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import SCRIPTS

_DECORATORS = (
    "cache",
    "property",
    "staticmethod",
    "classmethod",
    "lru_cache(maxsize=None)",
    "override",
    "wraps(func)",
    "final",
)
_MARKS = ("Override", "Deprecated", "Nullable", "Test", 'SuppressWarnings("unchecked")', "Transactional")


@family(
    "add the [decorator|annotation] {d} to {f}",
    "decorate {f} with {d}",
    "add {d} to {f}",
    "put {d} [on|above|before] {f}",
    "{f} needs the [decorator|annotation] {d}",
    "{f} should [be decorated with|have] {d}",
    "mark {f} with {d}",
    "[use|apply] {d} on {f}",
    kept_back=("let {f} carry {d}", "{d} is missing on {f}, add it"),
    languages=("python", "java"),
)
def add_decorator(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    if at is None or (at.line and scene.lines[at.line - 1].lstrip().startswith("@")):
        return None
    known = _DECORATORS if scene.language == "python" else _MARKS
    decorator = "@" + (scene.rng.choice(known) if scene.chance(0.6) else scene.name())
    new = scene.indent(at.line) + decorator
    return {"d": scene.quoted(decorator), "f": scene.quoted(at.name)}, revised(
        scene.lines, insert={at.line: [new]}
    )


@family(
    "[remove|delete|drop] the [decorator|annotation] {d} [from|of] {f}",
    "[remove|drop] {d} from {f}",
    "{f} should not [have|be marked with] {d}",
    "take {d} off {f}",
    "{f} no longer needs {d}, remove it",
    "get rid of {d} on {f}",
    "{f} must not be decorated with {d}",
    "strip {d} from {f}",
    kept_back=("{f} goes without {d}", "there should be no {d} on {f}"),
    languages=("python", "java"),
    near=("@",),
)
def remove_decorator(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    if at is None:
        return None
    first = at.line
    while first and re.match(r"\s*@[\w.]+(?:\(.*\))?$", scene.lines[first - 1]):
        first -= 1
    line = scene.pick(range(first, at.line))
    if line is None or len(scene.lines) < 3:
        return None
    said = scene.lines[line].strip()
    said = (
        re.split(r"\(", said)[0]
        if scene.chance(0.3)
        and sum(scene.lines[i].strip().startswith(said.split("(")[0]) for i in range(first, at.line)) == 1
        else said
    )
    return {"d": scene.quoted(said), "f": scene.quoted(at.name)}, revised(scene.lines, drop={line})


@family(
    "make {f} [async|asynchronous]",
    "{f} should be [async|asynchronous|a coroutine]",
    "turn {f} into [an async function|a coroutine]",
    "[add|put] [async|the keyword async] [to|before] {f}",
    "declare {f} as async",
    "convert {f} to async",
    "{f} must be async",
    "define {f} with async",
    kept_back=("{f} has to become async", "let {f} be a coroutine"),
    languages=("python", "rust", *SCRIPTS),
)
def make_async(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    line = scene.lines[at.line] if at else ""
    if at is None or re.search(r"\basync\b", line):
        return None
    word = {"python": r"\bdef\b", "rust": r"\b(?:unsafe )?fn\b"}.get(
        scene.language, rf"\b(?:function\b|{re.escape(at.name)}\()"
    )
    found = re.search(word, line)
    if found is None or re.search(r"\b(?:const|get|set|static)\b", line) or at.name == "constructor":
        return None
    put = line[: found.start()] + "async " + line[found.start() :]
    return {"f": scene.quoted(at.name)}, revised(scene.lines, {at.line: put})


@family(
    "make {f} [synchronous|sync]",
    "{f} should not be async",
    "remove [async|the async] from {f}",
    "{f} need not be a coroutine, drop the async",
    "turn {f} into a [plain|normal|synchronous] function",
    "drop the async of {f}",
    "declare {f} without async",
    "{f} does not need to be async",
    kept_back=("{f} is no coroutine any more", "{f} has to lose its async"),
    languages=("python", "rust", *SCRIPTS),
    near=("async def", "async fn", "async function", "async "),
)
def make_sync(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    if at is None or len(re.findall(r"\basync\s+", scene.lines[at.line])) != 1:
        return None
    put = re.sub(r"\basync\s+", "", scene.lines[at.line])
    return {"f": scene.quoted(at.name)}, revised(scene.lines, {at.line: put})


@family(
    "make {c} inherit from {b}",
    "{c} should [inherit from|extend|derive from] {b}",
    "let {c} [extend|inherit from] {b}",
    "derive {c} from {b}",
    "make {b} a base class of {c}",
    "add the base class {b} to {c}",
    "{c} is a subclass of {b}",
    "use {b} as the base class of {c}",
    kept_back=("{c} must be a child of {b}", "turn {c} into a subclass of {b}"),
    languages=("python", "java", *SCRIPTS),
    near=("class ",),
)
def add_base(scene: Scene) -> tuple[Parts, Change] | None:
    python = scene.language == "python"
    head = r"\s*class (\w+)(?:\(([\w., ]*)\))?:$" if python else r"\s*(?:[a-z]+ )*class (\w+) \{$"
    found = scene.matches(re.compile(head))
    picked = scene.pick([(i, m) for i, m in found if sum(n[1] == m[1] for _, n in found) == 1])
    if picked is None:
        return None
    at, match = picked
    base = scene.name()
    base = base[0].upper() + base[1:]
    if python:
        bases = [*filter(None, [match[2]]), base]
        put = scene.indent(at) + f"class {match[1]}({', '.join(bases)}):"
    else:
        put = scene.lines[at].removesuffix(" {") + f" extends {base} {{"
    return {"c": scene.quoted(match[1]), "b": scene.quoted(base)}, revised(scene.lines, {at: put})


@family(
    "make {f} {v}",
    "{f} should be {v}",
    "change the visibility of {f} to {v}",
    "declare {f} [{v}|as {v}]",
    "turn {f} {v}",
    "let {f} be {v}",
    "{f} must be {v}",
    "set {f} to {v}",
    kept_back=("{f} has to become {v}", "give {f} {v} visibility"),
    languages=("java", "rust", *SCRIPTS),
)
def change_visibility(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    if at is None:
        return None
    line = scene.lines[at.line]
    if scene.language == "java" or re.match(r"\s+(?:public|private|protected) ", line):
        old = re.match(r"\s*(public|private|protected)\b", line)
        new = scene.rng.choice(("public", "private", "protected"))
        if old is None or old[1] == new:
            return None
        return {"f": scene.quoted(at.name), "v": new}, revised(
            scene.lines, {at.line: line.replace(old[1], new, 1)}
        )
    word = re.match(
        r"\s*(?:async |unsafe |const )*fn\b" if scene.language == "rust" else r"(?:async )?function\b", line
    )
    if word is None:
        return None
    said, text = ("public", "pub ") if scene.language == "rust" else ("exported", "export ")
    put = scene.indent(at.line) + text + line.lstrip()
    return {"f": scene.quoted(at.name), "v": said}, revised(scene.lines, {at.line: put})
