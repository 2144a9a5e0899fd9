"""What tells bindings and scopes apart in the languages whose scopes are blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fastedit.ops.kinds import kinds

Fields = frozenset[tuple[str, str | None]]


@dataclass(frozen=True, slots=True)
class Table:
    """Kinds of nodes, and pairs of a kind and the field that a name fills in it.

    `functions` and `blocks` open a scope for all but what fills an `outside` field or pair, `classes` for their
    members. `binders` bind the name, or the pattern around it; `patterns` are looked through on the way there, except
    by the `used` fields. `hoisted` is what binds in the function and not in the block. `members` stand behind a dot or
    in a literal of their type, `declares` makes one in a class, `labels` are no names of variables, `foreign` mean
    something in another file, `unsure` is not followed. `point`: in a function a binding is seen from its `statements`
    on. `bare`: a member is named without its object too.
    """

    functions: frozenset[str]
    blocks: frozenset[str]
    classes: frozenset[str]
    binders: Fields
    patterns: frozenset[str]
    members: Fields
    labels: Fields
    used: frozenset[str] = frozenset()
    hoisted: frozenset[str] = frozenset()
    declares: Fields = frozenset()
    foreign: Fields = frozenset()
    unsure: Fields = frozenset()
    outside: frozenset[str] = frozenset({"name"})
    apart: Fields = frozenset()
    statements: frozenset[str] = frozenset()
    bare: bool = False

    @property
    def point(self) -> bool:
        return bool(self.statements)


def _fields(kinds: str, field: str | None) -> Fields:
    return frozenset((kind, field) for kind in kinds.split())


_SCRIPT = Table(
    functions=kinds(
        "function_declaration generator_function_declaration function_expression generator_function "
        "arrow_function method_definition function_signature method_signature function_type "
        "abstract_method_signature construct_signature call_signature constructor_type"
    ),
    blocks=kinds(
        "statement_block for_statement for_in_statement catch_clause switch_body class_static_block "
        "interface_declaration type_alias_declaration"
    ),
    classes=frozenset({"class_declaration", "class", "abstract_class_declaration"}),
    binders=_fields("formal_parameters import_clause namespace_import", None)
    | _fields("required_parameter optional_parameter", "pattern")
    | _fields("catch_clause arrow_function", "parameter")
    | _fields(
        "variable_declarator function_declaration generator_function_declaration function_signature", "name"
    )
    | _fields(
        "class_declaration abstract_class_declaration interface_declaration type_alias_declaration", "name"
    )
    | _fields("enum_declaration internal_module type_parameter", "name")
    | _fields("for_in_statement", "left"),
    patterns=frozenset(
        {"object_pattern", "array_pattern", "rest_pattern", "assignment_pattern", "pair_pattern"}
        | {"object_assignment_pattern"}
    ),
    used=frozenset({"right", "key"}),
    hoisted=frozenset({"variable_declaration"}),
    members=_fields("member_expression nested_identifier", "property")
    | _fields("nested_type_identifier", "name")
    | _fields("pair_pattern", "key"),
    declares=_fields("method_definition public_field_definition abstract_method_signature", "name")
    | _fields("method_signature", "name")
    | _fields("field_definition", "property"),
    labels=_fields("index_signature property_signature enum_assignment enum_body", "name")
    | _fields("labeled_statement break_statement continue_statement", "label")
    | _fields("pair", "key")
    | _fields("jsx_attribute meta_property", None),
    # These name themselves within, or bind types in ways of their own.
    unsure=_fields("function_expression generator_function class mapped_type_clause", "name")
    | _fields("infer_type", None),
)
_GO = Table(
    functions=frozenset({"function_declaration", "method_declaration", "func_literal"}),
    blocks=kinds(
        "block if_statement for_statement expression_switch_statement type_switch_statement "
        "expression_case type_case communication_case default_case function_type method_elem"
    ),
    classes=frozenset({"struct_type", "interface_type"}),
    binders=_fields(
        "function_declaration var_spec const_spec import_spec parameter_declaration type_spec", "name"
    )
    | _fields("variadic_parameter_declaration type_parameter_declaration type_alias", "name")
    | _fields("short_var_declaration range_clause receive_statement", "left")
    | _fields("type_switch_statement", "alias"),
    patterns=frozenset({"expression_list"}),
    members=_fields("selector_expression", "field"),
    declares=_fields("field_declaration method_declaration method_elem", "name"),
    labels=frozenset(),
    foreign=_fields("qualified_type", "name") | _fields("package_clause", None),
    statements=frozenset({"short_var_declaration", "var_spec", "const_spec", "receive_statement"}),
)
_JAVA = Table(
    functions=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    blocks=frozenset(
        {"block", "for_statement", "enhanced_for_statement", "try_with_resources_statement", "catch_clause"}
        | {"switch_block_statement_group", "switch_rule"}
    ),
    classes=frozenset(
        {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}
        | {"annotation_type_declaration", "object_creation_expression"}
    ),
    binders=_fields(
        "variable_declarator formal_parameter catch_formal_parameter enhanced_for_statement", "name"
    )
    | _fields("resource enum_constant class_declaration interface_declaration enum_declaration", "name")
    | _fields("record_declaration annotation_type_declaration", "name")
    | _fields("inferred_parameters type_parameter", None)
    | _fields("lambda_expression", "parameters"),
    patterns=frozenset(),
    members=_fields("field_access", "field")
    | _fields("scoped_identifier method_invocation", "name")
    | _fields("scoped_type_identifier", None),
    declares=_fields("method_declaration", "name"),
    labels=_fields("labeled_statement break_statement continue_statement", None)
    | _fields("element_value_pair", "key"),
    unsure=_fields("instanceof_expression", "name") | _fields("type_pattern record_pattern_component", None),
    bare=True,
)
_C = Table(
    functions=frozenset({"function_definition"}),
    blocks=frozenset({"compound_statement", "for_statement", "function_declarator"}),
    classes=frozenset({"struct_specifier", "union_specifier"}),
    binders=_fields("declaration parameter_declaration function_definition type_definition", "declarator")
    | _fields("preproc_def preproc_function_def enumerator", "name")
    | _fields("struct_specifier union_specifier enum_specifier", "name"),
    patterns=frozenset(
        {"pointer_declarator", "array_declarator", "function_declarator", "init_declarator"}
        | {"parenthesized_declarator", "attributed_declarator"}
    ),
    used=frozenset({"value", "size", "parameters"}),
    members=_fields("field_expression", "field") | _fields("field_designator", None),
    declares=_fields("field_declaration", "declarator"),
    labels=_fields("attribute", "name"),
    unsure=_fields("preproc_function_def", "name"),
    outside=frozenset({"declarator", "type"}),
    statements=frozenset({"init_declarator", "declaration"}),
)
_CPP = replace(
    _C,
    functions=_C.functions | {"lambda_expression"},
    blocks=_C.blocks
    | {"for_range_loop", "if_statement", "while_statement", "catch_clause"}
    | {"namespace_definition", "template_declaration"},
    classes=_C.classes | {"class_specifier"},
    binders=_C.binders
    | _fields("for_range_loop optional_parameter_declaration variadic_parameter_declaration", "declarator")
    | _fields("lambda_capture_initializer", "left")
    | _fields("class_specifier namespace_definition alias_declaration", "name")
    | _fields("type_parameter_declaration", None),
    patterns=_C.patterns | {"reference_declarator", "structured_binding_declarator"},
    declares=frozenset(),
    labels=_C.labels | _fields("field_declaration", "declarator"),
    unsure=_C.unsure | _fields("qualified_identifier", "name"),
)
_RUST = Table(
    functions=frozenset({"function_item", "function_signature_item", "closure_expression"}),
    blocks=kinds("block if_expression while_expression for_expression match_arm mod_item macro_rule"),
    classes=frozenset({"impl_item", "trait_item", "struct_item", "enum_item", "union_item", "type_item"}),
    binders=_fields("let_declaration parameter for_expression let_condition match_arm", "pattern")
    | _fields("closure_parameters", None)
    | _fields("function_item function_signature_item struct_item enum_item union_item type_item", "name")
    | _fields("trait_item const_item static_item mod_item macro_definition", "name")
    | _fields("type_parameter const_parameter", "name")
    | _fields("use_as_clause", "alias"),
    patterns=kinds(
        "tuple_pattern tuple_struct_pattern struct_pattern field_pattern slice_pattern or_pattern "
        "ref_pattern mut_pattern reference_pattern captured_pattern match_pattern"
    ),
    used=frozenset({"type", "condition", "name"}),
    members=_fields("field_expression field_initializer", "field")
    | _fields("scoped_identifier scoped_type_identifier field_pattern", "name"),
    declares=_fields(
        "field_declaration enum_variant function_item function_signature_item const_item", "name"
    )
    | _fields("type_item", "name"),
    labels=_fields("lifetime label", None),
    apart=frozenset({("if_expression", "alternative"), ("for_expression", "value")}),
    statements=frozenset({"let_declaration", "let_condition"}),
)
TABLES = {
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": _GO,
    "java": _JAVA,
    "c": _C,
    "cpp": _CPP,
    "rust": _RUST,
}
