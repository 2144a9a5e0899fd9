"""What the weights of the merge are fitted on: sketches of models and hazards, both of packages that models train on.

`agents-train.jsonl` was written as the agents' edits of the other halves were: by authors that had the file before and
after, a habit, and nothing else (docs/evaluation.md). Thirty-six had the file before alone, and thought of the change
themselves; four of these were told to write as hurried models do, and to forget a marker in every second sketch. Nobody
read these again: a few do not say all of their change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.edits import DATA, SETS, RealEdit, load
from evals.outside.documents import text_after
from evals.outside.hazards import hazards_of, texts_of
from evals.outside.releases import HERE
from evals.outside.sources import Missing, digest
from fastedit.train import jsonl

CASES = DATA / "merge-train.jsonl.gz"
MOST = 10  # hazards of one kind in one language
_LONGEST = 700  # lines


def write() -> int:
    """Write the cases as `python -m fastedit.train merge --cases` reads them. Raises Missing and FileNotFoundError."""
    edits = {f"{name}-train": load("train", name) for name in SETS}
    rows = [*_agents(edits), *_hazards([edit for found in edits.values() for edit in found])]
    jsonl.write(CASES, rows)
    return len(rows)


def _agents(edits: dict[str, list[RealEdit]]) -> list[dict[str, Any]]:
    """The sketches of models, of which each counts as much as two others."""
    known: dict[tuple[str, ...], RealEdit] = {}
    for name, found in edits.items():
        for edit in found:
            file = name, edit.package, edit.path, digest(edit.old)
            known[file] = known[*file, digest(edit.new)] = edit
    made = []
    for row in jsonl.read(HERE / "agents-train.jsonl"):
        wanted = [row[key] for key in ("set", "package", "path", "old", "new") if key in row]
        asked = known.get(tuple(wanted))
        if asked is None:
            raise Missing(
                f"{row['id']}: {row['set']} has no such edit; build it again: python -m evals.edits build"
            )
        new = text_after(row, asked.old) if "change" in row else asked.new
        texts = {"package": asked.package, "path": asked.path, "old": asked.old, "new": new}
        made.append(texts | {"edit": row["edit"], "weight": 2.0})
    return made


def _hazards(edits: list[RealEdit]) -> list[dict[str, Any]]:
    files = {f"{edit.package}/{edit.path}": edit for edit in edits if edit.old.count("\n") < _LONGEST}
    found = hazards_of([(key, edit.old) for key, edit in files.items()], "hazards train", MOST)
    made = []
    for key, text, hazard in found:
        old, new = texts_of(text, hazard)
        texts = {"package": files[key].package, "path": Path(key).name, "old": old}
        made.append(texts | {"edit": "\n".join(hazard.sketch) + "\n", "new": new})
    return made
