"""Swift."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language
from fastedit.source.languages.imported import last
from fastedit.source.languages.scopes import ScopeKinds, kinds, pairs

# `if let x` both uses and binds a name, and `if let x = x` uses another; in a pattern, a name may be a value; a type
# that a function has a name for stands in what its result is, too.
_UNFOLLOWED = pairs("if_statement guard_statement while_statement", "bound_identifier") | pairs(
    "pattern type_parameter", None
)
# The only value of `Void` as what a call is given, what is told the compiler between the members of a type, and a `!`
# that the grammar does not read after the type of a closure's parameter: a value or type is one without it, too.
_EMPTY = re.compile(r"(?<=[(:,])(\s*+)\(\s*+\)(?=\s*+[,)])")
_TOLD = re.compile(r"^([^\S\n]*+)#(?:warning|error)\([^\n]*$", re.MULTILINE)
_UNWRAPPED = re.compile(r"(?<=[\w\])>])!(?=\s*+[,)])")


def _respelled(text: str) -> str:
    text = _EMPTY.sub(lambda found: f"{found[1]}[]" + "\n" * found[0][len(found[1]) :].count("\n"), text)
    return _UNWRAPPED.sub("", _TOLD.sub(r"\1", text))


_SCOPES = ScopeKinds(
    functions=kinds(
        "function_declaration init_declaration deinit_declaration subscript_declaration lambda_literal "
        "computed_getter computed_setter computed_property willset_clause didset_clause "
        "protocol_function_declaration"
    ),
    blocks=kinds("statements for_statement switch_entry catch_block"),
    classes=kinds("class_declaration protocol_declaration"),
    binders=pairs(
        "parameter lambda_parameter function_declaration protocol_declaration class_declaration "
        "typealias_declaration associatedtype_declaration",
        "name",
    )
    | pairs("pattern", "bound_identifier")
    | pairs("computed_setter willset_clause didset_clause", None)
    | _UNFOLLOWED,
    members=pairs("navigation_suffix", "suffix"),
    declares=pairs("function_declaration protocol_function_declaration enum_entry", "name"),
    labels=pairs("value_argument_label", None) | pairs("parameter lambda_parameter", "external_name"),
    foreign_statements=kinds("import_declaration"),
    unsure=_UNFOLLOWED,
    apart=pairs("for_statement", "collection"),
    statements=kinds("property_declaration"),
    bare=True,
    dotted=kinds("user_type prefix_expression pattern"),
)
LANGUAGE = Language(
    name="swift",
    suffixes=(".swift",),
    grammar=("tree_sitter_swift", "language"),
    respelled=_respelled,
    told_by_text=False,  # it reads much of what is Kotlin
    alike={
        "assignment": "assignment_expression",
        "attribute": "annotation",
        "control_transfer_statement": "return_statement",
        "enum_class_body": "enum_body",
        "navigation_expression": "member_expression",
        "prefix_expression": "unary_expression",
        "protocol_body": "interface_body",
        "simple_identifier": "identifier",
        "statements": "statement_list",
    },
    definitions={
        "class_declaration": "class",
        "protocol_declaration": "interface",
        "function_declaration": "function",
        "protocol_function_declaration": "function",
        "init_declaration": "initializer",
        "deinit_declaration": "initializer",
        "subscript_declaration": "method",
        "typealias_declaration": "type",
        "property_declaration": "property",
    },
    annotations=kinds("attribute"),
    names={"subscript_declaration": "keyword"},
    fields={
        ("subscript_declaration", "keyword"): "subscript",
        ("deinit_declaration", "name"): "deinit",
        ("subscript_declaration", "body"): "computed_property",
        ("property_declaration", "body"): "computed_property",
    },
    needs_body=kinds("property_declaration"),
    heads=kinds("import_declaration"),
    order="variables",
    overloads=True,
    goes_on=True,
    overloads_elsewhere=True,
    overloads_operators=True,
    named_arguments=True,
    import_kinds=("import_declaration",),
    imported=last,
    import_writer="lines:LineImports",
    import_line="import {}",
    doc_comment="///",
    blocks="braces",
    raw_quotes=('"""',),
    scopes=_SCOPES,
    declaration="func f() {{ let {0} = 0; {0} }}\n",
    variables={"property_declaration": ("name", "value"), "assignment": ("target", "result")},
    bare_conditions=True,
    decorator="@{}",
    modifiers=(
        "open public package internal fileprivate private, final, override, required convenience, static, "
        "mutating nonmutating, lazy weak unowned, nonisolated, indirect, dynamic, optional"
    ),
)
