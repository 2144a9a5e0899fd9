"""``decorate load with `@cache` ``, ``add the docstring "..." to load``: lines above a definition or first in it."""

from __future__ import annotations

import re

from fastedit.edit.codemod.names import Role, still_used
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.definitions import Definition
from fastedit.edit.hunks import Hunk
from fastedit.edit.outline import indentation

_TO = "{the}{item}"
_DECORATED = Sentences(
    f"[add|put] {{the}}[decorator |annotation |]{{new:code}} [to|on|above|before] {_TO}",
    f"[decorate|mark] {_TO} with {{the}}{{new:code}}",
    f"{_TO} [needs|should have] {{the}}[decorator|annotation] {{new:code}}",
    f"{_TO} should be decorated with {{the}}{{new:code}}",
    f"[use|apply] {{the}}[decorator |]{{new:code}} [on|to] {_TO}",
)
_WORDS = {
    "property": "@property",
    "staticmethod": "@staticmethod",
    "static method": "@staticmethod",
    "static": "@staticmethod",
    "classmethod": "@classmethod",
    "class method": "@classmethod",
}
_BECOMES = f"{{word={'|'.join(_WORDS)}}}"
_TURNED = Sentences(
    f"[turn|change|convert] {{item}} [into|to] [a|the|] {_BECOMES}",
    f"make {{item}} [a|] {_BECOMES}",
    f"{{item}} should be [a|] {_BECOMES}",
)
_UNDECORATED = Sentences(
    f"[remove|delete|drop|strip] {{the}}[decorator|annotation] {{old:code}} [from|of|on] {_TO}",
    f"[remove|delete|drop|strip] {{the}}{{old:code}} [decorator|annotation] [from|of|on] {_TO}",
    f"[remove|delete|drop|strip] {{old:code}} [from|off] {_TO}",
    f"take {{old:code}} off {_TO}",
    f"get rid of {{old:code}} on {_TO}",
    f"{_TO} [should|must] not [be decorated with|be marked with|have] {{old:code}}",
)
_DOCUMENTED = Sentences(
    f"add {{the}}docstring {{doc:code}} to {_TO}",
    f"document {_TO} [with|as|by][:|] {{doc:code}}",
    f"give {_TO} {{the}}docstring {{doc:code}}",
    f"add {{the}}docstring to {_TO}: {{doc:code}}",
    f"write {{doc:code}} as the docstring of {_TO}",
    f"{_TO} [needs|should have] {{the}}docstring {{doc:code}}",
)

_FIRST_PARAMETER = {"@staticmethod": r"(?!self\b|cls\b)", "@classmethod": r"cls\b", "@property": r"self\s*\)"}


def head(text: str, source: Source) -> Codemod | None:
    """None where the sentence is about no decorator or docstring, or about more than one definition."""
    for told in _DECORATED.read(text):
        new, item = told["new"], source.only(told["item"])
        if item is not None and source.language in ("python", "java") and re.match(r"@?[A-Za-z_]", new):
            if not new.startswith("@") and "decorat" not in text.lower() and "annotat" not in text.lower():
                continue
            return decorated(source, item, "@" + new.removeprefix("@"))
    for told in _TURNED.read(text):
        item = source.only(told["item"])
        if item is not None and source.language == "python" and len(item.path) > 1:
            word = told["word"].lower().replace("function", "method")
            return decorated(source, item, _WORDS[word])
    for told in _UNDECORATED.read(text):
        item = source.only(told["item"])
        if item is not None and (found := decorators(source, item, told["old"])):
            return Codemod((Hunk(found[0], found[0] + 1, ()),)) if len(found) == 1 else None
    for told in _DOCUMENTED.read(text):
        item = source.only(told["item"])
        if item is not None and source.language == "python" and "doc" in told.quoted:
            return documented(source, item, told["doc"])
    return None


def decorated(source: Source, item: Definition, new: str) -> Codemod | None:
    above = [source.lines[n].strip() for n in range(item.start, item.header)]
    if new in above:
        return None
    reasons = []
    if any(t.startswith("@") for t in above):
        reasons.append("it has another decorator, and the order may matter")
    wanted = _FIRST_PARAMETER.get(new)
    if wanted is not None and not re.search(rf"\(\s*{wanted}", source.lines[item.header]):
        reasons.append(f"its first parameter is none for {new}")
    if new == "@property" and source.syntax is not None:
        reasons += still_used(source.syntax, item.name, range(item.start, item.stop), Role.MEMBER)
    put = indentation(source.lines[item.header]) + new
    return Codemod((Hunk(item.header, item.header, (put,)),), tuple(reasons))


def decorators(source: Source, item: Definition, text: str) -> list[int]:
    wanted = "@" + text.removeprefix("@")
    lines = {n: source.lines[n].strip() for n in range(item.start, item.header)}
    whole = [n for n, line in lines.items() if line == wanted]
    return whole or [n for n, line in lines.items() if re.match(re.escape(wanted) + r"\(.*\)\Z", line)]


def documented(source: Source, item: Definition, doc: str) -> Codemod | None:
    first = next((n for n in range(item.body, item.stop) if source.lines[n].strip()), None)
    if first is None or re.match(r"[rRuUbB]{0,2}[\"']", source.lines[first].strip()) or first == item.header:
        return None
    text = doc.strip().strip("\"'").strip()
    if "\n" in text or '"""' in text:
        return None
    reasons = ("a quotation mark would end the docstring",) if text.endswith(('"', "\\")) else ()
    return Codemod(
        (Hunk(item.body, item.body, (f'{indentation(source.lines[first])}"""{text}"""',)),), reasons
    )
