"""JavaScript, with JSX."""

from __future__ import annotations

from fastedit.source.languages.base import Bases, Language, NewFunction
from fastedit.source.languages.imported import leaves
from fastedit.source.languages.scopes import Scopes, kinds, pairs

BINDINGS = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "pair": ("key", "value"),
    "field_definition": ("property", "value"),
    "public_field_definition": ("name", "value"),
}
# Those of TypeScript too, whose grammar has all kinds of nodes that this one has.
_SCOPES = Scopes(
    functions=kinds(
        "function_declaration generator_function_declaration function_expression generator_function "
        "arrow_function method_definition function_signature method_signature function_type "
        "abstract_method_signature construct_signature call_signature constructor_type"
    ),
    blocks=kinds(
        "statement_block for_statement for_in_statement catch_clause switch_body class_static_block"
    ),
    classes=kinds(
        "class_declaration class abstract_class_declaration interface_declaration type_alias_declaration "
        "enum_declaration"
    ),
    binders=pairs("formal_parameters import_clause namespace_import", None)
    | pairs("required_parameter optional_parameter", "pattern")
    | pairs("catch_clause arrow_function", "parameter")
    | pairs(
        "variable_declarator function_declaration generator_function_declaration function_signature", "name"
    )
    | pairs(
        "class_declaration abstract_class_declaration interface_declaration type_alias_declaration", "name"
    )
    | pairs("enum_declaration internal_module type_parameter", "name")
    | pairs("for_in_statement", "left"),
    patterns=frozenset(
        {"object_pattern", "array_pattern", "rest_pattern", "assignment_pattern", "pair_pattern"}
        | {"object_assignment_pattern"}
    ),
    used=frozenset({"right", "key"}),
    hoisted=frozenset({"variable_declaration"}),
    members=pairs("member_expression nested_identifier", "property")
    | pairs("nested_type_identifier", "name")
    | pairs("pair pair_pattern", "key")
    | pairs("method_definition", "name")
    | pairs("jsx_attribute", None),
    declares=pairs("method_definition public_field_definition abstract_method_signature", "name")
    | pairs("method_signature property_signature enum_assignment enum_body", "name")
    | pairs("field_definition", "property"),
    labels=pairs("index_signature", "name")
    | pairs("labeled_statement break_statement continue_statement", "label")
    | pairs("meta_property", None),
    # These name themselves within, or bind types in ways of their own.
    shapes=kinds("interface_declaration type_alias_declaration"),
    unsure=pairs("function_expression generator_function class mapped_type_clause", "name")
    | pairs("infer_type", None),
)
LANGUAGE = Language(
    name="javascript",
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    interpreters=("node",),
    editor_names=("javascriptreact",),
    grammar=("tree_sitter_javascript", "language"),
    definitions={
        "function_declaration": "function",
        "generator_function_declaration": "function",
        "class_declaration": "class",
        "method_definition": "method",
        "variable_declarator": "function",
        "assignment_expression": "function",
        "pair": "function",
        "field_definition": "method",
    },
    bindings=BINDINGS,
    wrappers=kinds(
        "export_statement ambient_declaration lexical_declaration variable_declaration expression_statement"
    ),
    attached=kinds("decorator"),
    import_kinds=("import_statement",),
    imported=leaves,
    import_writer="modules:Modules",
    heads=kinds("import_statement hash_bang_line"),
    blocks="braces",
    semicolons="optional",
    raw_quotes=("`",),
    scopes=_SCOPES,
    declaration="let {0} = 0;\nf({0});\n{0};\n",
    variables=BINDINGS | {"enum_assignment": ("name", "value"), "property_signature": ("name", "value")},
    new_variable="const {0}{2} = {1};",
    new_constant="const {0}{2} = {1};",
    decorator="@{}",
    modifiers=(
        "export, default, declare, public private protected, static, abstract, override, readonly, const let var"
    ),
    async_functions=True,
    new_function=NewFunction("function {0}({1}) {{", ("}",), "{{ {} }}", "const {0} = {1}"),
    bases=Bases(
        clauses={
            "extends_clause": "extends",
            "class_heritage": "extends",
            "extends_type_clause": "extends",
            "implements_clause": "implements",
        },
        words=("extends",),
    ),
    constructor="constructor",
    corpus_share=2.0,
    compiled_to=True,
)
