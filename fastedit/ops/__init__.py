"""Typed edits: what an agent, a grammar or a person says exactly is carried out exactly, or refused by name."""

# Importing a family is what makes its operations known.
from fastedit.ops import (  # noqa: F401
    annotations,
    asynchrony,
    bases,
    comments,
    conditions,
    decorators,
    delete,
    dependency,
    entries,
    extract,
    imports,
    keys,
    modifiers,
    parameters,
    places,
    rename,
    replace,
    statements,
    values,
)
from fastedit.ops.base import Candidate, Operation, Outcome, operation_named, operations
from fastedit.ops.carry import carry_out
from fastedit.ops.codec import from_fields, from_json, parse_operations, schema, to_json

__all__ = [
    "Candidate",
    "Operation",
    "Outcome",
    "carry_out",
    "from_fields",
    "from_json",
    "operation_named",
    "operations",
    "parse_operations",
    "schema",
    "to_json",
]
