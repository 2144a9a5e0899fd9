"""A rule in Markdown, as `fastedit rule` prints it and docs/checks.md has it, and as JSON."""

from __future__ import annotations

from typing import Final

from fastedit.check.base import Rule
from fastedit.check.change import Author

AUTHORS: Final[dict[Author, str]] = {
    "merge": "merges of an update",
    "literal": "hunks and whole files",
    "strong": "strong models",
}
SEVERITIES: Final = {
    "broken": "the file is broken; no certainty outweighs it, and it cannot be ignored",
    "wrong": "the change is wrong as it stands; no certainty outweighs it",
    "doubt": "a doubt, which an update with only one plausible reading outweighs",
}


def described(rule: Rule, level: int = 1) -> str:
    """Markdown under a heading of this level."""
    return "\n\n".join(
        [
            f"{'#' * level} {rule.code}",
            f"**{rule.sentence}** (`{rule.name}`)",
            rule.why,
            f"```diff\n{rule.example}\n```",
            f"- Severity: `{rule.severity}` ({SEVERITIES[rule.severity]})\n"
            f"- Applies to: {', '.join(AUTHORS[author] for author in rule.applies_to)}",
        ]
    )


def to_json(rule: Rule) -> dict[str, object]:
    """All that a rule says of itself."""
    return {
        "code": rule.code,
        "name": rule.name,
        "sentence": rule.sentence,
        "why": rule.why,
        "example": rule.example,
        "severity": rule.severity,
        "applies_to": list(rule.applies_to),
        "can_be_ignored": rule.can_be_ignored,
    }
