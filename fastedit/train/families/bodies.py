"""Functions' bodies: what they begin and end with, and what they return."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import Signature, balanced, block_end, body_start, signature
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS
from fastedit.train.regions import indent_of

_ENDING = re.compile(r"\s*(?:return|raise|throw|break|continue|panic|goto|yield)\b")


def _begun(scene: Scene, at: Signature | None, block: list[str]) -> Change | None:
    place = body_start(scene, at) if at else None
    if place is None:
        return None
    return revised(scene.lines, insert={place: [scene.indent(place) + line for line in block]})


@family()
def add_docstring(scene: Scene) -> tuple[Parts, Change] | None:
    at, sentence = signature(scene), scene.words(2, 7).capitalize() + "."
    if at is None or at.body >= len(scene.lines) or re.match(r"\s*[rRbBuU]?[\"']", scene.lines[at.body]):
        return None
    change = _begun(scene, at, [f'"""{sentence}"""'])
    return None if change is None else ({"s": sentence, "f": scene.quoted(at.name)}, change)


@family(
    near=('"""',),
)
def remove_docstring(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    place = body_start(scene, at) if at else None
    if at is None or place is None or place == at.body:
        return None
    return {"f": scene.quoted(at.name)}, revised(scene.lines, drop=range(at.body, place))


@family(
    languages=FUNCTIONS,
)
def add_log(scene: Scene) -> tuple[Parts, Change] | None:
    at, message = signature(scene), scene.words(1, 4)
    call = scene.rng.choice(scene.speech.logs).format(m=message)
    change = _begun(scene, at, [call])
    if at is None or change is None:
        return None
    return {"c": f"`{call}`", "f": scene.quoted(at.name)}, change


@family(
    languages=FUNCTIONS,
)
def add_guard(scene: Scene) -> tuple[Parts, Change] | None:
    at, name = signature(scene), scene.known() or scene.name()
    first = body_start(scene, at) if at else None
    if at is None or first is None:
        return None
    test = scene.rng.choice(scene.speech.absent).format(n=name)
    if scene.speech.braces:
        leave = scene.rng.choice(("return", f"return {scene.value()}", f"return {name}")) + scene.speech.end
        left, right = scene.speech.header
        block = [f"if {left}{test}{right} {{", scene.unit(first) + leave, "}"]
    else:
        leave = scene.rng.choice(
            ("return None", "return", "return False", "return []", f"raise ValueError({name!r})")
        )
        block = [f"if {test}:", scene.unit(first) + leave]
    change = _begun(scene, at, block)
    if change is None:
        return None
    return {"f": scene.quoted(at.name), "r": f"`{leave}`", "t": f"`{test}`"}, change


def _last(scene: Scene, at: Signature) -> int | None:
    """The line behind a body's last one, where that stands in the body's own indentation or deeper."""
    end = block_end(scene, at.line)
    if end is None:
        return None
    return end - 1 if scene.speech.braces else end


@family(
    languages=FUNCTIONS,
)
def add_last(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    place, first = (_last(scene, at), body_start(scene, at)) if at else (None, None)
    if at is None or place is None or first is None or place <= first:
        return None
    indent, last = scene.indent(first), scene.lines[place - 1]
    inside = [line for line in scene.lines[first:place] if indent_of(line) == len(indent) and line.strip()]
    if not inside or _ENDING.match(inside[-1]) or not last.strip():
        return None
    said = f"return {scene.known() or scene.value()}" + scene.speech.end
    call = scene.rng.choice((said, said, scene.rng.choice(scene.speech.logs).format(m=scene.words(1, 3))))
    return {"c": f"`{call}`", "f": scene.quoted(at.name)}, revised(
        scene.lines, insert={place: [indent + call]}
    )


@family(
    languages=FUNCTIONS,
    near=("return ",),
)
def change_return(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    end = block_end(scene, at.line) if at else None
    if at is None or end is None:
        return None
    found = [
        (i, match)
        for i in range(at.line + 1, end)
        if (match := re.search(r"\breturn\b\s*(?P<value>[^;]*?)(?P<end>;?)$", scene.lines[i]))
    ]
    if len(found) != 1:
        return None
    line, match = found[0]
    behind = next((text for text in scene.lines[line + 1 :] if text.strip()), "")
    if indent_of(behind) > indent_of(scene.lines[line]) or not balanced(match["value"]):
        return None  # it goes on
    old, before = match["value"], scene.lines[line][: match.start()]
    if not old or before.strip() or len(old) > 60 or old.endswith(("(", "[", "{", ",", "\\")) or "`" in old:
        return None
    known = scene.known()
    options = (scene.value(), f"{known}", f"not {old}", f"{known}.{scene.name()}", f"{scene.name()}({old})")
    new = scene.rng.choice(options if not scene.speech.braces else options[:2] + options[3:])
    if new == old or known is None:
        return None
    put = f"{before}return {new}{match['end']}"
    return {"f": scene.quoted(at.name), "a": f"`{old}`", "b": f"`{new}`"}, revised(scene.lines, {line: put})
