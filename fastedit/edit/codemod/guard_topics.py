"""A check that a function begins with and that may leave it at once, in whatever order it is said."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from itertools import permutations

from fastedit.edit.codemod.body_topics import first_row
from fastedit.edit.codemod.gist import GONE, NEGATIONS, Gist, Topic, lexicon
from fastedit.edit.codemod.names import Role, occurrences
from fastedit.edit.codemod.source import Codemod, Source, holding
from fastedit.edit.codemod.words import Word
from fastedit.edit.codemod.wrap import uneven, unit
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_GUARDED = Topic(
    """if when whenever case guard guards check checks checking test tests precondition early on given whether
    conditional short-circuit bail leads handle handles fast should protect catch caught leave means given deal on
    -> point return returns""",
    may="""function method body statement line clause exit out return leave then at the start beginning top
        head front very begins opens first thing once right away straight immediately before anything else
        ahead everything rest runs run real work any against is are true holds hold turns it with an and a
        in into insert prepend tack open begin start starts early upfront so up if yes that's doing do does
        sanity precondition leads whose branch for entry entered entering on crash crashes deal via be case
        catch does will which upon missing skipped skip by after should else itself point value no-op let
        conditional condition via there own be make point happens fail stop going continue quit abort skip
        validate validation verify up-front upfront opening initial initially prior proceed proceeds
        proceeding short circuit cut quick fails reject refuse cover satisfied met directly first-thing
        guarded guarding bails exits leaving soon earliest possible input invalid no not nothing past get run yet
        point once use need reason sense at lines further any useful reach deal dealt applies apply handle handles
        but doing doesn't""",
    never="unless except only instead-of replace change read",
)
_WHEN = r"\b(?:if|when|whenever)\b"
_VALUE = r"-?\d[\w.]*|None|True|False|null|true|false|\[\]|\{\}|\"[^\"]*\"|'[^']*'"
# Between how a function is left and when: "at the top of load", "from load".
_WHERE = r"(?: (?:at the (?:very )?(?:top|start|beginning) of|in|inside|from|out of) `?[\w.]+`?)?"
_LEFT = re.compile(
    r"(?<![`\w])(?:(?P<verb>return|raise|throw(?: new)?) "
    rf"(?:`(?P<code>[^`]+)`|(?P<value>{_VALUE}|[A-Z]\w*Error(?:\(\))?))"
    rf"|(?P<early>return)(?: early)?)(?={_WHERE},? {_WHEN}|[.!]?\Z)"
)
_PATH = r"[A-Za-z_]\w*(?:\.\w+)*"
_STATE = re.compile(
    rf"(?P<when>{_WHEN} (?:the )?)(?P<name>{_PATH}) (?:is|are) "
    rf"(?P<state>(?:not )?in (?P<other>{_PATH})|not None|\w+)(?=[.,!]?(?:\s|\Z))"
)
_SIGNED = {"zero": "{} == 0", "negative": "{} < 0", "positive": "{} > 0"}
_SCRIPTED = _SIGNED | {"zero": "{} === 0", "null": "{} === null", "undefined": "{} === undefined"}
_STATES = {
    "python": _SIGNED | {"empty": "not {}", "none": "{} is None", "not none": "{} is not None"},
    **dict.fromkeys(("javascript", "typescript", "tsx"), _SCRIPTED),
    "java": _SIGNED | {"null": "{} == null"},
    "go": _SIGNED | {"nil": "{} == nil"},
}
_TYPED = frozenset({"typescript", "tsx", "java", "go", "rust", "c", "cpp"})
# What cannot be nothing: numbers and truth values, in Go also texts.
_NEVER_NONE = {
    "java": r"\b(?:int|long|short|byte|double|float|char|boolean) {}\b",
    "go": r"\b{} (?:string|u?int\d*|float\d+|bool|byte|rune)\b",
}
# What says that a parameter is a text, and how an empty one is found.
_EMPTY_TEXTS = {
    "typescript": (r"{}\??: string\b", "!{}"),
    "tsx": (r"{}\??: string\b", "!{}"),
    "go": (r"\b{} string\b", '{} == ""'),
    "java": (r"\bString {}\b", "{}.isEmpty()"),
}
# Of others, "empty" may mean something else.
_SIZED = frozenset(
    "list dict set tuple str bytes List Dict Set Tuple Sequence Mapping Optional".split()  # noqa: SIM905
)
_GOES_ON = lexicon(
    "point need reason sense use go get proceed continue run handle reach enter execute but work deal"
)
_CHECKS = lexicon("check guard test handling handle handled validation precondition checked guarded tested")
_LEAVE = re.compile(r"(?:return|raise|throw|continue|break|panic)\b.*;?")
_STATEMENT = re.compile(
    r"(?:return|raise|throw|if|for|while|import|from|def|class)\b|[\w.\[\]]+\s*[+-]?=(?!=)"
)
_HEADER = dict.fromkeys(("javascript", "typescript", "tsx", "java", "c", "cpp"), ("(", ")")) | dict.fromkeys(
    ("go", "rust"), ("", "")
)


def guard_topics(text: str, source: Source) -> Codemod | None:
    """None where it is left open what is meant, or the function has such a check already."""
    if source.language != "python" and source.language not in _HEADER:
        return None
    return _GUARDED.read(_with_code_quoted(text.replace("`if`", "if"), source), source, _guarded, 3)


