"""Whether a change may be trusted: one rule a file, each a sentence that must hold.

Strict on purpose: a false alarm costs a look at the diff, a wrong change that passes costs the file.
"""

from fastedit.check.base import Objection, Rule
from fastedit.check.by_author import (
    Held,
    check_literal,
    check_merge,
    check_written,
    held_against_merge,
)
from fastedit.check.registry import parse_ignored, rule_of, rules

__all__ = [
    "Held",
    "Objection",
    "Rule",
    "check_literal",
    "check_merge",
    "check_written",
    "held_against_merge",
    "parse_ignored",
    "rule_of",
    "rules",
]
