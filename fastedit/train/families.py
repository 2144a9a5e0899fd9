"""Families of instructions: each makes an instruction for a region and the one change that answers it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from fastedit.train.change import KEYWORDS, NUMBER, STRING, WORD, Change, Out, kept
from fastedit.train.regions import definition_at, indent_of, reindent

Lines = tuple[str, ...]
Made = tuple[str, Change] | None
Family = Callable[[random.Random, Lines, Lines], Made]

SIGNATURE = re.compile(r"^(\s*)(?:async\s+)?def\s+(\w+)\(([^()]*)\)(\s*->\s*[^:]+)?:\s*$")
STATEMENT = re.compile(
    r"^\s+(?!(?:def|class|if|elif|else|for|while|with|try|except|finally|return|raise|@|#|async|\W))\S.*[\w)\]\"']$"
)
IMPORT = re.compile(r"^(?:import\s+[\w.]+|from\s+[\w.]+\s+import\s+[^(\\]+)$")
MODULES = [
    "os",
    "sys",
    "re",
    "json",
    "time",
    "math",
    "logging",
    "random",
    "itertools",
    "functools",
    "collections",
    "pathlib",
    "typing",
    "dataclasses",
    "asyncio",
    "threading",
    "subprocess",
    "hashlib",
    "base64",
    "shutil",
    "tempfile",
    "warnings",
    "copy",
    "uuid",
    "datetime",
    "contextlib",
    "enum",
    "abc",
    "io",
]
TYPE_CHOICES = [
    "int",
    "str",
    "float",
    "bool",
    "bytes",
    "list[int]",
    "list[str]",
    "dict[str, Any]",
    "Path",
    "str | None",
]
VALUES = ["None", "0", "1", "True", "False", '""', "()", "10", "0.5", "-1", '"utf-8"', "{}"]
ERRORS = [
    "ValueError",
    "KeyError",
    "TypeError",
    "OSError",
    "Exception",
    "RuntimeError",
    "AttributeError",
    "IndexError",
]
DECORATORS = [
    "cache",
    "property",
    "staticmethod",
    "classmethod",
    "lru_cache(maxsize=None)",
    "override",
    "wraps(func)",
    "final",
]


def quoted(rng: random.Random, text: str) -> str:
    """A name or piece of code as people write it in a sentence."""
    style = rng.random()
    if style < 0.55:
        return f"`{text}`"
    if style < 0.7 and "'" not in text:
        return f"'{text}'"
    if style < 0.8 and '"' not in text:
        return f'"{text}"'
    return text if WORD.fullmatch(text) else f"`{text}`"


def worded(rng: random.Random, templates: Sequence[str], **parts: str) -> str:
    template = rng.choice(templates)
    text = template.format(**parts)
    if template[0] != "{" and rng.random() < 0.5:
        text = text[0].upper() + text[1:]
    return text + rng.choice(("", "", "."))


def code(rng: random.Random, text: str) -> str:
    """Code whose own quotes must not be mistaken for the sentence's."""
    return text if rng.random() < 0.2 and " " not in text else f"`{text}`"


