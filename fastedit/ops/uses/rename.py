"""Renames one binding wherever its scope reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal

from tree_sitter import Node

from fastedit.errors import OperationRefused
from fastedit.ops.base import Candidate, Operation, Outcome, option
from fastedit.ops.names.classes import object_of
from fastedit.ops.names.meanings import may_bind
from fastedit.ops.names.members import Owned, is_field, members_of, relative_to
from fastedit.ops.names.private import is_private_field
from fastedit.ops.names.references import injected, injecting
from fastedit.ops.names.resolve import parse_target, place, resolve_symbol
from fastedit.ops.source import ByteEdit, Source
from fastedit.ops.uses.calls import Keywords
from fastedit.source.languages.base import Language
from fastedit.source.names.names import Symbol, sees
from fastedit.source.names.site import Role, Site
from fastedit.source.syntax import Syntax

_NAME = re.compile(r"(?:[^\W\d]|\$)[\w$]*")
# How a name and what it has elsewhere are written, {0} for the old name and {1} for the new.
_TWICE = {
    "aliased_import": ("{1} as {0}",),
    "import_specifier": ("{1} as {0}",),
    "export_specifier": ("{0} as {1}",),
    "use_as_clause": ("{1} as {0}",),
    "pair": ("{1}: {0}",),
    "pair_pattern": ("{1}: {0}", "{0}: {1}"),
    "field_initializer": ("{1}: {0}", "{0}: {1}"),
    "field_pattern": ("{1}: {0}", "{0}: {1}"),
}
_MODULES = ("mod_item", "internal_module")


class Rename(Operation, needs="has_scopes", example="settings.py load read", brings_code=False):
    """Rename a function, class, method, variable, parameter or attribute and every place that means it."""

    target: str = option(
        "what to rename: load, Store.load, Store.load.path; add @LINE to choose among several"
    )
    new: str = option("the new name")
    attributes: Literal["known", "all"] = option(
        "what to rename after a dot: what is known to be meant, or all that may be, overrides included",
        "known",
    )
    strings: bool = option("rename the word in strings too, where the binding is seen", False)
    comments: bool = option("rename the word in comments too, where the binding is seen", False)

    def carry_out(self, source: Source) -> Outcome:
        symbol = resolve_symbol(source, self.target)
        if self.new.startswith("#") and symbol.binding.steps[-1].kind.startswith("private"):
            return replace(self, new=self.new[1:]).carry_out(source)
        self._check(source, symbol)
        return _Renaming(self, source, symbol).outcome()

    def _check(self, source: Source, symbol: Symbol) -> None:
        """Raises OperationRefused for what cannot have another name."""
        if symbol.name == self.new:
            raise source.refused(f"`{self.new}` is its name already; give another")
        if _is_special(source, symbol):
            raise source.refused(f"`{symbol.name}` has a meaning of its own to the language; it stays")
        if symbol.scope.kind == "class" and not symbol.scope.names:
            raise source.refused(f"`{symbol.name}` is of a class without a name; rename it by hand")


def _is_special(source: Source, symbol: Symbol) -> bool:
    """Whether the language looks the name up, as it does what a program begins with."""
    special, steps = source.language.special, symbol.binding.steps
    called = len(steps) > 1 and steps[-2].node.child_by_field_name("parameters") is not None
    mark = {"file": "", "class": "."}.get(symbol.scope.kind, ":")
    said = f"{mark}{symbol.name}{'()' if called else ''}"
    return special is not None and special.fullmatch(said) is not None


class RenameImported(Rename, needs="has_scopes", example="app.py load read", brings_code=False):
    """Rename a name that the file imports, whose file renames it too: the import says the new name alone."""


RenameImported.name = Rename.name  # what was asked for, and what errors call it


def check_name(source: Source, name: str) -> None:
    """Raises OperationRefused for what cannot be a name in this language."""
    language = source.language
    # A keyword may pass for a name where it could not stand otherwise, but not everywhere.
    reads_alike = str(_declared(language, name)) == str(_declared(language, language.name_of_variable))
    if not _NAME.fullmatch(name) or not reads_alike:
        way_out = "choose another" if name.startswith(language.sigil) else f"write `{language.sigil}{name}`"
        raise source.refused(f"`{name}` cannot be a name in {language.name}; {way_out}")


def _declared(language: Language, name: str) -> Node:
    return Syntax(language.declaration.format(name).split("\n"), language.name).root


class _Renaming:
    """One binding on its way to a new name."""

    def __init__(self, wanted: Rename, source: Source, symbol: Symbol) -> None:
        self.wanted = wanted
        self.source = source
        self.symbol = symbol
        self.old, self.new = symbol.name, wanted.new
        self.names = source.names(self.old)
        self.members = members_of(source, self.old)
        self.keywords = Keywords(source, symbol)
        self.member = symbol.scope.kind == "class" and symbol.binding.around("type_parameters") is None
        self.every = wanted.attributes == "all"
        self.left: list[Candidate] = []
        self.notes: list[str] = []

    def outcome(self) -> Outcome:
        meant = [*self._meant()]
        self._check_reach(meant)
        check_name(self.source, self.new)
        self._check_overloads()
        self._check_unsure()
        self._check_taken(meant)
        self._note_outside()
        edits = {self._edit(site) for site in meant}
        edits |= {ByteEdit(site.start, site.stop, self.new) for site in self._texts()}
        left = sorted(set(self.left), key=lambda candidate: candidate.line)
        return Outcome(self.source.hunks(edits), tuple(self.notes), tuple(left))

    def _note_outside(self) -> None:
        """Notes what other files may say by the old name."""
        binding = self.symbol.binding
        aliased = any(site.binds and site.template == "{old} as {new}" for site in self.symbol.sites)
        if aliased and not isinstance(self.wanted, RenameImported):
            problem = f"`{self.old}` keeps its name in the file that it comes from, and gets an alias here"
            self.notes.append(f"{problem}; `replace` with `every` writes `{self.new}` alone")
        exported = any(step.kind.startswith("export_") for step in binding.steps)
        if binding.parameter and self.source.language.signatures and self._is_passed_by_name():
            self.notes.append(f"calls in other files may pass `{self.old}` by name")
        elif (
            exported
            and not self.symbol.is_local
            and not (self.member and self.members.is_private(self.symbol))
        ):
            verb = "use" if self.member else "import"
            self.notes.append(f"`{self.old}` is exported; other files may {verb} it")

    def _is_passed_by_name(self) -> bool:
        """Whether calls of other files reach the function, and may name this parameter of it."""
        *_, outer, inner = (
            None,
            *(scope.kind for scope in self.symbol.binding.scopes if scope.kind != "types"),
        )
        function = self.symbol.binding.around("function_definition", "lambda")
        holder = function.child_by_field_name("parameters") if function is not None else None
        if outer == "function" or inner != "function" or holder is None or not self.symbol.is_named:
            return False
        at = self.symbol.binding.start
        after = [node.type for node in holder.named_children if node.start_byte > at]
        mine = next(node for node in holder.named_children if node.start_byte <= at < node.end_byte)
        is_self = outer == "class" and mine == holder.named_children[0]
        return not is_self and "positional_separator" not in after and "splat" not in mine.type

    def _meant(self) -> Iterator[Site]:
        yield from self.symbol.sites
        for site in self.names.sites:
            if site.role is Role.KEYWORD:
                sure = self.keywords.owned(site)
                if sure is Owned.SAME:
                    yield site
                elif sure is Owned.UNKNOWN:
                    self._leave(site, "a keyword of what may be another function")
        for call in self.keywords.calls.sure:
            if call.unpacks_keywords:
                self.left.append(place(self.source, call.row, f"may pass `{self.old}` by name"))
        known = {site.start for site in self.symbol.sites}
        for site in self.names.sites:
            used = site.role is not Role.UNSURE and site.around("use_declaration") is not None
            if used and site.start not in known and self._path(site):
                self._leave(site, "imports it from its module")
        for site in self.members.sites:
            if site.start not in known:
                owned = Owned.SAME if self._is_imported(site) else self._owned(site)
                if owned is Owned.SAME or (self.every and owned is Owned.UNKNOWN):
                    yield site
                elif owned is Owned.UNKNOWN and (self.member or self._path(site)):
                    self._leave(site, "an attribute of a value that may have another type")
        if self.member:
            yield from self._relatives()
        for site in injected(self.source, self.symbol):
            self._leave(site, "a parameter that may get it by its name")
        for site in injecting(self.source, self.symbol):
            self._leave(site, f"may give it what it is, by the name `{self.old}`")
        for name in self._mangled():
            for node in self.source.syntax.identifier_nodes(name):
                self.left.append(place(self.source, node.start_point.row, "its name outside of its class"))

    def _owned(self, site: Site) -> Owned:
        """Whether a member is the one that is renamed; to a function it surely is by the path of its module alone."""
        if self.member:
            return self.members.owned(site, self.members.owner(self.symbol))
        path, module = self._path(site), self._module
        if path is not None and module is not None:
            bound = self.source.bound(path)
            return Owned.SAME if [each.start for each in bound] == [module.start_byte] else Owned.UNKNOWN
        known = self.symbol.scope.kind != "file" or self.members.is_anothers(site)
        return Owned.OTHER if known else Owned.UNKNOWN

    def _is_imported(self, site: Site) -> bool:
        """Whether it is read from the module from which the file imports the name, whose file renames it."""
        value = object_of(site) if isinstance(self.wanted, RenameImported) else None
        alone = None if value is None else self._modules.get(self.source.text(value))
        if value is None or alone is None:
            return False
        root = value
        while root.children:
            root = root.children[0]
        imported = self.source.language.import_kinds if alone else ()  # those of functions bind it too
        bound = self.source.bound(root)
        return all(each.scope.kind == "file" or each.around(*imported) is not None for each in bound)

    @cached_property
    def _modules(self) -> dict[str, bool]:
        """What the file calls the modules from which it imports the name, and whether it calls no others so."""
        read = self.source.language.taken
        taken = read(self.source.syntax, "") if read is not None else []
        places = {place for item in taken if self.old in item.names for place in item.places}
        others = {item.via for item in taken if places.isdisjoint(item.places)}
        return {item.via: item.via not in others for item in taken if item.via and places & {*item.places}}

    @cached_property
    def _module(self) -> Node | None:
        """The name of the module of Rust's, or the namespace of TypeScript's, that the symbol stands in."""
        above = (step.node for step in reversed(self.symbol.binding.steps[:-2]) if step.kind in _MODULES)
        module = next(above, None) if not self.symbol.is_local else None
        return module.child_by_field_name("name") if module is not None else None

    def _path(self, site: Site) -> Node | None:
        """What stands before the dot, where it ends with the name of that module."""
        path = object_of(site) if self._module is not None else None
        if path is None or self._module is None:
            return None
        said = re.split(r"::|\.", self.source.text(path))[-1]
        return path if said == self.source.text(self._module) else None

    def _relatives(self) -> Iterator[Site]:
        """What classes above and below define by the same name: left alone unless all is asked for."""
        for symbol in self.members.relatives(self.symbol):
            if self.every:
                yield from symbol.sites
            else:
                self._leave(symbol.binding, relative_to(symbol))
        if not self._is_hidden and self.members.derives(self.symbol):
            name = self.symbol.path[-2]
            self.notes.append(f"`{name}` derives from a class of another file, which may use `{self.old}`")

    def _mangled(self) -> list[str]:
        """What Python's private names are called outside of their class, where that has the old name in it."""
        is_class = (
            len(self.symbol.binding.steps) > 1 and self.symbol.binding.steps[-2].kind == "class_definition"
        )
        of, name = (self.old, r"__\w+(?<!__)") if is_class else ("", re.escape(self.old))
        if self.member and not is_class and self.old.startswith("__"):
            of = self.symbol.path[-2]
        stripped = of.lstrip("_") if self.source.by_functions else ""
        pattern = re.compile(f"_{stripped}{name}")
        return [word for word in self.source.syntax.identifiers if stripped and pattern.fullmatch(word)]

    def _check_reach(self, meant: list[Site]) -> None:
        """Raises OperationRefused where other files, or what is not followed here, decide over the name."""
        why = self.members.unfollowed(self.symbol) if self.member else None
        modules = (s.steps[-2].node for s in self.symbol.sites if s.binds and s.steps[-2].kind == "mod_item")
        if any(module.child_by_field_name("body") is None for module in modules):
            why = "is the name of a file too"
        scope, by_text = self.symbol.scope, self.source.language.scopes.by_text
        if by_text is not None and by_text.search(self.source.data, scope.start, scope.stop):
            why = "may be named by a text"
        if any(map(is_field, meant)):
            why = "is a parameter and a field of its class at once"
        if self.source.language.overloads_elsewhere and not self._is_own():
            why = "may be overloaded, or a member, in what other files have"
        if self.source.language.named_arguments and self.symbol.binding.parameter and self.symbol.is_named:
            why = "may be named by calls in other files"
        if why is not None:
            raise self.source.refused(f"`{self.old}` {why}; use a language server for this one")

    def _check_overloads(self) -> None:
        """Notes that one name has several functions, which are renamed together: which one a call means, no text says.

        Raises OperationRefused where one of them is asked for.
        """
        if not self.source.language.overloads:
            return
        holders = [site.steps[-2].node for site in self.symbol.sites if site.binds and len(site.steps) > 1]
        # Of TypeScript's, one alone has a body.
        several = [node for node in holders if node.child_by_field_name("body") is not None]
        if len(several) < 2:
            return
        lines = ", ".join(str(self.source.number(node.start_point.row)) for node in several)
        if parse_target(self.wanted.target).line is not None:
            problem = f"`{self.old}` has {len(several)} overloads (line {lines}), and calls do not say which"
            raise self.source.refused(f"{problem}; leave out @LINE to rename all of them")
        self.notes.append(f"all {len(several)} overloads of `{self.old}` (line {lines}) are renamed")

    def _is_own(self) -> bool:
        """Whether the name is a function's own, a private field's, or static and no member's in this file."""
        if self.symbol.is_local or self._is_hidden:
            return True
        kinds = ("function_definition", "declaration")
        holders = [site.around(*kinds) for site in self.symbol.sites if site.binds]
        static = all(self.source.text(node).startswith("static ") for node in holders)
        labels = (site.steps[-1].kind for site in self.names.sites if site.role is Role.LABEL)
        return static and "field_identifier" not in labels

    @cached_property
    def _is_hidden(self) -> bool:
        return is_private_field(self.source, self.symbol)

    def _check_unsure(self) -> None:
        """Raises OperationRefused where the name is bound in a way that is not followed here."""
        known = {site.start for site in self.symbol.sites}
        for site in self.names.sites:
            if site.start in known:
                continue
            if site.role is Role.UNSURE and site.binds:
                line = self._line(site)
                raise self.source.refused(
                    f"how line {line} binds `{self.old}` is not followed; rename it by hand"
                )
            unbound = site.role is Role.NAME and self.names.home(site) is None
            if self._within(site) and (site.role is Role.UNSURE or (unbound and self._is_seen(site))):
                self._leave(site, "may mean it")

    def _is_seen(self, site: Site) -> bool:
        """Whether a place looks names up where the symbol is bound, or may: as what its class inherits."""
        variant = self.symbol.binding.around("enum_variant") is not None
        if self.member and (self.source.language.scopes.bare or variant):
            return True
        return any(scope.key == self.symbol.scope.key and sees(site, scope) for scope in site.scopes)

    def _check_taken(self, meant: list[Site]) -> None:
        """Raises OperationRefused where the new name means something else already, or would."""
        taken = self.source.names(self.new)
        scope = self.symbol.scope
        for site in taken.binds(scope):
            raise self._taken(site, "exists already")
        if self.source.language.unshadowed and self.symbol.is_local:
            for site in taken.sites:
                if may_bind(self.source, site) and self._meets(site):
                    raise self._taken(site, "would meet another variable")
        for site in meant:
            element = len(site.steps) > 1 and site.steps[-2].kind.startswith("jsx_")
            if element and site.steps[-1].field == "name" and self.new[:1].islower():
                problem = f"`<{self.new}>` on line {self._line(site)} would be an element of HTML"
                raise self.source.refused(f"{problem}; begin the name with a capital")
        for site in meant:
            inner = site.scopes[site.scopes.index(scope) + 1 :] if scope in site.scopes else ()
            for between in inner:
                if site.role is Role.NAME and sees(site, between) and taken.hides(site, between, scope):
                    raise self._taken(taken.binds(between)[0], "would be meant instead")
        binding = [site for site in self.symbol.sites if site.binds]
        for site in taken.sites if self._is_bare else ():
            if site.role is not Role.NAME or not any(s.key == scope.key for s in site.scopes):
                continue
            here = next(s for s in site.scopes if s.key == scope.key)
            if here.point and site.stop <= self._visible:
                continue
            home = taken.home(site)
            if not any(taken.fits(site, each) for each in binding):
                continue
            if sees(site, here) and (home is None or home.start < here.start or home.stop > here.stop):
                raise self._taken(site, "means something else")
        for site in taken.sites:
            if site.role is Role.KEYWORD:
                self._check_keyword(site)
        clash = members_of(self.source, self.new).clash(self.symbol) if self.member else None
        if clash is not None:
            raise self._taken(clash, "exists already" if clash.binds else "is an attribute already")

    def _meets(self, site: Site) -> bool:
        """Whether a local variable is there where the symbol is, or the other way round."""
        mine = self.symbol.binding.scopes
        mine = mine[: mine.index(self.symbol.scope) + 1]
        shared = sum(scope in mine for scope in site.scopes)
        apart = site.scopes[shared:] or mine[shared:]
        own = (mine[shared:], site.scopes[shared:])
        return (
            () in own and site.scope.kind in ("function", "block") and all(s.kind != "class" for s in apart)
        )

    def _check_keyword(self, site: Site) -> None:
        """Raises OperationRefused where a call passes what `**` takes under the new name already."""
        owned = self.keywords.owned(site)
        if owned is Owned.SAME:
            raise self._taken(site, "is passed already")
        if owned is Owned.UNKNOWN:
            self._leave(site, f"passes `{self.new}` to what may be the same function")

    @property
    def _is_bare(self) -> bool:
        """Whether the name is looked up where it stands alone, too: that of a member mostly is not."""
        scopes, enum = self.source.language.scopes, self.symbol.binding.around("enum_declaration")
        return not self.member or scopes.bare or self.source.by_functions or enum is not None

    @property
    def _visible(self) -> int:
        """The byte from which the binding is seen in a scope that goes by it."""
        return min((site.visible for site in self.symbol.sites if site.binds), default=0)

    def _taken(self, site: Site, why: str) -> OperationRefused:
        return self.source.refused(f"`{self.new}` {why} on line {self._line(site)}; choose another name")

    def _texts(self) -> list[Site]:
        """The words in strings and comments that are asked for."""
        found: list[Site] = []
        for option_name, role in (("strings", Role.STRING), ("comments", Role.COMMENT)):
            inside = [site for site in self.names.sites if site.role is role and self._within(site)]
            lines = sorted({self._line(site) for site in inside})
            if getattr(self.wanted, option_name):
                found += inside
            elif lines:
                where = ", ".join(map(str, lines[:5])) + (" ..." if len(lines) > 5 else "")
                said = f"{option_name} hold `{self.old}` too (line{'s'[: len(lines) != 1]} {where})"
                self.notes.append(f"{said}; the option `{option_name}` renames them")
        return found

    def _within(self, site: Site) -> bool:
        scope = self.symbol.scope
        return not self.symbol.is_local or scope.start <= site.start < scope.stop

    def _edit(self, site: Site) -> ByteEdit:
        if site.template != "{new}" and not isinstance(self.wanted, RenameImported):
            return ByteEdit(site.start, site.stop, site.template.format(old=self.old, new=self.new))
        holders = [step.kind for step in site.steps[-3:-1] if step.kind != "assignment_pattern"]
        for form in _TWICE.get(holders[-1], ()) if holders else ():
            # What says the new name twice is written as it is where both are the same.
            before, after = (part.format("", self.new).encode() for part in form.split("{0}"))
            start, stop = site.start - len(before), site.stop + len(after)
            around = self.source.data[start : site.start], self.source.data[site.stop : stop]
            if around == (before, after) and not re.match(rb"[\w$]", self.source.data[max(start - 1, 0) :]):
                return ByteEdit(start, stop, self.new)
        return ByteEdit(site.start, site.stop, self.new)

    def _leave(self, site: Site, why: str) -> None:
        self.left.append(place(self.source, self.source.row(site.start), why))

    def _line(self, site: Site) -> int:
        return self.source.number(self.source.row(site.start))
