"""Python."""

from __future__ import annotations

import builtins
import warnings
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Bases, Closed, ImportedFrom, Language, NewFunction
from fastedit.source.languages.scopes import Scopes, kinds, pairs

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax


def _imported(syntax: Syntax, node: Node) -> list[str]:
    names = node.children_by_field_name("name")
    return [syntax.text(name.child_by_field_name("alias") or name) for name in names]


def _imported_from(syntax: Syntax, path: str) -> list[ImportedFrom]:
    found = []
    for node in syntax.find("(import_from_statement) @found"):
        module = node.child_by_field_name("module_name")
        text = syntax.text(module) if module is not None else ""
        names = frozenset(
            syntax.text(name.child_by_field_name("name") or name)
            for name in node.children_by_field_name("name")
        )
        dotted = text.lstrip(".")
        level, inner = len(text) - len(dotted), dotted.split(".") if dotted else []
        folder = path.split("/")[:-level] if level else []
        file = "/".join([*folder, *inner])
        package = f"{file}/__init__".lstrip("/")
        if inner:
            found.append(ImportedFrom(file, names, whole=bool(level)))
        # What a package binds is not all that can be imported from it: its modules can too.
        found.append(ImportedFrom(package, names, whole=bool(level), open=True))
    return found


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


_SCOPES = Scopes(
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
_IMPORTS = ("import_statement", "import_from_statement", "future_import_statement")
LANGUAGE = Language(
    name="python",
    suffixes=(".py", ".pyi", ".pyw"),
    interpreters=("python", "pypy"),
    grammar=("tree_sitter_python", "language"),
    error=_error,
    definitions={"function_definition": "function", "class_definition": "class"},
    wrappers=kinds("decorated_definition expression_statement"),
    attached=kinds("decorator"),
    blank_lines=2,
    static_method="staticmethod",
    import_kinds=_IMPORTS,
    imported=_imported,
    imported_from=_imported_from,
    closed=Closed(
        known=frozenset(dir(builtins)) | kinds("_ __file__ __path__ __class__ __annotations__ reveal_type"),
        uses=frozenset({("attribute", "object"), ("call", "function")}),
        members=frozenset({("attribute", "attribute"), ("keyword_argument", "name")}),
    ),
    import_writer="from_imports:FromImports",
    heads=frozenset(_IMPORTS),
    comment=("#", ""),
    declares_encoding=True,
    docstring=True,
    blocks="indent",
    placeholder="pass",
    ellipsis=True,
    triple_quotes=True,
    scopes=_SCOPES,
    declaration="{} = 0\n",
    variables={"assignment": ("left", "right"), "pair": ("key", "value")},
    types="after",
    new_variable="{0}{2} = {1}",
    new_constant="{0}{2} = {1}",
    signatures=True,
    bare_conditions=True,
    negation="not ",
    decorator="@{}",
    async_functions=True,
    new_function=NewFunction("def {0}({1}):", (), "{}", "{0} = {1}"),
    bases=Bases(mark="("),
    corpus_share=4.0,
    instruction_share=0.4,
)
