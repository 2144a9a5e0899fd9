"""Conditions, and statements that get one."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastedit.train.change import Change, revised
from fastedit.train.families.places import balanced, block_end, statements
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS
from fastedit.train.regions import indent_of

_OPPOSITE = {
    "==": "!=",
    "!=": "==",
    "<=": ">",
    ">=": "<",
    "<": ">=",
    ">": "<=",
    "===": "!==",
    "!==": "===",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
_WORDED = re.compile(r"([\w.()\[\]\"', ]+?) (is not|is|not in|in) ([\w.()\[\]\"', {}]+)")
_IF = {
    "indent": re.compile(r"(?P<head>\s*(?:if|elif|while) )(?P<test>[^:]+)(?P<tail>:)$"),
    "parens": re.compile(r"(?P<head>\s*(?:\} else )?(?:if|while) ?\()(?P<test>.+)(?P<tail>\) ?\{?)$"),
    "bare": re.compile(r"(?P<head>\s*(?:\} else )?(?:if|while) )(?P<test>[^{;]+?)(?P<tail> \{)$"),
}


class Condition(NamedTuple):
    line: int
    head: str
    test: str
    tail: str

    def tested(self, scene: Scene, test: str) -> Change:
        return revised(scene.lines, {self.line: self.head + test + self.tail})


def _condition(scene: Scene) -> Condition | None:
    """A condition whose text the region has just once."""
    kind = "indent" if not scene.speech.braces else "parens" if scene.speech.header[0] else "bare"
    found = scene.matches(_IF[kind])
    fit = [
        Condition(i, *m.group("head", "test", "tail"))
        for i, m in found
        if balanced(m["test"]) and len(m["test"]) < 80 and "`" not in m["test"] and scene.once(m["test"])
    ]
    return scene.pick(fit)


def _new_test(scene: Scene) -> str:
    return scene.rng.choice(scene.speech.absent).format(n=scene.known() or scene.name())


@family(
    languages=FUNCTIONS,
)
def change_condition(scene: Scene) -> tuple[Parts, Change] | None:
    at, new = _condition(scene), _new_test(scene)
    if at is None or new == at.test:
        return None
    return {"a": f"`{at.test}`", "b": f"`{new}`"}, at.tested(scene, new)


def _negated(scene: Scene, test: str) -> str | None:
    """The one plain way to say the opposite; None where there are several."""
    no, both, either = scene.speech.operators
    if re.search(rf"(?:\s|^)(?:{re.escape(both)}|{re.escape(either)}|let|if|else|=)(?:\s|$)", test):
        return None
    if found := re.fullmatch(r"(.+?) (===|!==|==|!=|<=|>=|<|>) ([^<>=]+)", test):
        if re.search(r" (?:[<>=]|in|is) ", found[1]) or found[1].startswith(no):
            return None
        return f"{found[1]} {_OPPOSITE[found[2]]} {found[3]}"
    worded = None if scene.speech.braces else _WORDED.fullmatch(test)
    if worded:
        if " not" in worded[1] or worded[1].startswith("not ") or re.search(r" (?:is|in|for) ", worded[3]):
            return None
        return f"{worded[1]} {_OPPOSITE[worded[2]]} {worded[3]}"
    if re.fullmatch(re.escape(no) + r"[\w.]+(?:\([^()]*\))?", test):
        return test.removeprefix(no)
    return no + test if re.fullmatch(r"[\w.]+(?:\([^()]*\))?", test) else None


@family(
    languages=FUNCTIONS,
)
def negate_condition(scene: Scene) -> tuple[Parts, Change] | None:
    at = _condition(scene)
    new = _negated(scene, at.test) if at else None
    return ({"a": f"`{at.test}`"}, at.tested(scene, new)) if at and new else None


@family(
    languages=FUNCTIONS,
)
def extend_condition(scene: Scene) -> tuple[Parts, Change] | None:
    at, more = _condition(scene), _new_test(scene)
    _, both, either = scene.speech.operators
    if (
        at is None
        or either in at.test
        or both in at.test
        or " if " in at.test
        or "=" in at.test.replace("==", "")
    ):
        return None
    word = scene.rng.choice((both, either))
    parts = {"w": f"`{word}", "c": f"{more}`", "a": f"`{at.test}`"}
    return parts, at.tested(scene, f"{at.test} {word} {more}")


@family(
    languages=FUNCTIONS,
    near=("if ",),
)
def add_else(scene: Scene) -> tuple[Parts, Change] | None:
    at, lines = _condition(scene), scene.lines
    if at is None or not re.match(r"\s*if\b", at.head) or (scene.speech.braces and not at.tail.endswith("{")):
        return None
    end = block_end(scene, at.line)
    if end is None or end >= len(lines) or end == at.line + 1:
        return None
    behind = next((line for line in lines[end:] if line.strip()), "")
    if behind.lstrip().startswith(("else", "elif", "} else")) and indent_of(behind) == indent_of(at.head):
        return None
    call = scene.rng.choice(
        (
            scene.rng.choice(scene.speech.logs).format(m=scene.words(1, 3)),
            f"return {scene.value()}" + scene.speech.end,
        )
    )
    indent = scene.indent(at.line)
    parts = {"a": f"`{lines[at.line].strip().rstrip('{:').rstrip()}`", "c": f"`{call}`"}
    if not scene.speech.braces:
        return parts, revised(lines, insert={end: [f"{indent}else:", scene.indent(at.line + 1) + call]})
    if lines[end - 1].strip() != "}":
        return None
    new = [scene.indent(at.line + 1) + call, f"{indent}}}"]
    return parts, revised(lines, {end - 1: f"{indent}}} else {{"}, insert={end: new})


@family(
    languages=FUNCTIONS,
)
def wrap_if(scene: Scene) -> tuple[Parts, Change] | None:
    at, test = scene.pick(statements(scene, declarations=False)), _new_test(scene)
    if at is None:
        return None
    indent, (left, right) = scene.indent(at), scene.speech.header
    head, foot = (f"if {left}{test}{right} {{", ["}"]) if scene.speech.braces else (f"if {test}:", [])
    change = revised(
        scene.lines,
        {at: scene.unit(at) + scene.lines[at]},
        insert={at: [indent + head], at + 1: [indent + line for line in foot]},
    )
    return {"a": scene.shown(at), "t": f"`{test}`"}, change