def rename(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    code = [_without_literals(line) for line in lines]
    counts: dict[str, int] = {}
    for line in code:
        for found in WORD.finditer(line):
            counts[found[0]] = counts.get(found[0], 0) + 1
    names = [
        n for n, c in counts.items() if n not in KEYWORDS and len(n) > 1 and (c > 1 or rng.random() < 0.3)
    ]
    if not names:
        return None
    old, new = rng.choice(names), _new_name(rng, donor)
    pattern = re.compile(rf"\b{old}\b")
    if new in counts or any(
        len(pattern.findall(a)) != len(pattern.findall(b)) for a, b in zip(lines, code, strict=True)
    ):
        return None
    instruction = worded(
        rng,
        (
            "rename {a} to {b}",
            "rename the variable {a} to {b}",
            "change the name {a} to {b}",
            "{a} should be called {b}",
            "rename {a} -> {b}",
            "use the name {b} instead of {a}",
            "call it {b} rather than {a}",
            "rename every use of {a} to {b}",
        ),
        a=quoted(rng, old),
        b=quoted(rng, new),
    )
    return instruction, _in_place(lines, {i: pattern.sub(new, line) for i, line in enumerate(lines)})


def delete_definition(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    found = [i for i, line in enumerate(lines) if SIGNATURE.match(line)]
    if not found:
        return None
    at = rng.choice(found)
    name = _matched(SIGNATURE, lines[at])[2]
    stop = at + len(definition_at(list(lines), at))
    start = at
    while start and lines[start - 1].lstrip().startswith("@"):
        start -= 1
    while stop < len(lines) and not lines[stop].strip():
        stop += 1
    if stop == len(lines):
        while start and not lines[start - 1].strip():
            start -= 1
    if stop - start == len(lines):
        return None
    instruction = worded(
        rng,
        (
            "delete the function {a}",
            "remove {a}",
            "delete {a}",
            "remove the function {a}",
            "drop the method {a}",
            "get rid of {a}",
            "{a} is no longer needed, remove it",
        ),
        a=quoted(rng, name + rng.choice(("", "", "()"))),
    )
    return instruction, Change(lines, (*kept(lines, 0, start), *kept(lines, stop)))


def delete_line(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    at = _unique_line(rng, lines)
    if at is None or len(lines) < 3:
        return None
    instruction = worded(
        rng,
        (
            "delete the line {a}",
            "remove {a}",
            "remove the line {a}",
            "drop {a}",
            "delete {a}",
            "take out the line {a}",
        ),
        a=quoted(rng, lines[at].strip()),
    )
    return instruction, Change(lines, (*kept(lines, 0, at), *kept(lines, at + 1)))


def insert_code(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    at = _unique_line(rng, lines)
    count = rng.choice((1, 1, 1, 2, 3))
    start = rng.randrange(max(1, len(donor) - count))
    block = [line for line in reindent(donor[start : start + count], "") if line.strip()]
    if at is None or not block or lines[at].rstrip().endswith((":", ",", "(", "[", "{", "\\")):
        return None
    before = rng.random() < 0.4
    place = at if before else at + 1
    templates = (
        (
            "before {a} add",
            "insert before the line {a}",
            "add this before {a}",
            "above {a} insert",
            "put before {a}",
        )
        if before
        else (
            "after {a} add",
            "insert after the line {a}",
            "add this after {a}",
            "below {a} insert",
            "put after {a}",
        )
    )
    head = worded(rng, templates, a=quoted(rng, lines[at].strip())).rstrip(".")
    instruction = f"{head}: `{block[0]}`" if len(block) == 1 else "\n".join([f"{head}:", *block])
    new = [Out(text) for text in reindent(block, lines[at][: indent_of(lines[at])])]
    return instruction, Change(lines, (*kept(lines, 0, place), *new, *kept(lines, place)))


def replace_expression(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    at = _unique_line(rng, lines)
    if at is None:
        return None
    choices = [
        *NUMBER.finditer(lines[at]),
        *STRING.finditer(lines[at]),
        *re.finditer(r"\w+\.\w+(?:\([^()]*\))?", lines[at]),
    ]
    if not choices:
        return None
    old = rng.choice(choices)[0]
    new = _similar_expression(rng, old, donor)
    pattern = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)")
    if new == old or sum(len(pattern.findall(line)) for line in lines) != 1:
        return None
    instruction = worded(
        rng,
        (
            "replace {a} with {b}",
            "change {a} to {b}",
            "use {b} instead of {a}",
            "{a} should be {b}",
            "replace {a} by {b}",
            "swap {a} for {b}",
            "set it to {b} where it says {a}",
        ),
        a=code(rng, old),
        b=code(rng, new),
    )
    return instruction, _in_place(
        lines, {i: pattern.sub(lambda _: new, line) for i, line in enumerate(lines)}
    )


def add_parameter(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    picked = _signature(rng, lines)
    if picked is None:
        return None
    at, name, params = picked
    new = _new_name(rng, donor)
    parameter = new + rng.choice(
        ("=" + rng.choice(VALUES), ": " + rng.choice(TYPE_CHOICES) + " = " + rng.choice(VALUES))
    )
    if "*" in params or re.search(rf"\b{new}\b", params):
        return None
    line = lines[at].replace(
        f"({params})", f"({params}, {parameter})" if params.strip() else f"({parameter})", 1
    )
    instruction = worded(
        rng,
        (
            "add a parameter {p} to {f}",
            "add the parameter {p} to {f}",
            "add an argument {p} to {f}",
            "{f} should take {p}",
            "give {f} a new parameter {p}",
            "let {f} accept {p}",
            "add {p} to the signature of {f}",
        ),
        p=f"`{parameter}`",
        f=quoted(rng, name),
    )
    return instruction, _in_place(lines, {at: line})


def add_import(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    at = next((i for i, line in enumerate(lines) if IMPORT.match(line)), None)
    if at is None:
        return None
    while at + 1 < len(lines) and IMPORT.match(lines[at + 1]):
        at += 1
    module = rng.choice(MODULES)
    new = rng.choice((f"import {module}", f"from {module} import {_new_name(rng, donor)}"))
    if new in lines:
        return None
    instruction = worded(
        rng,
        (
            "add {a}",
            "add the import {a}",
            "we need {a}",
            "insert {a} after the imports",
            "also {a}",
            "add the line {a} to the imports",
        ),
        a=f"`{new}`" if rng.random() < 0.7 else new,
    )
    return instruction, Change(lines, (*kept(lines, 0, at + 1), Out(new), *kept(lines, at + 1)))


def add_decorator(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    picked = _signature(rng, lines)
    if picked is None or (picked[0] and lines[picked[0] - 1].lstrip().startswith("@")):
        return None
    at, name, _ = picked
    decorator = "@" + (rng.choice(DECORATORS) if rng.random() < 0.6 else _new_name(rng, donor))
    instruction = worded(
        rng,
        (
            "add the decorator {d} to {f}",
            "decorate {f} with {d}",
            "add {d} to {f}",
            "put {d} on {f}",
            "{f} needs the decorator {d}",
        ),
        d=quoted(rng, decorator),
        f=quoted(rng, name),
    )
    new = Out(lines[at][: indent_of(lines[at])] + decorator)
    return instruction, Change(lines, (*kept(lines, 0, at), new, *kept(lines, at)))


def add_docstring(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    words = [w for line in donor for w in WORD.findall(line.lower()) if "_" not in w]
    sentence = " ".join(rng.choices(words, k=rng.randint(2, 7))).capitalize() + "." if words else ""

    def wording(name: str) -> str:
        return worded(
            rng,
            (
                'add the docstring "{s}" to {f}',
                'add a docstring to {f}: "{s}"',
                'document {f} with "{s}"',
                'give {f} the docstring "{s}"',
                'write "{s}" as the docstring of {f}',
            ),
            s=sentence,
            f=quoted(rng, name),
        )

    return _at_body(rng, lines, [f'"""{sentence}"""'], wording, fresh=True) if sentence else None


def add_default(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    picked = _signature(rng, lines)
    if picked is None or not picked[2].strip() or "*" in picked[2]:
        return None
    at, name, params = picked
    last = params.rsplit(",", 1)[-1].strip()
    found = re.fullmatch(r"(\w+)(\s*:\s*[\w.\[\]| ]+)?", last)
    if not found or found[1] in ("self", "cls"):
        return None
    value = rng.choice(VALUES)
    line = lines[at].replace(f"{last})", f"{last} = {value})" if found[2] else f"{last}={value})", 1)
    instruction = worded(
        rng,
        (
            "give {p} a default of {v} in {f}",
            "make {p} default to {v} in {f}",
            "set the default of {p} in {f} to {v}",
            "{p} of {f} should default to {v}",
            "add the default value {v} for {p} in {f}",
        ),
        p=quoted(rng, found[1]),
        v=code(rng, value),
        f=quoted(rng, name),
    )
    return instruction, _in_place(lines, {at: line})


def add_guard(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    name = _new_name(rng, lines)
    test = rng.choice(("{n} is None", "not {n}", "{n} < 0", "len({n}) == 0", "{n} == 0")).format(n=name)
    leave = rng.choice(
        ("return None", "return", "return False", "return []", "raise ValueError(" + repr(name) + ")")
    )

    def wording(function: str) -> str:
        return worded(
            rng,
            (
                "at the start of {f}, {r} if {t}",
                "add a guard to {f}: {r} if {t}",
                "{r} from {f} early if {t}",
                "in {f}, if {t} then {r}",
                "{f} should {r} when {t}",
            ),
            f=quoted(rng, function),
            r=f"`{leave}`",
            t=f"`{test}`",
        )

    return _at_body(rng, lines, [f"if {test}:", f"    {leave}"], wording, fresh=False)


def wrap_try(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    options = [i for i in _unique_lines(lines) if STATEMENT.match(lines[i]) and _balanced(lines[i])]
    if not options:
        return None
    at = rng.choice(options)
    error, leave = (
        rng.choice(ERRORS),
        rng.choice(("pass", "return None", "raise", "continue", "return False")),
    )
    instruction = worded(
        rng,
        (
            "wrap {a} in try/except {e} and {x}",
            "put {a} into a try block; on {e} {x}",
            "catch {e} around {a} and {x}",
            "surround {a} with try/except {e}: {x}",
            "on {e} in {a}, {x}",
        ),
        a=quoted(rng, lines[at].strip()),
        e=error,
        x=code(rng, leave),
    )
    indent = lines[at][: indent_of(lines[at])]
    new = [
        Out(indent + "try:"),
        Out("    " + lines[at], at),
        Out(indent + f"except {error}:"),
        Out(indent + "    " + leave),
    ]
    return instruction, Change(lines, (*kept(lines, 0, at), *new, *kept(lines, at + 1)))


def add_annotation(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    picked = _signature(rng, lines)
    if picked is None:
        return None
    at, name, params = picked
    bare = [
        p.strip() for p in params.split(",") if WORD.fullmatch(p.strip()) and p.strip() not in ("self", "cls")
    ]
    kind = rng.choice(TYPE_CHOICES)
    if bare and rng.random() < 0.6:
        parameter = rng.choice(bare)
        new_params = re.sub(
            rf"(^|,\s*){parameter}(?=\s*(,|$))", rf"\g<1>{parameter}: {kind}", params, count=1
        )
        line = lines[at].replace(f"({params})", f"({new_params})", 1)
        templates: tuple[str, ...] = (
            "annotate {p} of {f} as {t}",
            "add the type {t} to {p} in {f}",
            "{p} in {f} is a {t}, annotate it",
            "type {p} as {t} in {f}",
            "add the annotation {t} for the parameter {p} of {f}",
        )
    elif "->" not in lines[at]:
        parameter = ""
        line = lines[at].rstrip()[:-1] + f" -> {kind}:"
        templates = (
            "annotate the return type of {f} as {t}",
            "{f} returns {t}, annotate it",
            "add the return type {t} to {f}",
            "add the return annotation {t} to {f}",
        )
    else:
        return None
    instruction = worded(
        rng, templates, p=quoted(rng, parameter) if parameter else "", f=quoted(rng, name), t=code(rng, kind)
    )
    return instruction, _in_place(lines, {at: line})


def add_log(rng: random.Random, lines: Lines, donor: Lines) -> Made:
    words = [w for line in donor for w in WORD.findall(line.lower()) if "_" not in w] or ["start"]
    message = " ".join(rng.choices(words, k=rng.randint(1, 4)))
    call = (
        rng.choice(("logger.info", "logger.debug", "logging.info", "log.debug", "print", "logger.warning"))
        + f'("{message}")'
    )

    def wording(name: str) -> str:
        return worded(
            rng,
            (
                "add {c} at the start of {f}",
                "log at the start of {f} with {c}",
                "begin {f} with {c}",
                "{f} should first call {c}",
                "insert {c} as the first statement of {f}",
                "add the log line {c} to the top of {f}",
            ),
            c=f"`{call}`",
            f=quoted(rng, name),
        )

    return _at_body(rng, lines, [call], wording, fresh=False)


FAMILIES: dict[str, Family] = {
    "rename": rename,
    "delete_definition": delete_definition,
    "delete_line": delete_line,
    "insert_code": insert_code,
    "replace_expression": replace_expression,
    "add_parameter": add_parameter,
    "add_import": add_import,
    "add_decorator": add_decorator,
    "add_docstring": add_docstring,
    "add_default": add_default,
    "add_guard": add_guard,
    "wrap_try": wrap_try,
    "add_annotation": add_annotation,
    "add_log": add_log,
}


def _at_body(
    rng: random.Random, lines: Lines, block: list[str], wording: Callable[[str], str], *, fresh: bool
) -> Made:
    """Put a block at the head of a function's body, behind its docstring; `fresh` asks for one without a docstring."""
    picked = _signature(rng, lines)
    if picked is None or picked[0] + 1 >= len(lines):
        return None
    at, name, _ = picked
    place = at + 1
    quote = re.match(r"\s*[rRbBuU]?(\"\"\"|''')", lines[place])
    if quote and fresh:
        return None
    if quote:
        close = place if lines[place].count(quote[1]) > 1 else None
        close = (
            close
            if close is not None
            else next((i for i in range(place + 1, len(lines)) if quote[1] in lines[i]), None)
        )
        if close is None:
            return None
        place = close + 1
    if place >= len(lines) or not lines[place].strip():
        return None
    indent = lines[place][: indent_of(lines[place])]
    if len(indent) <= indent_of(lines[at]):
        return None
    new = [Out(indent + text) for text in block]
    return wording(name), Change(lines, (*kept(lines, 0, place), *new, *kept(lines, place)))


def _in_place(lines: Lines, new: dict[int, str]) -> Change:
    answer = [Out(new.get(i, line), i, new.get(i, line) == line) for i, line in enumerate(lines)]
    return Change(lines, tuple(answer))


def _signature(rng: random.Random, lines: Lines) -> tuple[int, str, str] | None:
    """Line, name and parameters of a definition whose signature stands on one line and whose name is unique here."""
    found = [(i, m[2], m[3]) for i, line in enumerate(lines) if (m := SIGNATURE.match(line))]
    names = [name for _, name, _ in found]
    found = [item for item in found if names.count(item[1]) == 1]
    return rng.choice(found) if found else None


def _unique_lines(lines: Lines) -> list[int]:
    stripped = [line.strip() for line in lines]
    return [i for i, text in enumerate(stripped) if len(text) > 3 and stripped.count(text) == 1]


def _unique_line(rng: random.Random, lines: Lines) -> int | None:
    options = _unique_lines(lines)
    return rng.choice(options) if options else None


def _new_name(rng: random.Random, donor: Lines) -> str:
    names = [n for line in donor for n in WORD.findall(line) if n not in KEYWORDS and len(n) > 2]
    name = rng.choice(names) if names else "value"
    return (
        name
        if rng.random() < 0.7
        else f"{name}_{rng.choice(('new', 'path', 'count', 'id', 'map', 'size', 'x'))}"
    )


def _similar_expression(rng: random.Random, old: str, donor: Lines) -> str:
    if old.isdigit():
        return str(rng.choice((0, 1, 2, 3, 8, 30, 100, rng.randint(0, 9999))))
    if old[0] in "\"'":
        return old[0] + _new_name(rng, donor) + old[0]
    return rng.choice(
        (
            _new_name(rng, donor),
            f"{_new_name(rng, donor)}.{_new_name(rng, donor)}",
            f"{_new_name(rng, donor)}({old})",
        )
    )


def _balanced(line: str) -> bool:
    return all(line.count(a) == line.count(b) for a, b in ("()", "[]", "{}")) and line.count('"') % 2 == 0


def _without_literals(line: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'|#.*|//.*|\"\"\".*", "", line)


def _matched(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    found = pattern.match(line)
    assert found is not None
    return found
