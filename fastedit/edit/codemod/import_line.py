"""`add import os`, `remove the import of json`."""

from __future__ import annotations

import re

from fastedit.edit.codemod.names import Role, still_used
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.imports import Import, imports
from fastedit.edit.instruction import IMPORT_LINE

_ADDED = Sentences(
    ""
    "[add|insert|put|include|append] {the}[import |import line |]{new:code}[ to the imports| among the imports"
    ""
    "| after the imports| behind the imports| below the imports| at the top| at the top of the file|]",
    "[we need|it needs] {the}{new:code}",
    "{the}{new:code} is [missing|needed][, add it|]",
    "the imports should include {new:code}",
)
_SPELLED = Sentences("[add an import of|add an import for|add the import of|import] {name} from {module}")
# What "as" leads to where it gives no name: "import logging as well".
ADVERBS = (
    "well|usual|usually|always|before|discussed|agreed|asked|requested|said|mentioned|suggested|planned|needed|required"
    "|necessary|soon|such|is|it|we|i|you|a|an|the|in|if|for|with"
)
_PLAIN = re.compile(
    r"(?:please\s+)?(?:add|insert|put|append|we\s+need)?\s*(?:an?\s+|the\s+)?(?:import\s+)??(?P<new>import\s+[A-Za-z_]\w*(?:\.\w+)*"
    rf"(?:\s+as\s+(?!(?:{ADVERBS})\b)\w+)?"
    r"|from\s+[\w.]+\s+import\s+\w+)(?:\s+(?:to|at|among|after|below|behind)\s+the\s+(?:other\s+)?(?:imports|top(?:\s+of\s+the\s+file)?)|\s+too|\s+as\s+well|\s+also)?[.!]?\s*\Z",
    re.IGNORECASE,
)
_ADD = r"\s*(?:please\s+)?(?:add|insert|put|we\s+need)\s+(?:an?\s+|the\s+)?(?:import\s+(?=import\b))?"
_ECMA = (
    r"import\s+(?:[\w$*{}, ]+\s+from\s+)?(?P<q>['\"])[^'\"\s]+(?P=q);?"
    r"|(?:const|let|var)\s+[\w$]+\s*=\s*require\(['\"][^'\"\s]+['\"]\);?"
)
_TOO = "[ too| as well| also|]"
_PACKAGE = Sentences(
    f"import {{the}}{{name:code}}[ package|]{_TOO}",
    f"[add|insert] {{the}}import [of|for|] {{name:code}}{_TOO}",
    f"[add|insert] {{the}}{{name:code}} [import|to the imports|to imports]{_TOO}",
)
_USE = re.compile(
    r"(?:please )?(?:add|import|use)(?: an?| the)?(?: use)? (?P<path>[a-z_]\w*(?:::\w+)+);?"
    r"(?: (?:too|as well|also|please))?[.!]?"
)
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
_SCRIPTS = ("javascript", "typescript", "tsx")
_IN_OTHERS = dict.fromkeys(_SCRIPTS, _ECMA) | {
    "rust": r"use\s+[\w:{}, *]+;",
    "java": r"import\s+(?:static\s+)?[\w.*]+;",
    "c": r"#include\s+[<\"][\w./]+[>\"]",
    "cpp": r"#include\s+[<\"][\w./]+[>\"]",
}
_GOES = "[delete|remove|drop|get rid of|take out]"
_REMOVED = Sentences(
    f"{_GOES} {{the}}[import|imports|import of|import for|require|require of|require for] {{gone}}",
    f"{_GOES} {{the}}{{gone}} [import|require|from the imports]",
    "{the}import of {gone} is [not|no longer] [used|needed], [remove|delete|drop] it",
    """{the}import of {gone} is [superfluous|unused|unnecessary|redundant|obsolete][,|;|:|]
        [remove|delete|drop] it""",
    "take {the}import of {gone} out",
    """{gone} is [not|no longer] [used|needed][ any more| anymore|][,|;|:|] [remove|delete|drop] [its|the|that|this]
        [import|require]""",
    "do not import {gone}[ any more| anymore|]",
)


def import_line(text: str, source: Source) -> Codemod | None:
    """None where the sentence is about no import, or the file has none next to which it could go."""
    if source.syntax is None:
        return None
    found = [i for i in imports(source.syntax) if source.holds(i.start, i.stop)]
    for told in _REMOVED.read(text):
        alike = [i for i in found if told["gone"] in i.names]
        if len(alike) == 1:
            return removed_import(source, alike[0])
        if not alike and (made := _unrequired(source, told["gone"])) is not None:
            return made
    if source.language == "go":
        return _imported_package(text, source, found)
    new = _new(text, source)
    in_order = source.language == "rust" and _USE.fullmatch(text.strip()) is not None  # no place is asked for
    return None if new is None else added_import(source, found, new, in_order=in_order)


