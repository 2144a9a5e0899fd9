"""Private fields: what no other file can name, extend or overload, in languages where it could anything else."""

from __future__ import annotations

import re

from fastedit.ops.names.members import Owned, members_of
from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Role, Site

_PRIVATE = re.compile(r"\bprivate\b(?!\s*\()")
_TEXTS = (Role.STRING, Role.COMMENT)
# A name in these may be a member of what they are run on.
_RUN_ON = ("lambda_literal", "anonymous_function")
_RECEIVING = ("function_declaration", "property_declaration")  # with a type and a dot before their name
# Name members of any type.
_OF_OTHERS = ("with_expression", "property_pattern_clause", "positional_pattern_clause")


def is_private_field(source: Source, symbol: Symbol) -> bool:
    """Whether a symbol is a field that its class alone can name, and all places of its name are known to mean it or
    another thing."""
    bound = [site for site in symbol.sites if site.binds]
    language = source.language
    # Where a variable has a sign of its own, it is named without that behind a dot.
    if symbol.scope.kind != "class" or len(bound) != 1 or language.sigil or not _is_hidden(source, bound[0]):
        return False
    members, known = members_of(source, symbol.name), {site.start for site in symbol.sites}
    owner = members.owner(symbol)
    for site in source.names(symbol.name).sites:
        if site.start in known:
            seen = site.binds or _is_plain(source, site, symbol)
        elif site.role is Role.NAME:
            seen = source.names(symbol.name).home(site) is not None
        elif site.role is Role.MEMBER:
            seen = members.owned(site, owner) is Owned.OTHER
        else:
            seen = site.role in _TEXTS
        if not seen:
            return False
    return True


def _is_hidden(source: Source, bound: Site) -> bool:
    """Whether a place declares a private field of a class that stands in this file with all its parts, which is not
    made or written by the names of its fields."""
    declaration = bound.around("field_declaration", "property_declaration")
    holder = bound.around(*source.language.scopes.classes)
    name = None if holder is None else holder.child_by_field_name("name")
    if declaration is None or holder is None or name is None or declaration.start_byte < holder.start_byte:
        return False
    head = source.data[declaration.start_byte : bound.start].decode()
    around = source.data[holder.start_byte : name.start_byte].decode()
    children = [declaration, *(child for child in declaration.named_children if child.type == "modifiers")]
    said = (part for child in children for part in child.named_children)
    told = any(part.type in source.language.annotations for part in said)
    derives = any(child.type == "inheritance_specifier" for child in holder.named_children)
    hidden = _PRIVATE.search(head) is not None and "protected" not in head
    return hidden and not told and not derives and not re.search(r"\b(?:partial|extension)\b", around)


def _is_plain(source: Source, site: Site, symbol: Symbol) -> bool:
    """Whether a name, or the `this` before it, is looked up in the class itself and in nothing else before."""
    keys = [scope.key for scope in site.scopes]
    inner = site.scopes[keys.index(symbol.scope.key) + 1 :] if symbol.scope.key in keys else ()
    if any(scope.kind == "class" for scope in inner) or site.around(*_OF_OTHERS) is not None:
        return False
    for step in site.steps if source.language.extensions else ():
        received = step.kind in _RECEIVING and any(child.type == "." for child in step.node.children)
        if step.node.start_byte > symbol.scope.start and (step.kind in _RUN_ON or received):
            return False
    return True
