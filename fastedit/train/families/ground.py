"""What a file has that an instruction can speak of: names, keys and pieces of code."""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from fastedit.source.definitions import Definition, definitions
from fastedit.source.document import Document
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.syntax import parse
from fastedit.train.changes.change import KEYWORDS

_WORD = re.compile(r"[^\W\d][\w$]*(?:-[\w$]+)*")
_KEY = re.compile(
    r"[\s{,]*(?:-\s+)?(?:(?:const|let|var|export|final|static|set)\s+)*[\"']?([\w$.-]+)[\"']?\s*(?::[^=:]*)?[:=](?!=)"
)
_IMPORTS = re.compile(
    r"^(?:from (?P<p>[\w.]+) import|import (?P<q>[\w.]+)$|.*\bfrom ['\"](?P<s>[^'\"]+)['\"]"
    r"|.*\brequire\(['\"](?P<r>[^'\"]+)"
    r"|import (?P<j>[\w.]+);|use (?P<u>[\w:]+)|#include (?P<c>\S+)|\s+\"(?P<g>[\w./]+)\"$)",
    re.M,
)
_ANNOTATIONS = re.compile(r"(?:\w: |-> )([A-Z\w][\w.]*(?:\[[^\]=()]*\])?)(?=[,):=]| =)")
_DEFAULTS = re.compile(
    r"\w ?= ?((?:-?\d[\w.]*|True|False|None|\"[^\"\n]*\"|'[^'\n]*'|\[\]|\{\}|\(\)))(?=[,)\n;])"
)
_PARAMETER = re.compile(r"(?<=[(,])\s*(?:[\w<>\[\]]+[\s*&]+)?((?!self\b|cls\b)[^\W\d]\w*)\s*(?=[:=,)])")
_DECORATORS = re.compile(r"^\s*@([\w.]+(?:\([^()\n]{0,30}\))?)$", re.M)
_STATEMENTS = re.compile(r"^\s+((?:[\w.]+\([^\n]{0,40}\)|[\w.]+ = [^\n]{1,30}|return [^\n]{1,30});?)$", re.M)
_PIECES = re.compile(
    r"\w[\w.]*\([^()\n]*\)|\"[^\"\n]+\"|'[^'\n]+'|\b\d[\w.]*"
    r"|\w[\w.]* [=!<>+-]=? [\w.\"']+|[\w.]+\[[^\[\]\n]+\]|\w+\.\w+"
)
_PROSE = re.compile(r"^\s*(?:#|//|\*)\s+([A-Za-z][\w',/-]*(?: [\w',/()`.-]+){2,12})\.?$", re.M)
_HEAD = re.compile(
    r"^(?P<depth>\s*)(?:- )?(?:\[+(?P<section>[\w.\"-]+)\]+$"
    r"|(?P<key>[\"']?[A-Za-z_-][\w.-]*[\"']?)\s*[:=]\s*(?P<value>[^\s{\[][^\n]*)?|(?P<rule>[^\s{}@/][^{}\n]*?)\s*\{$)"
)


class Entry(NamedTuple):
    parent: str
    key: str
    value: str


class Ground:
    """One file, ready to be spoken of. A name may be several things."""

    def __init__(self, document: Document) -> None:
        self.document, self.text, self.lines = document, document.text, document.lines
        self.language = notation_in(document)

    @cached_property
    def functions(self) -> list[str]:
        return sorted(self._functions)

    @cached_property
    def types(self) -> list[str]:
        return sorted({d.name for d in self._definitions} - self._functions)

    @cached_property
    def definitions(self) -> list[str]:
        return sorted({d.name for d in self._definitions})

    @cached_property
    def heads(self) -> dict[str, frozenset[str]]:
        """By function, the words of its signature after its name: parameters and their types."""
        found: dict[str, frozenset[str]] = {}
        for item in self._definitions:
            if item.name in self._functions:
                head = " ".join(self.lines[item.header : item.body]).partition(item.name)[2]
                found[item.name] = found.get(item.name, frozenset()) | frozenset(_WORD.findall(head))
        return found

    @cached_property
    def in_heads(self) -> frozenset[str]:
        return frozenset().union(*self.heads.values())

    def parameters(self, function: str) -> list[str]:
        """What stands between a function's brackets and commas, as far as it looks like parameters."""
        name = re.escape(function.split(".")[-1])
        head = re.search(rf"\b{name}\([^()]*\)", self.text)
        return _PARAMETER.findall(head[0]) if head else []

    @cached_property
    def keys(self) -> frozenset[str]:
        """What is assigned, and the keys of data."""
        return frozenset(found[1] for line in self.lines if (found := _KEY.match(line)))

    @cached_property
    def spoken(self) -> list[str]:
        """The names that somebody might want changed."""
        found = self.in_heads.union(self.definitions, self.keys)
        return sorted(
            name for name in found if len(name) > 1 and name not in KEYWORDS and not name.startswith("__")
        )

    @cached_property
    def values(self) -> list[str]:
        """What is given a value somewhere."""
        return sorted(
            key.removeprefix("self.").removeprefix("this.") for key in self.keys if key not in KEYWORDS
        )

    @cached_property
    def pieces(self) -> list[str]:
        """Pieces of code that stand there."""
        return [piece for line in self.lines for piece in _PIECES.findall(line) if 1 < len(piece) < 40]

    @cached_property
    def modules(self) -> list[str]:
        return [next(filter(None, found.groups()), "") for found in _IMPORTS.finditer(self.text)]

    @cached_property
    def entries(self) -> list[Entry]:
        """The keys of data with their values and what they stand in."""
        found, above = list[Entry](), list[tuple[int, str]]()
        for line in self.lines:
            if not (head := _HEAD.match(line)):
                continue
            depth, name = (
                len(head["depth"]),
                (head["section"] or head["key"] or head["rule"] or "").strip("\"' "),
            )
            above = [(d, n) for d, n in above if d < depth and not head["section"]]
            parent = above[-1][1] if above else ""
            if head["section"] or not head["value"]:
                above.append((depth if not head["section"] else -1, name))
            if head["value"]:
                found.append(Entry(parent, name, head["value"].rstrip(",;").strip("\"'")))
        return found

    @cached_property
    def prose(self) -> list[str]:
        """What comments say."""
        return [said for said in _PROSE.findall(self.text) if not re.search(r"[=;{}<>|]", said)]

    @cached_property
    def statements(self) -> list[str]:
        return _STATEMENTS.findall(self.text)

    @cached_property
    def annotations(self) -> list[str]:
        return _ANNOTATIONS.findall(self.text) if named(self.language).signatures else []

    @cached_property
    def defaults(self) -> list[str]:
        return _DEFAULTS.findall(self.text) if named(self.language).signatures else []

    @cached_property
    def decorators(self) -> list[str]:
        return _DECORATORS.findall(self.text) if named(self.language).signatures else []

    @cached_property
    def _functions(self) -> frozenset[str]:
        return frozenset(d.name for d in self._definitions if d.kind in ("function", "method", "macro"))

    @cached_property
    def _definitions(self) -> tuple[Definition, ...]:
        syntax = parse(self.lines, self.language)
        return definitions(syntax) if syntax is not None else ()
