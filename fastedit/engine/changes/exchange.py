"""What files take from each other and give, by what their languages say of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import cached_property
from pathlib import PurePosixPath

from tree_sitter import Node

from fastedit.locate.filemap import FileMap
from fastedit.ops.source import Source
from fastedit.source.document import Document
from fastedit.source.imports import Import, imports
from fastedit.source.languages.base import Taken
from fastedit.source.names.names import Names
from fastedit.source.names.site import Role, Site
from fastedit.source.syntax import Syntax


class ExchangedFile:
    """One file as it is at one time."""

    def __init__(self, path: str, document: Document) -> None:
        self.path, self.document = path, document

    @cached_property
    def syntax(self) -> Syntax | None:
        return self._map.syntax

    @cached_property
    def taken(self) -> list[Taken]:
        """What it takes from other files."""
        found = self.syntax.language.taken if self.syntax is not None else None
        return [] if self.syntax is None or found is None else found(self.syntax, self.path)

    def binds(self, name: str) -> bool:
        """Whether it defines, assigns, imports or passes on a name, or does so with names that it does not say."""
        if any(each.dotted == name for each in self._map.definitions) or self._map.assignments(name):
            return True
        if not self._passed_on.isdisjoint({name, "*"}):
            return True
        return any(name in each.names or self._brings_all(each) for each in self._imports) or self.gives(name)

    def gives(self, name: str) -> bool:
        """Whether it binds a name for the whole file, and no other way of giving it is known."""
        names = self._names(name)
        return names is not None and any(
            site.binds and site.role is Role.NAME and site.scope.key == 0 for site in names.sites
        )

    def has(self, name: str) -> bool:
        """Whether a name stands in it, whatever it is there."""
        return self.syntax is None or name in self.syntax.identifiers

    def uses(self, name: str) -> bool:
        """Whether it looks a name up that it does not bind."""
        names = self._names(name)
        return names is not None and any(
            site.role is Role.NAME and names.home(site) is None for site in names.sites
        )

    def members(self, via: str) -> set[str]:
        """The names that it reads after a dot of what it imports as `via`, unless that may be something else there."""
        first, *rest = via.split(".")
        names = self._names(first)
        if names is None or self.syntax is None:
            return set()
        known = self.syntax.language.closed or frozenset()
        found = set[str]()
        for site in names.sites:
            if site.role is Role.NAME and not site.binds and self._means_import(names, site):
                node: Node | None = site.steps[-1].node
                for part in rest:
                    node = self._behind(node, part)
                member = self._member(node)
                found |= {self.syntax.text(member)} if member is not None else set()
        return found - known

    @cached_property
    def members_defined(self) -> set[str]:
        """The names of what is defined within anything but functions."""
        kinds = {each.path: each.kind for each in self._map.definitions}
        inner = (each for each in self._map.definitions if len(each.path) > 1)
        return {each.name for each in inner if kinds.get(each.path[:-1]) not in (None, "function", "method")}

    def has_member(self, name: str) -> bool:
        """Whether it defines or assigns something of this name within another thing, or may."""
        names = self._names(name)
        return names is None or any(
            site.binds and (site.role is not Role.NAME or len(site.scopes) > 1) for site in names.sites
        )

    def reads(self, name: str, own: Set[str]) -> Iterator[int]:
        """The lines on which it reads a member of this name, but of what it imports under other names than `own`."""
        names = self._names(name)
        foreign = {each.split(".")[0] for item in self._imports for each in item.names} - own
        for site in names.sites if names is not None else ():
            if site.role is Role.MEMBER and not site.binds and self._root(site) not in foreign:
                yield site.steps[-1].node.start_point.row

    def _root(self, site: Site) -> str:
        """What stands before all dots of a member."""
        node = site.steps[-1].node.parent
        while node is not None and node.children:
            node = node.children[0]
        return "" if node is None or self.syntax is None else self.syntax.text(node)

    def _names(self, name: str) -> Names | None:
        """All places of a name; None where its language has no scopes."""
        if self.syntax is None or not self.syntax.language.has_scopes:
            return None
        return self._source.names(name)

    @cached_property
    def _map(self) -> FileMap:
        return FileMap(self.document)

    @cached_property
    def _source(self) -> Source:
        return Source(self.document.lines, self._map.language)

    def _means_import(self, names: Names, site: Site) -> bool:
        home = names.home(site)
        if home is None:
            return True  # of some imports the grammar has no name
        return home.key == 0 and all(map(self._stands_for_file, names.binds(home)))

    def _stands_for_file(self, binding: Site) -> bool:
        """Whether a binding is an import or declares a module."""
        node = binding.steps[-1].node
        if any(each.start <= node.start_point.row < each.stop for each in self._imports):
            return True
        kind = node.parent.type if node.parent is not None else ""
        return self.syntax is not None and self.syntax.language.definitions.get(kind) == "module"

    def _behind(self, node: Node | None, name: str) -> Node | None:
        """The member of this name that is read from a node, with what it is read from."""
        member = self._member(node)
        return node.parent if node and member and self.syntax and self.syntax.text(member) == name else None

    def _member(self, node: Node | None) -> Node | None:
        """What stands after a node's dot."""
        parent = node.parent if node is not None else None
        if parent is None or self.syntax is None:
            return None
        scopes = self.syntax.language.scopes
        fields = (field for kind, field in scopes.members | scopes.foreign if kind == parent.type and field)
        return next(
            (found for field in fields if (found := parent.child_by_field_name(field)) and found != node),
            None,
        )

    @cached_property
    def _imports(self) -> tuple[Import, ...]:
        return imports(self.syntax) if self.syntax is not None else ()

    @cached_property
    def _passed_on(self) -> frozenset[str]:
        found = self.syntax.language.passed_on if self.syntax is not None else None
        return frozenset() if self.syntax is None or found is None else found(self.syntax)

    def _brings_all(self, found: Import) -> bool:
        return any("*" in line for line in self.document.lines[found.start : found.stop])


