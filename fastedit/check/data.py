"""Whether JSON, TOML and YAML can still be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.check.template import reads_filled
from fastedit.source.language import notation_in
from fastedit.source.languages import Language, named
from fastedit.source.syntax import error_in


def _data_stays_valid(change: Change) -> Iterator[str]:
    """JSON, TOML and YAML that could be read before, or were not there yet, can be read after."""
    language = named(notation_in(change.document))
    if not change.hunks or language.is_code or (error := error_in(language.name, change.new)) is None:
        return
    if _is_meant(language, change.new) if change.is_new else error_in(language.name, change.old):
        return
    yield f"the result is not valid {language.name}: {error}"


def _is_meant(language: Language, lines: Sequence[str]) -> bool:
    """Whether a new text is empty, a template, or in a dialect."""

    def reads(lines: Sequence[str]) -> bool:
        return error_in(language.name, tuple(lines)) is None

    plain = language.plain
    in_dialect = plain is not None and reads(plain("\n".join(lines)).split("\n"))
    return in_dialect or not any(map(str.strip, lines)) or reads_filled(lines, reads)


RULE = Rule(
    code="FE102",
    name="data",
    sentence="JSON, TOML and YAML that could be read before, or are new, can be read after.",
    why=(
        "A grammar accepts what a reader refuses, such as a key that is there twice in TOML or YAML. A new file may be "
        "a template, or JSON with comments."
    ),
    example=('-{"port": 1}\n+{"port": 1,}'),
    severity="broken",
    applies_to=("merge", "literal", "strong"),
    check=_data_stays_valid,
)
