"""Typed edits: what an agent, a grammar or a person says exactly is carried out exactly, or refused by name."""

from fastedit.ops.base import Candidate, Operation, Outcome
from fastedit.ops.carry import carry_out
from fastedit.ops.codec import all_from_json, from_fields, from_json, parse_operations, schema, to_json
from fastedit.ops.registry import operation_named, operations

__all__ = [
    "Candidate",
    "Operation",
    "Outcome",
    "all_from_json",
    "carry_out",
    "from_fields",
    "from_json",
    "operation_named",
    "operations",
    "parse_operations",
    "schema",
    "to_json",
]
