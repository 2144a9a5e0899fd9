"""What speaks for and against the deletion of file lines that a sketch passes over."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from fastedit.sketch.features.facts import Facts
from fastedit.sketch.paths.columns import table
from fastedit.sketch.paths.weights import GONE, INK
from fastedit.sketch.read.names import bound_by, imports_of
from fastedit.sketch.read.reading import SHORT, WORD, target_of
from fastedit.sketch.read.removals import removal_note, removed_names


def gone(facts: Facts) -> Any:
    """[n, GONE]: what each line says of itself."""
    values: dict[str, Any] = {f"gone, {name}": facts.inks == at for at, name in enumerate(INK)}
    values["gone, shown elsewhere"] = facts.shown & (facts.inks >= SHORT)
    values["gone import"] = facts.imports
    if facts.is_piece:
        unmarked = float(not facts.spelled)
        values |= {"gone in data": 1.0, "gone in data without any marker": unmarked}
        keyed = np.array(facts.file.keyed, dtype=float)
        values |= {"gone key": keyed, "gone key without any marker": keyed * unmarked}
    return table(GONE, values, facts.shape[1])


def unsaid_imports(facts: Facts) -> Any:
    """[m + 1, n]: the imports above all that the sketch shows, where it shows none: they do not go without a word."""
    m, n = facts.shape
    stays = np.zeros((m + 1, n), dtype=bool)
    if not facts.sketch.imports:
        stays[0, [row for statement in imports_of(facts.file) for row in statement]] = True
    return stays


_OF = re.compile(r"\.|::?")
_ITEM_ENDS = re.compile(r"\s*,?\s*(?:(?:#|//|/\*).*)?")


class NamedGone(NamedTuple):
    """What notes of the sketch say by name is gone: `notes` [m] are these notes, `goes` [n] the lines that they name.
    `stays` [m + 1, n]: what can not go beside such a note, for it is not what the note names."""

    notes: Any
    goes: Any
    stays: Any


def named(facts: Facts) -> NamedGone:
    """A name counts that one definition, import or statement of the file has and nothing that the sketch shows."""
    m, n = facts.shape
    notes, stays = np.zeros(m, dtype=bool), np.zeros((m + 1, n), dtype=bool)
    goes = np.zeros(n, dtype=bool)
    shown = set(facts.sketch.heads.values())
    for i, text in enumerate(facts.sketch.texts):
        if not facts.comment[i] or facts.places[i]:
            continue
        names = _head_in(facts, removal_note(text) or "") or removed_names(text)
        found = [_rows_of(facts, name) for name in names if name not in shown]
        if names and len(found) == len(names) and all(found):
            mine = np.isin(np.arange(n), [row for rows in found for row in rows])
            notes[i], goes = True, goes | mine
            stays[i : i + 2] |= ~mine
    return NamedGone(notes, goes, stays)


def _head_in(facts: Facts, what: str) -> list[str]:
    """The name that these words end with, if a definition of it begins with them: `mod tests`."""
    words = what.removesuffix("()")
    _, _, name = words.rpartition(" ")
    spelled = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    return (
        [name] if any(spelled.search(facts.file.stripped[row]) for row in facts.heads.get(name, ())) else []
    )


def _rows_of(facts: Facts, name: str) -> list[int]:
    file = facts.file
    if heads := facts.heads.get(name) or facts.heads_of(tuple(name.split("."))) or _members(facts, name):
        # A constructor has the name of the class that it is in.
        outer = [head for head in heads if set(file.chains[head][:-1]).isdisjoint(heads)]
        return [row for row, chain in enumerate(file.chains) if outer[0] in chain] if len(outer) == 1 else []
    bound = [(statement, bound_by(file.texts, statement, file.language)) for statement in imports_of(file)]
    imports = [(statement, names) for statement, names in bound if name in names]
    if imports:
        statement, names = imports[0]
        return list(statement) if len(imports) == 1 and len(names) == 1 else []
    rows = [row for row, text in enumerate(file.texts) if target_of(text) == name]
    rows = rows or [row for row, text in enumerate(file.stripped) if _is_item(text, name)]
    rows = rows or _opening(facts, name)
    return list(range(rows[0], file.block_end(rows[0]))) if len(rows) == 1 else []


def _members(facts: Facts, name: str) -> list[int]:
    """The first lines of the definitions whose heads say what they are of before their name: `M.load`, `A::load`."""
    return [row for row, known in facts.file.heads.items() if _OF.split(known)[-1] == name]


def _opening(facts: Facts, name: str) -> list[int]:
    """The lines that say a name where a block begins, in what has no known definitions: `resource "a" "name" {`."""
    file, between = facts.file, r"\W+".join(WORD.findall(name))
    said = re.compile(rf"(?<![\w-]){between}(?![\w-])")
    unknown = bool(between) and not (file.language.is_code or file.language.prose)
    openers = sorted({row for row in file.parents if row is not None})
    return [row for row in openers if said.search(file.texts[row])] if unknown else []


def _is_item(text: str, name: str) -> bool:
    """Whether a line is nothing but this item of a list, and perhaps a comment."""
    item, quote, rest = text.removeprefix("- ").lstrip().partition(name)
    return bool(quote) and item in ("", *"\"'`") and _ITEM_ENDS.fullmatch(rest.removeprefix(item)) is not None


def cuts(facts: Facts) -> tuple[Any, Any]:
    """[n + 1, CUT] and [n + 1, JOIN]: what stands where deleted lines begin and end. A common line there is a weak sign
    that they do."""
    common = ~facts.unique[:, None]
    return np.pad(common, ((1, 0), (0, 0))).astype(float), np.pad(common, ((0, 1), (0, 0))).astype(float)