def _with_code_quoted(text: str, source: Source) -> str:
    """The sentence with ticks around how it is left and, in Python, around what is said of a name in words."""

    semicolons = source.language in _HEADER and any(line.rstrip().endswith(";") for line in source.lines)
    ended = ";" if semicolons else ""

    def left(found: re.Match[str]) -> str:
        what = found["code"] or found["value"]
        return f"`{found['verb']} {what}{ended}`" if what else f"`return{ended}`"

    def state(found: re.Match[str]) -> str:
        test = _test(source, found)
        return found[0] if test is None else f"{found['when']}`{test}`"

    return _STATE.sub(state, _LEFT.sub(left, text))


def _test(source: Source, said: re.Match[str]) -> str | None:
    """The condition that is said in words, where all its names are the file's."""
    name, other, state = said["name"], said["other"], said["state"].lower()
    names = {*name.split("."), *(other.split(".") if other else ())}
    if not source.vocabulary >= names:
        return None
    if other is not None:
        return f"{name} {said['state']}" if source.language == "python" else None
    if state == "empty" and source.language in _EMPTY_TEXTS:
        declared, test = _EMPTY_TEXTS[source.language]
        return test.format(name) if _declared(source, declared, name) else None
    never = _NEVER_NONE.get(source.language)
    if state in ("nil", "null") and never and _declared(source, never, name):
        return None
    found = _STATES.get(source.language, {}).get(state)
    sized = state != "empty" or _may_be_sized(source, name)
    return found.format(name) if found and sized else None


def _declared(source: Source, pattern: str, name: str) -> bool:
    """Whether a line declares the name, or the last part of it, in this way."""
    declared = re.compile(pattern.replace("{}", re.escape(name.split(".")[-1])))
    return any(declared.search(line) for line in source.lines)


def _may_be_sized(source: Source, name: str) -> bool:
    pattern = re.compile(rf"(?<![\w.]){re.escape(name)}\s*:\s*(\w+)")
    return all(kind in _SIZED for line in source.lines if name in line for kind in pattern.findall(line))


def _guarded(gist: Gist, source: Source) -> Iterator[Codemod | None]:
    if _refused(gist) or gist.has(GONE - lexicon("out off away leave")):
        return
    for function, leave, test in permutations(gist.mentions):
        found = source.only(function.name)
        if found is None or found.kind not in ("function", "method") or not _fits(leave, test):
            continue
        row = first_row(source, found)
        inside = source.lines[found.header : found.stop]
        if row is not None and not any(test.text in line for line in inside):
            yield _checked(source, found, row, leave.text, test.text)


def _refused(gist: Gist) -> bool:
    """Whether it negates anything but going on: "no point running it", "do nothing but", "must not get past"."""
    stems = [word for word in gist.stems if word not in ("a", "any", "the", "be", "to")]
    missing = "yet" in stems
    negated = [
        n
        for n, word in enumerate(stems)
        if word in NEGATIONS and not (missing and stems[n + 1 : n + 2] and stems[n + 1] in _CHECKS)
    ]
    return any(n + 1 == len(stems) or stems[n + 1] not in _GOES_ON for n in negated)


def _fits(leave: Word, test: Word) -> bool:
    return (
        leave.quote == test.quote == "`"
        and _LEAVE.fullmatch(leave.text) is not None
        and not _STATEMENT.match(test.text)
        and not re.fullmatch(r"[\w.]+", test.text)
    )


def _checked(source: Source, found: Definition, row: int, leave: str, test: str) -> Codemod:
    margin = indentation(source.lines[row])
    step = unit(source, row)
    placed: tuple[str, ...]
    if source.language == "python":
        placed = (f"{margin}if {test}:", f"{margin}{step}{leave}")
    else:
        left, right = _HEADER[source.language]
        placed = (f"{margin}if {left}{test}{right} {{", f"{margin}{step}{leave}", f"{margin}}}")
    inside = source.lines[found.body : found.stop]
    valued = any(re.match(r"\s*return\s+[^;\s]", line) for line in inside)
    doubts = {
        "elsewhere it returns a value": source.language in _TYPED
        and leave.rstrip(";") == "return"
        and valued,
        "what it tests is set further down only": _set_below(source, found, test),
        "what it tests is no name there": _unknown(source, found, test),
    }
    reasons = holding(doubts)
    return Codemod((Hunk(row, row, placed),), (*reasons, *uneven(source, row)))


def _unknown(source: Source, found: Definition, test: str) -> bool:
    """Whether Python has no variable by a name of the test there."""
    if source.language != "python" or source.syntax is None:
        return False
    names = set(re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*(?![\w(\"'])", test)) - set(keyword.kwlist)
    head = set(re.findall(r"\w+", " ".join(source.lines[found.header : found.body])))
    return not {n for n in names - head if not _bound_outside(source, n)} <= set(dir(builtins))


def _bound_outside(source: Source, name: str) -> bool:
    """Whether it is a variable, an import or a class there; of a function the test would have a call."""
    assert source.syntax is not None
    roles, found = (Role.BINDING, Role.IMPORT), source.only(name)
    bound = any(o.role in roles and not o.scope and not o.in_class for o in occurrences(source.syntax, name))
    return bound or (found is not None and found.kind == "class")


def _set_below(source: Source, found: Definition, test: str) -> bool:
    """Whether the function gives a value to a name of the test that its signature does not have."""
    head = " ".join(source.lines[found.header : found.body])
    names = set(re.findall(r"(?<![\w.])[A-Za-z_$][\w$]*", test)) - set(re.findall(r"[\w$]+", head))
    body = source.lines[found.body : found.stop]
    return any(
        re.match(rf"\s*(?:\w[\w<>*&]*\s+)?{re.escape(n)}\s*:?=(?!=)", line) for n in names for line in body
    )
