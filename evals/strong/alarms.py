"""How often the checks on a strong model's edits object to real changes, and to the same changes with a definition
forgotten, which is simulated: one that the change does not touch is taken out of the new file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from evals.outside.sources import rows, text_of
from evals.publish import publish
from fastedit.check import check_written, rules
from fastedit.source.definitions import definitions
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines
from fastedit.source.language import language_in
from fastedit.source.syntax import parse

QUICK = 20  # changes
_ANY = "any"
_LEAST = 3  # lines of a definition that is worth forgetting


def report(file: Path | None, *, quick: bool = False) -> None:
    """The changes that each check holds back. Raises FileUnreadable."""
    held: Counter[str] = Counter()
    forgotten: Counter[str] = Counter()
    changes, cut = 0, 0
    for document, new, instruction in islice(_changes(), QUICK if quick else None):
        changes += 1
        held.update(_codes(document, new, instruction))
        if (shorter := _without_one(document, new)) is not None:
            cut += 1
            forgotten.update(_codes(document, shorter, instruction))
    strong = [(rule.code, f"{rule.code} {rule.name}") for rule in rules() if "strong" in rule.applies_to]
    rows = {
        name: {"real changes": held[code], "with a definition forgotten": forgotten[code]}
        for code, name in (*strong, (_ANY, _ANY))
    }
    headline = {"real changes": changes, "with a definition forgotten": cut}
    publish("changes between two releases, dev", headline, {"held back by": rows}, file, quick=quick)


def _changes() -> Iterator[tuple[Document, tuple[str, ...], str]]:
    """The old document, the new lines and the instruction of each real change."""
    for row in {row["file"]["key"]: row for row in rows("agents", "dev")}.values():
        source = text_of(row, "dev")
        document = Document.from_text(source.old, Path(row["file"]["path"]))
        yield document, Document.from_text(source.new or "").lines, row["instruction"]


def _codes(document: Document, new: Sequence[str], instruction: str) -> set[str]:
    objections = check_written(document, diff_lines(document.lines, new), instruction, leaves_out=True)
    codes = {one.rule.code for one in objections}
    return codes | {_ANY} if codes else codes


def _without_one(document: Document, new: tuple[str, ...]) -> tuple[str, ...] | None:
    """The new lines without a definition that they share with the old ones; None where there is none."""
    language = language_in(document)
    before, after = parse(document.lines, language), parse(new, language)
    if before is None or after is None:
        return None
    old = {(item.path, document.lines[item.start : item.stop]) for item in definitions(before)}
    shared = [
        item
        for item in definitions(after)
        if len(item) >= _LEAST and (item.path, new[item.start : item.stop]) in old
    ]
    if not shared:
        return None
    item = Random(document.path.as_posix() if document.path else "").choice(shared)
    return new[: item.start] + new[item.stop :]
