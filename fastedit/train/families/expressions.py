"""Expressions, literals and words in place of others."""

from __future__ import annotations

import re

from fastedit.train.change import NUMBER, STRING, Change, revised
from fastedit.train.families.places import balanced, is_whole, statements
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import ANY, FUNCTIONS, SPEECH

_ACCESS = re.compile(r"\w+\.\w+(?:\([^()]*\))?")
_OPERATORS = {
    "==": ("!=",),
    "!=": ("==",),
    "<=": ("<", ">="),
    ">=": (">", "<="),
    " < ": ("<=", ">"),
    " > ": (">=", "<"),
    "+=": ("-=", "*="),
    "-=": ("+=",),
    " + ": ("-", "*"),
    " - ": ("+",),
    " and ": ("or",),
    " or ": ("and",),
    "&&": ("||",),
    "||": ("&&",),
}


def other(scene: Scene, old: str) -> str:
    """Something that could stand where `old` stands."""
    if NUMBER.fullmatch(old):
        return str(scene.rng.choice((0, 1, 2, 3, 8, 30, 100, scene.rng.randint(0, 9999))))
    if old[0] in "\"'":
        said = scene.words(1, 3) if scene.chance(0.3) else scene.name()
        return old[0] + said + old[0]
    if scene.chance(0.3):
        return scene.value()
    return scene.rng.choice((scene.name(), f"{scene.name()}.{scene.name()}", f"{scene.name()}({old})"))


@family(
    languages=ANY,
)
def replace_expression(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(scene.unique())
    if at is None:
        return None
    line = scene.lines[at]
    found = scene.pick([*NUMBER.finditer(line), *STRING.finditer(line), *_ACCESS.finditer(line)])
    if found is None or not scene.once(found[0]) or "`" in found[0]:
        return None
    new = other(scene, found[0])
    # Inside a longer number or name it would be a part of something else.
    if re.search(r"[\w.]\Z", line[: found.start()]) or new == found[0]:
        return None
    parts = {"a": scene.coded(found[0]), "b": scene.coded(new), "w": scene.where(at)}
    return parts, revised(scene.lines, {at: line[: found.start()] + new + line[found.end() :]})


def _quotable(text: str) -> bool:
    return "`" not in text and '"' not in text


@family(
    languages=ANY,
)
def replace_text(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(scene.unique(re.compile(r".*[A-Za-z]{2} [A-Za-z]{2}")))
    if at is None:
        return None
    line = scene.lines[at]
    runs = list(re.finditer(r"[A-Za-z]+(?: [A-Za-z]+){1,3}", line))
    found = scene.pick(runs)
    if found is None or not scene.once(found[0]) or re.search(r"[\w-]\Z", line[: found.start()]):
        return None
    words = found[0].split(" ")
    place = scene.rng.randrange(len(words))
    new = [*words[:place], scene.words(1, 2), *words[place + 1 :]]
    text = " ".join(new) if scene.chance(0.6) else scene.words(1, 4)
    if text == found[0] or re.match(r"\w", line[found.end() :]):
        return None
    parts = (
        {"a": f'"{found[0]}"', "b": f'"{text}"'}
        if scene.chance(0.6)
        else {"a": f"`{found[0]}`", "b": f"`{text}`"}
    )
    return parts, revised(scene.lines, {at: line[: found.start()] + text + line[found.end() :]})


@family(
    languages=FUNCTIONS,
    near=(" == ", " != ", " <= ", " >= ", " < ", " > ", " += ", " && ", " || ", " and ", " or "),
)
def change_operator(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick(scene.unique())
    if at is None:
        return None
    line = scene.lines[at]
    if re.match(r"\s*(?:#|//|\*|/\*)", line):
        return None
    # Elsewhere these are words of prose.
    spoken = [op for op in _OPERATORS if scene.language == "python" or op not in (" and ", " or ")]
    found = [op for op in spoken if line.count(op) == 1 and line.count(op.strip()) == 1]
    old = scene.pick(found)
    if old is None:
        return None
    new = scene.rng.choice(_OPERATORS[old])
    if sum(line.count(op.strip()) for op in ("==", "!=", "<=", ">=", "&&", "||")) > 1:
        return None
    text = line.replace(old, old.replace(old.strip(), new), 1)
    return {"a": old.strip(), "b": new, "l": scene.shown(at)}, revised(scene.lines, {at: text})


@family(
    languages=tuple(name for name in FUNCTIONS if SPEECH[name].declare),
)
def extract_variable(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick([i for i in statements(scene) if is_whole(scene, i)])
    if at is None or scene.speech.declare is None:
        return None
    line = scene.lines[at]
    calls = re.finditer(r"(?<![\w.])[A-Za-z_][\w.]*\([^()]*\)", line)
    options = [m for m in (*calls, *NUMBER.finditer(line), *STRING.finditer(line)) if scene.once(m[0])]
    found = scene.pick(options)
    if found is None or not balanced(found[0]) or "`" in found[0]:
        return None
    before, behind = line[: found.start()], line[found.end() :]
    # What is the whole statement already, or a part of a longer chain, is nothing to extract.
    if (
        not re.search(r"[(,=+*/-]\s*\Z", before)
        or behind[:1] in (".", "(", "[")
        or re.search(r"\w=\Z", before)
    ):
        return None
    if re.fullmatch(r"\s*[\w.]+(?:\s*[:\w]+)*\s*:?=\s*", before) and behind.strip() in ("", ";"):
        return None
    name = scene.name()
    new = scene.indent(at) + scene.speech.declare.format(n=name, v=found[0])
    change = revised(scene.lines, {at: before + name + behind}, insert={at: [new]})
    return {"a": scene.coded(found[0]), "b": scene.quoted(name)}, change
