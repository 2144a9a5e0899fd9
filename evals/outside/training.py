"""What the weights of the merge are fitted on: sketches of models and hazards, both of packages that models train on.

`agents-train.jsonl` was written as the agents' edits of the other halves were: by authors that had the file before and
after, a habit, and nothing else (docs/evaluation.md). Ninety-nine had the file before alone, and thought of the change
themselves; five of these were told to write as hurried models do, and to forget a marker in every second sketch,
fifteen to write as little as a colleague would understand, four to send pieces of data files, four to show the heads
that lead to a change, eighteen to say in comments what is new, nine to write comments in other languages than English.
Nobody read these again: a few do not say all of their change.
"""

from __future__ import annotations

from typing import Any

from evals.edits import DATA, EditsOfRows, RealEdit
from evals.outside.releases import HERE
from evals.outside.sent import texts_of
from fastedit.train import jsonl

CASES = DATA / "merge-train.jsonl.gz"
WRITTEN, GENERATED = "agents-train.jsonl", "hazards-train.jsonl"
# One in so many of the first counts once more for the file that has its change: nothing is to be done there.
SENT_TWICE = 5
# How much a case counts where signs are fitted. Whoever thinks of a change says it more plainly than whoever sketches
# one that somebody made. For data, styles and documents there are no others.
OF_REAL, OF_OTHERS = 1.0, 0.3


def write() -> int:
    """Write the cases as `python -m fastedit.train merge --cases` reads them. Raises FileUnreadable."""
    edits = EditsOfRows("train")
    written, generated = (
        [_case(row, edits[row]) for row in jsonl.read(HERE / file)] for file in (WRITTEN, GENERATED)
    )
    made = [
        *(case | {"weight": 2.0} for case in written),
        *(case | {"weight": 1.0, "of_signs": OF_OTHERS} for case in generated),
        *(case | {"weight": 1.0, "of_signs": 0.0, "old": case["new"]} for case in written[::SENT_TWICE]),
    ]
    jsonl.write(CASES, made)
    return len(made)


def _case(row: dict[str, Any], edit: RealEdit) -> dict[str, Any]:
    invented = "change" in row
    old, new = texts_of(row, edit.old) if invented else (edit.old, edit.new)
    said = {"author": row["author"], "edit": row.get("edit", new)}  # a whole file where no edit is kept
    of_signs = OF_REAL
    if invented:
        of_signs = OF_OTHERS if row["set"] == "documents-train" else 0.0
    return {"package": edit.package, "path": edit.path, "old": old, "new": new, "of_signs": of_signs} | said
