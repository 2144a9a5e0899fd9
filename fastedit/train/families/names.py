"""Names in place of names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from fastedit.edit.instruction import whole_word
from fastedit.train.change import KEYWORDS, WORD, Change, revised
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import FUNCTIONS, SCRIPTS

_LITERALS = re.compile(r"\"[^\"]*\"|'[^']*'|#.*|//.*|<!--.*|^\s*\*.*")


@family(
    languages=(*FUNCTIONS, "shell", "sql"),
)
def rename(scene: Scene) -> tuple[Parts, Change] | None:
    code = without_prose(scene.lines)
    counts = Counter(found[0] for line in code for found in WORD.finditer(line))
    names = [
        n for n, c in counts.items() if n not in KEYWORDS and len(n) > 1 and (c > 1 or scene.chance(0.3))
    ]
    old, new = scene.pick(names), scene.name()
    if old is None or _has_two_sides(scene, old):
        return None
    pattern = whole_word(old)
    # A name that prose and strings have too would leave open whether they are meant.
    if any(
        len(pattern.findall(a)) != len(pattern.findall(b)) for a, b in zip(scene.lines, code, strict=True)
    ):
        return None
    uses = [i for i, line in enumerate(scene.lines) if pattern.search(line)]
    parts = {
        "a": scene.quoted(old),
        "b": scene.quoted(new),
        "k": f"the {_kind(scene, old)} " if scene.chance(0.5) else "",
        "w": scene.where(uses[0]) if len(uses) == 1 else "",
        "arrow": scene.rng.choice(("->", "=>", "to")),
    }
    return parts, revised(scene.lines, {i: pattern.sub(new, scene.lines[i]) for i in uses})


def _kind(scene: Scene, name: str) -> str:
    """What a name surely is, else just a name."""
    text = "\n".join(scene.lines)
    if re.search(rf"\b(?:def|func|fn|function)\s+{name}\b", text):
        return "function"
    if re.search(rf"\bclass\s+{name}\b", text):
        return "class"
    return "variable" if re.search(rf"^\s*(?:\w+\s+)?{name}\s*:?=[^=]", text, re.MULTILINE) else "name"


def _has_two_sides(scene: Scene, name: str) -> bool:
    """Whether it may name two things: an attribute and a variable, an argument's keyword, a mark-up's attribute."""
    text = scene.text
    attribute, total = len(re.findall(rf"(?:\.|->){name}\b", text)), len(re.findall(rf"\b{name}\b", text))
    keyword = scene.language == "python" and re.search(rf"[(,]\s*{name}=(?!=)", text)
    key = scene.language in SCRIPTS and re.search(
        rf"[{{,\s]{name}(?:=[{{\"']|\s*:)|[{{,]\s*{name}\s*[,}}]", text
    )
    return 0 < attribute < total or bool(total > 1 and (keyword or key))


def without_prose(lines: Sequence[str]) -> list[str]:
    """The lines without comments, texts and what stands in them."""
    bare, closing = list[str](), ""
    for line in lines:
        if closing:
            before, mark, behind = line.partition(closing)
            line = " " * len(before) + behind if mark else ""
            closing = "" if mark else closing
        elif found := re.search(r"\"\"\"|\'\'\'|/\*", line):
            end = "*/" if found[0] == "/*" else found[0]
            closing = "" if end in line[found.end() :] else end
            line = line[: found.start()]
        bare.append(_LITERALS.sub("", line))
    return bare
