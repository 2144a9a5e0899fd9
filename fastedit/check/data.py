"""Whether JSON, TOML and YAML can still be read."""

from __future__ import annotations

from collections.abc import Iterator

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.syntax import error_in


def _data_stays_valid(change: Change) -> Iterator[str]:
    """JSON, TOML and YAML that could be read before, or were not there yet, can be read after."""
    language = named(notation_in(change.document))
    if not change.hunks or language.is_code or (error := error_in(language.name, change.new)) is None:
        return
    if not change.document.text.strip() or error_in(language.name, change.old) is None:
        yield f"the result is not valid {language.name}: {error}"


RULE = Rule(
    code="FE102",
    name="data",
    sentence="JSON, TOML and YAML that could be read before, or are new, can be read after.",
    why="A grammar accepts what a reader refuses, such as a key that is there twice in TOML.",
    example=('-{"port": 1}\n+{"port": 1,}'),
    severity="broken",
    applies_to=(
        "merge",
        "literal",
        "strong",
        "embedded",
    ),
    check=_data_stays_valid,
)
