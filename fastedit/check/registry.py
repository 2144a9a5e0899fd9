"""All rules: the modules of this package that have a `RULE`."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from fastedit.check.base import Rule
from fastedit.errors import UsageError


@cache
def rules() -> tuple[Rule, ...]:
    """By code."""
    modules = (
        import_module(f"fastedit.check.{module.name}")
        for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    )
    found: list[Rule] = [module.RULE for module in modules if hasattr(module, "RULE")]
    return tuple(sorted(found, key=lambda rule: rule.code))


def rule_of(code: str) -> Rule:
    """Raises UsageError for a code that no rule has."""
    for rule in rules():
        if rule.code == code.strip().upper():
            return rule
    raise UsageError(f"rule {code!r} is none of {', '.join(rule.code for rule in rules())}")


def parse_ignored(codes: Iterable[str]) -> frozenset[str]:
    """The codes of the rules to leave out. Raises UsageError for one that there is not, or that cannot be ignored."""
    found = [rule_of(code) for code in codes]
    if fixed := [rule for rule in found if not rule.can_be_ignored]:
        raise UsageError(
            f"{fixed[0].code} cannot be ignored: it means a broken file; review the result and force it instead"
        )
    return frozenset(rule.code for rule in found)
