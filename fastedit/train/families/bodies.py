"""Functions' bodies: what they begin with and what they return; functions that come and go."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import Signature, balanced, block_end, body_start, signature, signatures
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS
from fastedit.train.families.wording import handed
from fastedit.train.regions import definition_at, indent_of, reindent

_ENDING = re.compile(r"\s*(?:return|raise|throw|break|continue|panic|goto|yield)\b")


def _begun(scene: Scene, at: Signature | None, block: list[str]) -> Change | None:
    place = body_start(scene, at) if at else None
    if place is None:
        return None
    return revised(scene.lines, insert={place: [scene.indent(place) + line for line in block]})


@family(
    'add the docstring "{s}" to {f}',
    'add a docstring to {f}: "{s}"',
    'document {f} with "{s}"',
    'give {f} the docstring "{s}"',
    '[write|put] "{s}" as the docstring of {f}',
    '{f} has no docstring, add "{s}"',
    '{f} needs the docstring "{s}"',
    'the docstring of {f} should be "{s}", add it',
    'describe {f} in a docstring: "{s}"',
    kept_back=('explain {f} by the docstring "{s}"', 'let the docstring of {f} say "{s}"'),
)
def add_docstring(scene: Scene) -> tuple[Parts, Change] | None:
    at, sentence = signature(scene), scene.words(2, 7).capitalize() + "."
    if at is None or at.body >= len(scene.lines) or re.match(r"\s*[rRbBuU]?[\"']", scene.lines[at.body]):
        return None
    change = _begun(scene, at, [f'"""{sentence}"""'])
    return None if change is None else ({"s": sentence, "f": scene.quoted(at.name)}, change)


@family(
    "[remove|delete|drop] the docstring of {f}",
    "{f} needs no docstring, [remove|delete] it",
    "take the docstring out of {f}",
    "get rid of the docstring of {f}",
    "{f} should have no docstring",
    "strip the docstring from {f}",
    "the docstring of {f} is [wrong|outdated], remove it",
    "in {f}, [remove|delete] the docstring",
    kept_back=("{f} goes without its docstring", "no docstring in {f}"),
    near=('"""',),
)
def remove_docstring(scene: Scene) -> tuple[Parts, Change] | None:
    at = signature(scene)
    place = body_start(scene, at) if at else None
    if at is None or place is None or place == at.body:
        return None
    return {"f": scene.quoted(at.name)}, revised(scene.lines, drop=range(at.body, place))


@family(
    "[add|put|insert] {c} at the [start|beginning|top] of {f}",
    "[log|trace] at the start of {f} with {c}",
    "[begin|start] {f} with {c}",
    "{f} should [first|start with a] call {c}",
    "[insert|add] {c} as the first [statement|line] of {f}",
    "add the [log line|call] {c} to the top of {f}",
    "the first thing {f} does should be {c}",
    "when {f} starts, it should say {c}",
    kept_back=("open {f} with {c}", "before anything else {f} must do {c}"),
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
    "at the [start|beginning] of {f}, {r} if {t}",
    "add a guard to {f}: {r} if {t}",
    "{r} from {f} early if {t}",
    "in {f}, if {t} then {r}",
    "{f} should {r} when {t}",
    "if {t}, {f} should {r}",
    "let {f} {r} at once if {t}",
    "add an early exit to {f}: {r} when {t}",
    "[check|test] for {t} at the start of {f} and {r}",
    kept_back=("when {t}, {f} must {r} right away", "guard {f} against {t} with {r}"),
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
    "[add|put|insert] {c} at the end of {f}",
    "end {f} with {c}",
    "the last [statement|line] of {f} should be {c}, add it",
    "append {c} to [the body of |]{f}",
    "finally, {f} should do {c}",
    "add {c} as the last [statement|line] of {f}",
    "let {f} end with {c}",
    "{f} should end in {c}",
    kept_back=("close {f} with {c}", "after everything else {f} must do {c}"),
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
    "{f} should return {b} [instead of {a}|rather than {a}|now]",
    "return {b} [from|in] {f}",
    "change what {f} returns to {b}",
    "let {f} return {b}",
    "make {f} return {b} [instead|]",
    "in {f}, return {b} [instead of {a}|in place of {a}]",
    "the result of {f} should be {b}",
    "{f} returns {a}, it should return {b}",
    kept_back=("what {f} gives back should be {b}", "{f} has to return {b}"),
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


@family(
    "[delete|remove|drop] the [function|method|function] {f}",
    "[delete|remove] {f}",
    "get rid of [the function |]{f}",
    "{f} is no longer [needed|used|called], [remove|delete] it",
    "take [the function |]{f} out",
    "{f} can go",
    "we [don't|do not] need {f} any more, remove it",
    "nobody calls {f}, delete it",
    "drop {f} [completely|entirely]",
    kept_back=("{f} should not exist any more", "throw the function {f} away"),
    languages=FUNCTIONS,
)
def delete_definition(scene: Scene) -> tuple[Parts, Change] | None:
    at, lines = signature(scene), scene.lines
    stop = block_end(scene, at.line) if at else None
    if at is None or stop is None:
        return None
    start = at.line
    while start and lines[start - 1].lstrip().startswith("@"):
        start -= 1
    if start and re.match(r"\s*(?:#(?!include|define|if|endif|else)|//|/?\*)", lines[start - 1]):
        return None  # whether its comment goes too is a matter of taste
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    if stop == len(lines) and not lines[-1].strip():
        return None  # how many blank lines stay depends on what follows
    if stop == len(lines) or lines[stop].strip()[0] in "})":
        while start and not lines[start - 1].strip():
            start -= 1
    if stop - start == len(lines):
        return None
    said = at.name + scene.rng.choice(("", "", "()"))
    return {"f": scene.quoted(said)}, revised(lines, drop=range(start, stop))


@family(
    "[after|below|behind] {f} add [this|the] function{code}",
    "add this function [after|below|behind] {f}{code}",
    "[insert|put] [the following|this] function [after|below] {f}{code}",
    "add a function [after|below] {f}{code}",
    "[after|below] {f} [insert|put]{code}",
    "we need another function [after|below] {f}{code}",
    "{f} should be followed by this function{code}",
    "add [the following|this] [right |]after the function {f}{code}",
    kept_back=("next to {f}, behind it, goes this function{code}", "let this function follow {f}{code}"),
)
def add_function(scene: Scene) -> tuple[Parts, Change] | None:
    heads = [
        i
        for i, line in enumerate(scene.donor)
        if (scene.speech.function and scene.speech.function.match(line))
    ]
    at, head = signature(scene), scene.pick(heads)
    if at is None or head is None:
        return None
    block = reindent(definition_at(list(scene.donor), head), "")
    stop = block_end(scene, at.line)
    if stop is None or not 1 < len(block) <= 10 or any("```" in line for line in block):
        return None
    indent = scene.indent(at.line)
    apart = [""] * (1 if indent else 2)
    new = [indent + line if line else "" for line in block]
    behind = scene.lines[stop : stop + 1]
    if behind and behind[0].strip():
        new = [*apart, *new, *([] if indent_of(behind[0]) < len(indent) else apart)]
    else:
        new = [*apart, *new]
    if any(s.name == block[0] for s in signatures(scene)):
        return None
    code = handed(scene.rng, block) if len(block) > 1 else ""
    return {"f": scene.quoted(at.name), "code": code}, revised(scene.lines, insert={stop: new})
