"""What a language is: everything that is known of one, as data. What is left out, the language does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from fastedit.source.languages.scopes import ScopeKinds

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax

TEXT: Final = "text"
# The fields of a node that hold a name and its value; `=` is what follows that sign.
Fields = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Bases:
    """How a class says what it derives from.

    `clauses` are the nodes that name bases, each with the word or mark it begins with. `mark` stands before the first
    base where no word does, `(` for a list in brackets. `words` are what may stand there instead; `access` goes before
    the base of a class. `holders` are the kinds of definitions that can have bases.
    """

    clauses: Mapping[str, str] = field(default_factory=dict)
    mark: str = ""
    words: tuple[str, ...] = ()
    separator: str = ", "
    access: str = ""
    holders: frozenset[str] = frozenset({"class", "interface", "trait", "struct", "record", "enum"})


class NewFunction(NamedTuple):
    """How a function is written: `head` of {0} for its name and {1} for its parameters, and `foot`.

    `several` holds several results, and `kept` gives {1}, a call, to {0}.
    """

    head: str
    foot: tuple[str, ...]
    several: str
    kept: str


@dataclass(frozen=True, kw_only=True)
class Keys:
    """How a data file is read as keys: by `reader`, a class of `fastedit.ops.keys` as "module:Class".

    `dependencies` are the places where packages stand: `#` is a requirement (PEP 508) in a list, `=` a name with its
    version, `*` any key. `folds_names` where these names differ neither in case nor in `-`, `_` and `.` (PEP 503).
    """

    reader: str
    editable: bool = True  # whether keys can be set, beside dependencies
    lists: bool = True
    untyped: bool = False  # whether values are text alone, whatever they look like
    dependencies: tuple[str, ...] = ()
    folds_names: bool = False


class Taken(NamedTuple):
    """What a file takes from another one, or from those of a `folder`.

    `places` are where that may be, without suffixes: paths from the root where they are `whole`, else their last parts.
    `names` are those that the file says it takes. `via` is what it calls the place, whose members it takes too: nothing
    for a place whose names it uses as they are, None for one that it does not name. `open`: the place may have other
    names than those that its text binds.
    """

    places: tuple[str, ...]
    names: frozenset[str] = frozenset()
    via: str | None = None
    whole: bool = False
    open: bool = False
    folder: bool = False


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Language:
    """One language. Each has a file in this package."""

    name: str

    # Which texts are in it
    suffixes: tuple[str, ...] = ()
    file_name: re.Pattern[str] | None = None  # the names of its files where no suffix tells
    interpreters: tuple[str, ...] = ()  # in the first line of a script
    signs: re.Pattern[str] | None = None  # what tells its texts from those of another with the same suffix
    editor_names: tuple[str, ...] = ()  # what editors and code fences call it beside its name
    told_by_text: bool = True  # whether a text that its grammar alone reads is in it
    starts: tuple[str, ...] = ()  # what a text begins with that is in it where its own parser reads the rest
    commands: bool = False  # whether its texts are typed into a terminal

    # Its grammar: a module and the function of it that gives the grammar
    grammar: tuple[str, str] | None = None
    extends: str = ""  # the language whose texts its grammar reads too
    alike: Mapping[str, str] = field(default_factory=dict)  # kinds of nodes by what most grammars call such
    error: Callable[[str], str | None] | None = None  # what its own parser, which is stricter, finds wrong
    # A text, line by line, without what some of its readers take and that parser does not.
    plain: Callable[[str], str] | None = None
    # A text, line by line, that is valid where this one is, without what the language has and the grammar does not.
    respelled: Callable[[str], str] | None = None

    # Its definitions: kinds of nodes, and what each is called
    definitions: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, Fields] = field(default_factory=dict)  # where a function's name is a variable's
    names: Mapping[str, str] = field(default_factory=dict)  # the field of the name, where that is not `name`
    bodies: Mapping[str, str] = field(default_factory=dict)  # the field of the body, where that is not `body`
    # What fills a field of a kind of node to which the grammar gives none: the kinds of the child, its child and so on,
    # with `|` between those that it may be of.
    fields: Mapping[Fields, str] = field(default_factory=dict)
    needs_body: frozenset[str] = frozenset()  # what defines nothing without one
    wrappers: frozenset[str] = frozenset()  # statements that may hold one definition and nothing else
    attached: frozenset[str] = frozenset()  # what belongs to the definition below, beside comments
    leading: re.Pattern[str] | None = None  # a line of that, where it begins with neither `@` nor `#[`
    selects: bool = False  # whether a part is named by the list of what it is about
    # The decorator of a function whose result is what parameters of its name get.
    injecting: re.Pattern[str] | None = None
    annotations: frozenset[str] = frozenset()  # what says something of the declaration that it stands at
    parted: bool = True  # whether a part that begins with a definition at the margin reads the same alone
    identifiers: frozenset[str] = frozenset()  # what is a name beside what the grammar calls an identifier
    reserved: tuple[str, ...] = ()  # words that the grammar reads as names where they have no place
    conditional_lines: bool = False  # whether #if leaves lines out before the rest is read
    macros: bool = False  # whether it may define words that stand for any text
    overloads: bool = False  # whether one name may have several definitions
    overloading: frozenset[str] = frozenset()  # the definitions that may be among these, if not all
    repeats: re.Pattern[str] | None = None  # the heads of definitions that go on with others of their name
    overloads_elsewhere: bool = False  # whether other files may give a name of this one further meanings
    overloads_operators: bool = False
    unshadowed: bool = False  # whether no local variable may have the name of one around it
    goes_on: bool = False  # whether a line that begins with a dot goes on with the one above
    named_arguments: bool = False  # whether a call may name a parameter, in ways that are not followed
    # What must stand above its use: what runs, all, variables, nothing.
    order: Literal["run", "declared", "variables", "any"] = "run"
    only_declares: bool = False  # whether nothing is run that stands outside of functions
    blank_lines: int = 1  # between definitions of the file

    # Its parts, where no definition is spelled: a line that begins one, with its `name` if it has one. It reaches to
    # the end of the block that the line opens, or to the next one of its `level`, a group that is longer when deeper.
    part: re.Pattern[str] | None = None
    parts_follow: bool = False
    prose: bool = False  # whether its lines are sentences, of which no word is a name
    fences: bool = False  # whether its texts hold others between fences
    front_matter: bool = False  # whether lines between two of `---` may head its texts and be none of them

    # Its imports
    import_kinds: tuple[str, ...] = ()
    # The names, else the path; None for a node that is no import.
    imported: Callable[[Syntax, Node], list[str] | None] | None = None
    taken: Callable[[Syntax, str], list[Taken]] | None = None  # from other files, by the file at a path
    passed_on: Callable[[Syntax], frozenset[str]] | None = (
        None  # names that it gives and does not bind, `*` for any
    )
    import_writer: str = ""  # the class of `fastedit.ops.imports` that writes them, as "module:Class"
    import_line: str = ""  # an import of {}, for the writer `Lines`
    import_alias: str = ""  # how {0} is imported as {1} there
    import_separator: str = "."  # between the names of a path there
    imports_members: bool = False  # whether the last name of a path is a member
    extensions: bool = False  # whether what is imported may be used as a member of anything
    heads: frozenset[str] = frozenset()  # what a file begins with, before its definitions
    beside_code: frozenset[str] = frozenset()  # what stands in the file itself and is no code of it
    data_below: re.Pattern[str] | None = None  # a line from which on nothing is code

    # Of a language whose files see no names but those they bind: the built-in ones, which are known everywhere.
    closed: frozenset[str] | None = None
    # Whether only the file itself can give the name at a node a meaning; None where another one always may.
    own: Callable[[Node], bool] | None = None

    # How it is written
    comment: tuple[str, str] | None = ("//", "")  # what begins and ends a comment
    doc_comment: str = "/**"  # what a comment before a definition begins with that documents it
    docstring: bool = False  # whether a string in its place does that
    first_module: str = ""  # whose imports stand above all others
    declares_encoding: bool = False  # whether a comment at its head that names an unknown one is an error
    blocks: Literal["braces", "indent", "end", ""] = ""
    paired: str = "()[]{}"  # the brackets that always come in pairs
    indent: str = "    "
    ends_lists: bool = True  # whether a comma may follow the last entry of a list
    # Where a function gives back its last expression: the kinds of nodes that do something beside having a value.
    acting: frozenset[str] = frozenset()
    placeholder: str = ""  # the statement of a block that would be empty
    ellipsis: bool = False  # whether `...` is a statement
    open_parameters: bool = False  # whether a list of parameters may be `(...)`
    semicolons: Literal["required", "optional", ""] = ""
    raw_quotes: tuple[str, ...] = ()  # strings over several lines, whose marks open and close by turns
    triple_quotes: bool = False
    heredoc: re.Pattern[str] | None = (
        None  # what begins a text on the lines below, up to one that says its `end`
    )

    # What operations write
    scopes: ScopeKinds = field(default_factory=ScopeKinds)
    declaration: str = ""  # a text that declares the variable {0}, and may use it
    name_of_variable: str = "x"  # one that it may declare
    variables: Mapping[str, Fields] = field(default_factory=dict)  # nodes that give a name a value
    types: Literal["before", "after", ""] = ""  # where the type of a variable stands
    type_mark: str = ": "  # between a name and its type
    signatures: bool = False  # whether parameters and calls are those of Python's grammar
    bare_conditions: bool = False  # whether conditions stand without brackets
    negation: str = "!"
    exclusive: frozenset[str] = frozenset()  # operators that go with no others without brackets
    conditional_for: bool = False  # whether a for with a condition alone is its while
    decorator: str = ""  # what stands around {}
    modifiers: str = ""  # as they are ordered; a declaration has one of those between two commas
    new_function: NewFunction | None = None
    bases: Bases | None = None
    constructor: str = ""  # the name that makes a method the constructor
    # Names that it, or its own library, looks up: after a dot what a class has, after a colon what is local, and `()`
    # after a function.
    special: re.Pattern[str] | None = None
    keys: Keys | None = None

    # How much of it examples are made of
    corpus_share: float = 0.0
    instruction_share: float = 0.0  # of the instructions that any language could get
    compiled_to: bool = False  # whether tools write it from other languages

    @cached_property
    def fields_of(self) -> Mapping[Fields, str]:
        """The fields of `fields`, by the kinds of the node and of the child that fills it."""
        found = dict[Fields, str]()
        for (kind, field_name), way in self.fields.items():
            for step in way.split():
                found |= {(kind, child): field_name for child in step.split("|")}
                kind = step
        return found

    @property
    def sigil(self) -> str:
        """What variables begin with."""
        return self.name_of_variable.rstrip("x")

    @property
    def is_code(self) -> bool:
        """Whether it has a grammar and definitions."""
        return bool(self.definitions)

    @property
    def has_scopes(self) -> bool:
        """Whether it tells which binding a name means; where it does not, no name is known to be bound."""
        return bool(self.scopes.opening)

    @property
    def has_keys(self) -> bool:
        """Whether it is a data file whose keys can be set."""
        return self.keys is not None and self.keys.editable

    @property
    def is_data(self) -> bool:
        """Whether what it holds are entries, each under a key of its own: an update need not show the others."""
        return self.has_keys or (self.part is not None and not self.prose)

    @property
    def has_lists(self) -> bool:
        return self.keys is not None and self.keys.lists

    @property
    def has_dependencies(self) -> bool:
        return self.keys is not None and bool(self.keys.dependencies)

    @property
    def is_indented(self) -> bool:
        return self.blocks == "indent"
