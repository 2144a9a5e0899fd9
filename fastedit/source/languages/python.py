"""Python."""

from __future__ import annotations

import builtins
import re
import sys
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Bases, Language, NewFunction, Taken
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax


def _imported(syntax: Syntax, node: Node) -> list[str]:
    names = node.children_by_field_name("name")
    return [syntax.text(name.child_by_field_name("alias") or name) for name in names]


def _taken(syntax: Syntax, path: str) -> list[Taken]:
    found = list[Taken]()
    for node in syntax.find("(import_statement) @found"):
        for item in node.children_by_field_name("name"):
            dotted, alias = syntax.text(_name_of(item)), item.child_by_field_name("alias")
            if not _is_standard(dotted):
                found += _module(
                    dotted.replace(".", "/"), via=dotted if alias is None else syntax.text(alias)
                )
    for node in syntax.find("(import_from_statement) @found"):
        module = node.child_by_field_name("module_name")
        text = syntax.text(module) if module is not None else ""
        names = node.children_by_field_name("name")
        dotted = text.lstrip(".")
        level, inner = len(text) - len(dotted), dotted.split(".") if dotted else []
        if not level and _is_standard(dotted):
            continue
        folder, whole = path.split("/")[:-level] if level else [], bool(level)
        place = "/".join([*folder, *inner])
        found += _module(place, frozenset(syntax.text(_name_of(name)) for name in names), whole=whole)
        for name in names:
            inside = "/".join(filter(None, (place, syntax.text(_name_of(name)))))
            via = syntax.text(name.child_by_field_name("alias") or name)
            # The package may bind the name of its module to something else.
            found += (each._replace(open=True) for each in _module(inside, via=via, whole=whole))
    return found


def _module(
    place: str, names: frozenset[str] = frozenset(), via: str | None = None, *, whole: bool = False
) -> Iterator[Taken]:
    """A module's file, and that of a package: what this binds is not all that it has, since its modules are too."""
    if place:
        yield Taken((place,), names, via, whole)
    yield Taken((f"{place}/__init__".lstrip("/"),), names, via, whole, open=True)


def _is_standard(dotted: str) -> bool:
    """Whether a module is the standard library's, and no file of the project's."""
    return dotted.partition(".")[0] in sys.stdlib_module_names


def _name_of(item: Node) -> Node:
    """What is imported, whatever it is called here."""
    return item.child_by_field_name("name") or item


def _error(text: str) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<result>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"{error.msg} (line {error.lineno})"
        except (ValueError, RecursionError, MemoryError) as error:
            return str(error) or type(error).__name__
    return None


# What the expressions in an f-string may hold since 3.12 (PEP 701) alone.
_LATER = ("\\", "\n", "#")


def _respelled(text: str) -> str:
    """A Python that is older than the text cannot read all that the grammar can: f-strings become plain ones, type
    parameters go, and a type alias is an assignment."""
    if sys.version_info >= (3, 12):
        return text
    from fastedit.source.syntax import Syntax  # only now: it knows the languages

    syntax = Syntax(text.split("\n"), LANGUAGE.name)
    made, at = list[bytes](), 0
    for start, stop, instead in sorted((*_plain_strings(syntax), *_without_types(syntax))):
        if start >= at:
            made += [syntax.data[at:start], instead]
            at = stop
    return b"".join([*made, syntax.data[at:]]).decode()


def _plain_strings(syntax: Syntax) -> Iterator[tuple[int, int, bytes]]:
    """The f-strings that it cannot read, from and to which byte, and what stands for them."""
    for node in syntax.nodes(["string"]):
        inside = [syntax.text(child) for child in node.children if child.type == "interpolation"]
        quotes = syntax.text(node.children[0]).lstrip("bfrtuBFRTU") if inside else ""
        if not node.has_error and any(mark in part for part in inside for mark in (*_LATER, quotes)):
            rows = node.end_point.row - node.start_point.row
            plain = b'"""' + b"\n" * rows + b'"""' if rows else b'""'
            yield node.start_byte, node.end_byte, plain


def _without_types(syntax: Syntax) -> Iterator[tuple[int, int, bytes]]:
    """The type parameters of definitions, and what begins a type alias (PEP 695)."""
    for node in syntax.nodes(["class_definition", "function_definition"]):
        if (given := node.child_by_field_name("type_parameters")) is not None and not given.has_error:
            rows = given.end_point.row - given.start_point.row
            yield given.start_byte, given.end_byte, b"\\\n" * rows
    for node in syntax.nodes(["type_alias_statement"]):
        name = node.child_by_field_name("left")
        if name is not None and not node.has_error and not syntax.text(name).startswith("("):
            yield node.start_byte, name.start_byte, b""


_SCOPES = ScopeKinds(
    rules="functions",
    functions=kinds("function_definition lambda"),
    blocks=kinds("list_comprehension set_comprehension dictionary_comprehension generator_expression"),
    classes=kinds("class_definition"),
    binders=pairs("assignment augmented_assignment for_statement for_in_clause", "left")
    | pairs("named_expression function_definition class_definition", "name")
    | pairs("default_parameter typed_default_parameter", "name")
    | pairs("aliased_import", "alias")
    | pairs("as_pattern_target delete_statement splat_pattern", None)
    | pairs("parameters lambda_parameters typed_parameter", None),
    patterns=kinds(
        "pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern tuple list "
        "expression_list"
    ),
    hoisted=kinds("named_expression"),
    members=pairs("attribute", "attribute"),
    unsure=pairs("keyword_pattern", None),
    outside=kinds("name parameters return_type type_parameters"),
    apart=pairs("class_definition", "superclasses") | pairs("class_definition", "type_parameters"),
    outer=kinds("global_statement nonlocal_statement"),
)
_BUILT_IN = frozenset(dir(builtins)) | kinds(
    "_ __file__ __path__ __class__ __dict__ __annotations__ __module__ __qualname__ reveal_type WindowsError"
)
_IMPORTS = ("import_statement", "import_from_statement", "future_import_statement")
LANGUAGE = Language(
    name="python",
    suffixes=(".py", ".pyi", ".pyw"),
    interpreters=("python", "pypy"),
    grammar=("tree_sitter_python", "language"),
    error=_error,
    respelled=_respelled,
    definitions={"function_definition": "function", "class_definition": "class"},
    wrappers=kinds("decorated_definition expression_statement"),
    attached=kinds("decorator"),
    annotations=kinds("decorator"),
    blank_lines=2,
    import_kinds=_IMPORTS,
    imported=_imported,
    taken=_taken,
    closed=_BUILT_IN,
    own=lambda node: (node.text or b"").decode() not in _BUILT_IN,
    import_writer="from_imports:FromImports",
    heads=frozenset(_IMPORTS),
    comment=("#", ""),
    declares_encoding=True,
    docstring=True,
    first_module="__future__",
    blocks="indent",
    placeholder="pass",
    ellipsis=True,
    triple_quotes=True,
    scopes=_SCOPES,
    declaration="{} = 0\n",
    variables={"assignment": ("left", "right"), "pair": ("key", "value")},
    types="after",
    injecting=re.compile(r"@\s*(?:\w+\.)*fixture\b"),
    special=re.compile(r"[.:]?__\w+__(?:\(\))?"),
    signatures=True,
    bare_conditions=True,
    negation="not ",
    decorator="@{}",
    new_function=NewFunction("def {0}({1}):", (), "{}", "{0} = {1}"),
    bases=Bases(mark="("),
    corpus_share=4.0,
    instruction_share=0.4,
)
