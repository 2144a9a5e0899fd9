"""What tells bindings and scopes apart in a grammar, as kinds of nodes and the fields that a name fills in them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

KindFields = frozenset[tuple[str, str | None]]
TAGS = -1  # the key of the scope that tags are in


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ScopeKinds:
    """Kinds of nodes, and pairs of a kind and the field that a name fills in it.

    `rules`: scopes are blocks, or functions alone, with what Python has beside this table. `functions` open a scope for
    all but what fills an `outside` field, though parameters are in it; `blocks` and `classes` do too, and none of them
    for what stands `apart`. `outer` statements say that a name is bound further out. `binders` bind the name, or the
    pattern around it; `patterns` are looked through on the way there, except by the `used` fields. `hoisted` is what
    binds in the function and not in the block. `members` follow a dot or stand in a literal of their type, `declares`
    makes one in a class, `methods` tell one from a field of its name, `labels` are no names of variables, `foreign`
    mean something in another file, as all does in `foreign_statements`, `unsure` is not followed. In a function a
    binding is seen from its `statements` on. `tags` have a name space of their own. What is of a kind of `types` means
    a type alone, which `typing` bind; what `shapes` bind, no other means. In `computed`, pairs of two kinds, what names
    a member is looked up itself. In a literal of `made` an assignment is to a member. `bare`: a member is named without
    its object too. `embeds`: a field without a name has that of its type. `shapes` are types that what has their
    members is of without saying so. `paths`: names stand in `use`, in paths and among the tokens of macros. In `dotted`
    a name behind a dot is a member. In `arguments` a name before `=` is a parameter's. `sigil` stands before a name
    within a string. What is of a kind of `leaves` is a name, whatever it is made of. A scope of `opaque` sees nothing
    of what is around it. `by_text` finds what makes a name of a text.
    """

    rules: Literal["blocks", "functions"] = "blocks"
    functions: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    binders: KindFields = frozenset()
    patterns: frozenset[str] = frozenset()
    members: KindFields = frozenset()
    methods: KindFields = frozenset()
    labels: KindFields = frozenset()
    used: frozenset[str] = frozenset()
    hoisted: frozenset[str] = frozenset()
    declares: KindFields = frozenset()
    foreign: KindFields = frozenset()
    foreign_statements: frozenset[str] = frozenset()
    unsure: KindFields = frozenset()
    outside: frozenset[str] = frozenset({"name"})
    apart: KindFields = frozenset()
    outer: frozenset[str] = frozenset()
    statements: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    typing: frozenset[str] = frozenset()
    computed: KindFields = frozenset()
    made: frozenset[str] = frozenset()
    bare: bool = False
    embeds: bool = False
    shapes: frozenset[str] = frozenset()
    paths: bool = False
    dotted: frozenset[str] = frozenset()
    arguments: frozenset[str] = frozenset()
    sigil: bytes = b""
    leaves: frozenset[str] = frozenset()
    opaque: frozenset[str] = frozenset()
    by_text: re.Pattern[bytes] | None = None
    opening: frozenset[str] = field(init=False)  # all kinds that may open a scope

    def __post_init__(self) -> None:
        object.__setattr__(self, "opening", self.functions | self.classes | self.blocks)

    @property
    def point(self) -> bool:
        """Whether a binding is seen from a place on, not in its whole scope."""
        return bool(self.statements)


def kinds(names: str) -> frozenset[str]:
    """Kinds of nodes, from their names in one string."""
    return frozenset(names.split())


def pairs(names: str, field: str | None) -> KindFields:
    """Kinds of nodes, each with the field that the name fills in it."""
    return frozenset((kind, field) for kind in names.split())
