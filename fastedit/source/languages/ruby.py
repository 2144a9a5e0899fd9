"""Ruby."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastedit.source.languages.base import Language
from fastedit.source.languages.imported import whole
from fastedit.source.languages.scopes import kinds

if TYPE_CHECKING:
    from tree_sitter import Node

    from fastedit.source.syntax import Syntax

_REQUIRING = ("require", "require_relative", "load", "autoload")


def _imported(syntax: Syntax, node: Node) -> list[str] | None:
    """The whole text of a call that brings in names, none of which it says."""
    method = node.child_by_field_name("method")
    plain = method is not None and node.child_by_field_name("receiver") is None
    return whole(syntax, node) if plain and syntax.text(method or node) in _REQUIRING else None


LANGUAGE = Language(
    name="ruby",
    suffixes=(".rb", ".rake", ".gemspec"),
    interpreters=("ruby",),
    grammar=("tree_sitter_ruby", "language"),
    told_by_text=False,  # it reads much of what is not Ruby
    alike={
        "assignment": "assignment_expression",
        "block_body": "statement_list",
        "body_statement": "statement_list",
        "begin": "block",
        "binary": "binary_expression",
        "call": "call_expression",
        "do": "block",
        "else": "block",
        "ensure": "block",
        "return": "return_statement",
        "break": "break_statement",
        "next": "continue_statement",
        "redo": "continue_statement",
        "retry": "continue_statement",
        "then": "block",
        "unary": "unary_expression",
    },
    repeats=re.compile(r"class\b|module\b"),
    definitions={
        "module": "module",
        "class": "class",
        "method": "method",
        "singleton_method": "class method",
    },
    identifiers=kinds("constant instance_variable class_variable global_variable"),
    parted=False,
    import_kinds=("call",),
    imported=_imported,
    reserved=("end", "else", "elsif", "when", "then", "do", "rescue", "ensure"),
    data_below=re.compile(r"__END__$"),
    comment=("#", ""),
    doc_comment="#",
    heredoc=re.compile(r"""<<[-~]?(?P<quote>["'`]?)(?P<end>[A-Z_]\w*)(?P=quote)"""),
    blocks="end",
    indent="  ",
    acting=kinds("call yield super assignment operator_assignment <<"),
    variables={"assignment": ("left", "right")},
    bare_conditions=True,
)
