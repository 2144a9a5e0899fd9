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
    languages=("python", "java", *SCRIPTS),
    near=("class ",),
)
def add_base(scene: Scene) -> tuple[Parts, Change] | None:
    python = scene.language == "python"
    head = r"\s*class (\w+)(?:\(([\w., ]*)\))?:$" if python else r"\s*(?:[a-z]+ )*class (\w+) \{$"
    found = scene.matches(re.compile(head))
    # Behind `object` Python takes no other base.
    once = [(i, m) for i, m in found if sum(n[1] == m[1] for _, n in found) == 1 and "(object)" not in m[0]]
    picked = scene.pick(once)
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