class Project:
    """Files at one time, by their paths."""

    def __init__(self, texts: Mapping[str, Document]) -> None:
        self.files = {path: ExchangedFile(path, document) for path, document in texts.items()}
        self._places: dict[tuple[bool, str], list[tuple[tuple[str, ...], ExchangedFile]]] = {}
        for file in self.files.values():
            path = PurePosixPath(file.path)
            for folder, place in ((True, path.parent), (False, path.with_suffix(""))):
                self._places.setdefault((folder, place.name), []).append((place.parts, file))

    def of(self, taker: ExchangedFile, item: Taken) -> list[ExchangedFile]:
        """The files that an item may mean, where these tell it; of a folder all of them."""
        found = list[ExchangedFile]()
        for wanted in item.places:
            here = self._at(taker, item, PurePosixPath(wanted).parts)
            if not item.folder and len(here) > 1:
                return []
            found += here
        return found

    def from_places(self) -> Iterator[tuple[ExchangedFile, Taken, list[ExchangedFile]]]:
        """What each file takes, and the files that this means."""
        for file in self.files.values():
            for item in file.taken:
                yield file, item, self.of(file, item)

    def _at(self, taker: ExchangedFile, item: Taken, wanted: tuple[str, ...]) -> list[ExchangedFile]:
        """The files at a place, those that agree with the most of its path."""
        found: dict[int, list[ExchangedFile]] = {}
        for place, file in self._places.get((item.folder, wanted[-1] if wanted else ""), ()):
            shared = _shared(place, wanted, item)
            # The longest path by which any file takes from another tells where paths to it begin.
            if shared and (item.whole or item.folder or shared >= self._known.get(file.path, 0)):
                found.setdefault(shared, []).append(file)
        return [file for file in found[max(found)] if _speaks(file, taker)] if found else []

    @cached_property
    def _known(self) -> dict[str, int]:
        """By how many parts of their paths files are known to others."""
        found: dict[str, int] = {}
        items = (item for file in self.files.values() for item in file.taken if not item.whole)
        for wanted in (
            PurePosixPath(place).parts for item in items if not item.folder for place in item.places
        ):
            for place, file in self._places.get((False, wanted[-1] if wanted else ""), ()):
                if place[-len(wanted) :] == wanted:
                    found[file.path] = max(found.get(file.path, 0), len(wanted))
        return found


def _shared(place: tuple[str, ...], wanted: tuple[str, ...], item: Taken) -> int:
    """How many parts a file or folder shares with the path that is wanted, where it may be that; else none. The path of
    a folder may begin outside of the root."""
    if place == wanted:
        return len(wanted) + 1
    if item.whole or not wanted or not place:
        return 0
    shared = min(len(place), len(wanted)) if item.folder else len(wanted)
    return shared if place[-shared:] == wanted[-shared:] else 0


def _speaks(file: ExchangedFile, taker: ExchangedFile) -> bool:
    """Whether both are in one language, or in two that import from each other."""
    mine, other = file.syntax, taker.syntax
    return mine is not None and other is not None and mine.language.taken is other.language.taken
