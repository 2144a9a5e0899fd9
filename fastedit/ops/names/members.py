"""What stands after a dot: whose it is, as far as the text tells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Generic, TypeVar

from fastedit.ops.source import Source
from fastedit.source.names.names import Symbol
from fastedit.source.names.site import Site

Owner = TypeVar("Owner")


class Owned(Enum):
    """How a member relates to one of a class."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


class Members(ABC, Generic[Owner]):
    """The members called `name`, by the classes that declare them, which are their owners."""

    def __init__(self, source: Source, name: str) -> None:
        self.source = source
        self.names = source.names(name)
        self.name = name

    @property
    @abstractmethod
    def sites(self) -> Sequence[Site]:
        """The places after a dot, and in literals of a class."""

    @property
    @abstractmethod
    def declared(self) -> Mapping[Owner, Sequence[Site]]:
        """The places that declare the member, by its class."""

    @abstractmethod
    def owner(self, symbol: Symbol) -> Owner:
        """The class of a symbol of a class."""

    @abstractmethod
    def symbol(self, owner: Owner) -> Symbol:
        """What a class declares."""

    @abstractmethod
    def before(self, site: Site) -> Owner | None:
        """The class of what stands before the dot; None where the text does not tell."""

    @abstractmethod
    def ancestors(self, owner: Owner) -> Sequence[Owner]:
        """A class and what it derives from, nearest first, with those that the file does not define."""

    @abstractmethod
    def is_known(self, owner: Owner) -> bool:
        """Whether the file defines the class."""

    @abstractmethod
    def is_anothers(self, site: Site) -> bool:
        """Whether a place after a dot is surely no function's."""

    def is_apart(self, site: Site, wanted: Owner) -> bool:
        """Whether a place that does not tell its class cannot mean the member of this one."""
        return self.is_anothers(site)

    def is_private(self, symbol: Symbol) -> bool:
        """Whether its own class alone can name the member."""
        return False

    def unfollowed(self, symbol: Symbol) -> str | None:
        """Why the member cannot have another name here; None where it can."""
        return None

    def above(self, site: Site, owner: Owner) -> Sequence[Owner]:
        """The classes that have what a place asks of this one, nearest first."""
        return self.ancestors(owner)

    def symbols(self) -> list[Symbol]:
        return [self.symbol(owner) for owner in self.declared]

    def owned(self, site: Site, wanted: Owner) -> Owned:
        """Whether a place after a dot is the member of this class."""
        found = self.before(site)
        if found is None:
            return Owned.OTHER if self.is_apart(site, wanted) else Owned.UNKNOWN
        for candidate in self.above(site, found):
            if candidate == wanted:
                return Owned.SAME
            if candidate in self.declared:
                return Owned.UNKNOWN if self.related(candidate, wanted) else Owned.OTHER
            if not self.is_known(candidate):
                return Owned.UNKNOWN
        return Owned.OTHER

    def related(self, one: Owner, other: Owner) -> bool:
        """Whether one derives from the other."""
        return other in self.ancestors(one) or one in self.ancestors(other)

    def is_relative(self, one: Owner, other: Owner) -> bool:
        """Whether the member of the one may be that of the other too."""
        return self.related(one, other)

    def relatives(self, symbol: Symbol) -> Iterator[Symbol]:
        """What other classes declare by the same name, as those above and below do."""
        wanted = self.owner(symbol)
        for other, sites in self.declared.items():
            if other != wanted and sites[0].binds and self.is_relative(other, wanted):
                yield self.symbol(other)

    def derives(self, symbol: Symbol) -> bool:
        """Whether its class derives from one of another file."""
        return not all(map(self.is_known, self.ancestors(self.owner(symbol))))

    def clash(self, symbol: Symbol) -> Site | None:
        """Where the class of a symbol of another name, or one that it is related to, has this name already."""
        wanted = type(self)(self.source, symbol.name).owner(symbol)
        for owner, sites in self.declared.items():
            if self.related(owner, wanted):
                return sites[0]
        uses = ((site, self.before(site)) for site in self.sites)
        return next((site for site, of in uses if of is not None and self.related(of, wanted)), None)


def relative_to(symbol: Symbol) -> str:
    """What is said of a member that a related class declares by the same name."""
    return f"`{'.'.join(symbol.path)}` declares it too"
