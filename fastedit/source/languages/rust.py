"""Rust."""

from __future__ import annotations

from fastedit.source.languages.base import Bases, Language
from fastedit.source.languages.imported import leaves
from fastedit.source.languages.scopes import Scopes, kinds, pairs

_SCOPES = Scopes(
    functions=frozenset({"function_item", "function_signature_item", "closure_expression"}),
    blocks=kinds("block if_expression while_expression for_expression match_arm mod_item macro_rule"),
    classes=frozenset({"impl_item", "trait_item", "struct_item", "enum_item", "union_item", "type_item"}),
    binders=pairs("let_declaration parameter for_expression let_condition match_arm", "pattern")
    | pairs("closure_parameters", None)
    | pairs("function_item function_signature_item struct_item enum_item union_item type_item", "name")
    | pairs("trait_item const_item static_item mod_item macro_definition", "name")
    | pairs("type_parameter const_parameter", "name")
    | pairs("use_as_clause", "alias"),
    patterns=kinds(
        "tuple_pattern tuple_struct_pattern struct_pattern field_pattern slice_pattern or_pattern "
        "ref_pattern mut_pattern reference_pattern captured_pattern match_pattern"
    ),
    used=frozenset({"type", "condition", "name"}),
    members=pairs("field_expression field_initializer", "field")
    | pairs("scoped_identifier scoped_type_identifier field_pattern", "name"),
    declares=pairs("field_declaration enum_variant function_item function_signature_item const_item", "name")
    | pairs("type_item", "name"),
    labels=pairs("lifetime label", None),
    apart=frozenset({("if_expression", "alternative"), ("for_expression", "value")}),
    statements=frozenset({"let_declaration", "let_condition"}),
    paths=True,
)
LANGUAGE = Language(
    name="rust",
    suffixes=(".rs",),
    grammar=("tree_sitter_rust", "language"),
    definitions={
        "function_item": "function",
        "function_signature_item": "function",
        "struct_item": "struct",
        "enum_item": "enum",
        "union_item": "union",
        "trait_item": "trait",
        "impl_item": "impl",
        "mod_item": "module",
        "type_item": "type",
        "macro_definition": "macro",
    },
    names={"impl_item": "type"},
    attached=kinds("attribute_item"),
    order="any",
    import_kinds=("use_declaration", "extern_crate_declaration"),
    imported=leaves,
    import_writer="trees:Trees",
    heads=kinds("use_declaration inner_attribute_item"),
    doc_comment="///",
    blocks="braces",
    semicolons="required",
    scopes=_SCOPES,
    declaration="fn f() {{ let {0} = 0; {0}; }}\n",
    variables={
        "assignment_expression": ("left", "right"),
        "const_item": ("name", "value"),
        "static_item": ("name", "value"),
        "let_declaration": ("pattern", "value"),
        "field_initializer": ("field", "value"),
        "field_declaration": ("name", "value"),
        "enum_variant": ("name", "value"),
    },
    types="after",
    new_variable="let {0}{2} = {1};",
    new_constant="const {0}{2} = {1};",
    typed_constants=True,
    bare_conditions=True,
    decorator="#[{}]",
    modifiers="pub pub(crate) pub(super), const static, unsafe, mut",
    async_functions=True,
    bases=Bases(clauses={"trait_bounds": ":"}, mark=":", separator=" + ", holders=frozenset({"trait"})),
    listed_fields=True,
    corpus_share=2.0,
)