def _sorted_place(source: Source, run: list[Import], new: str) -> int:
    """Where rustfmt would put it among lines that stand in order, else behind them."""
    lines = [source.lines[item.start] for item in run]
    if lines != sorted(lines):
        return run[-1].stop
    return next((item.start for item in run if source.lines[item.start] > new), run[-1].stop)


def _new(text: str, source: Source) -> str | None:
    """The import that is asked for."""
    bare = _PLAIN.match(text.strip())
    if bare is not None and source.language == "python":
        return bare["new"]
    for told in _ADDED.read(text):
        if "new" in told.quoted and IMPORT_LINE.match(told["new"]) and "\n" not in told["new"]:
            return told["new"].strip()
    if source.language == "rust" and (used := _USE.fullmatch(text.strip())):
        return f"use {used['path']};"
    pattern = _IN_OTHERS.get(source.language)
    if pattern and (found := re.match(_ADD + rf"(?P<new>{pattern})[.!]?\s*\Z", text, re.IGNORECASE)):
        return found["new"]
    for told in _SPELLED.read(text):
        if source.language == "python":
            return f"from {told['module']} import {told['name']}"
    return None


def added_import(source: Source, found: list[Import], new: str, *, in_order: bool = False) -> Codemod | None:
    """Behind the first imports of the file that stand together, or among them."""
    first = [i for i in found if not source.lines[i.start][:1].isspace()]
    # Imports from __future__ come first, often alone.
    rest = [i for i in first if not source.lines[i.start].startswith("from __future__")]
    first = rest or first
    run = first[:1]
    for item in first[1:]:
        if item.start != run[-1].stop:
            break
        run.append(item)
    if not run or any(line.strip().rstrip(";") == new.rstrip(";") for line in source.lines):
        return None
    reasons = []
    future = source.lines[run[-1].start].startswith("from __future__")
    if future or new.startswith("from __future__"):
        reasons.append("imports from __future__ come first")
    at = _sorted_place(source, run, new) if in_order else run[-1].stop
    ended = ";" if source.lines[at - 1].rstrip().endswith(";") and not new.endswith(";") else ""
    return Codemod((Hunk(at, at, (new + ended,)),), tuple(reasons))


def _imported_package(text: str, source: Source, found: list[Import]) -> Codemod | None:
    """Go's import in the order of the block that its imports stand in; None where they stand in several groups."""
    blocks = [n for n, line in enumerate(source.lines) if line.rstrip() == "import ("]
    rows = [item.start for item in found]
    if len(blocks) != 1 or not rows or rows != list(range(blocks[0] + 1, rows[-1] + 1)):
        return None
    paths = {row: match[1] for row in rows if (match := re.search(r'"([^"]+)"', source.lines[row]))}
    for told in _PACKAGE.read(text):
        new = told["name"].strip("\"'")
        if not _PATH.fullmatch(new) or new in paths.values() or "." in new.partition("/")[0]:
            return None
        at = next((row for row in rows if paths.get(row, "") > new), rows[-1] + 1)
        return Codemod((Hunk(at, at, (f'\t"{new}"',)),))
    return None


def removed_import(source: Source, gone: Import) -> Codemod | None:
    if len(gone.names) > 1 or gone.stop - gone.start > 1:
        return None
    return Codemod((Hunk(gone.start, gone.stop, ()),), tuple(import_users(source, gone)))


def _unrequired(source: Source, name: str) -> Codemod | None:
    """The one line that requires what a script calls by this name goes."""
    line = re.compile(rf"(?:const|let|var) {re.escape(name)} = require\([^()]*\);?\s*")
    rows = [n for n in range(source.scope.start, source.scope.stop) if line.fullmatch(source.lines[n])]
    if source.syntax is None or source.language not in _SCRIPTS or len(rows) != 1:
        return None
    reasons = still_used(source.syntax, name, range(rows[0], rows[0] + 1), Role.USE)
    return Codemod((Hunk(rows[0], rows[0] + 1, ()),), tuple(reasons))


def import_users(source: Source, gone: Import) -> list[str]:
    """Where the code still needs what the import brings in; an include does not tell what it does."""
    assert source.syntax is not None
    if source.language in ("c", "cpp"):
        return []
    names = {re.split(r"\W", name)[0] for name in gone.names}
    rows = range(gone.start, gone.stop)
    return [r for name in sorted(names) for r in still_used(source.syntax, name, rows, Role.USE)]
