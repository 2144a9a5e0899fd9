"""The data card that ships beside the weights: what the model was trained on, and how well it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastedit.errors import UsageError
from fastedit.train import jsonl
from fastedit.train.embedded.trainer import AnswerScore
from fastedit.train.loop import LOG
from fastedit.train.sources.corpus import HELD_OUT, SourceFile, by_language
from fastedit.train.table import table

LOCKS = "`evals/edits.lock.json`, `evals/languages.lock.json`"
HEAD = """\
# Data card of the embedded model

Written by `python -m fastedit.train card`; nothing here is written by hand.

The model rewrites a located region of a file. It was trained on synthetic edits of the source files below: update
sketches (replace, insert, delete, modify, double, several hunks) and {families} families of instructions. It cannot
follow an instruction outside those families: fastedit then answers `suspect`, and a larger model helps
(`--model FOLDER`).

Never trained on, by name: {held_out}. Their releases are the development and test sets of `evals`.
"""


def card(
    files: Sequence[SourceFile],
    real: Sequence[str],
    logs: Sequence[Sequence[dict[str, Any]]],
    scores: dict[str, AnswerScore],
) -> str:
    """Markdown. `real` names the packages of the real edits, `logs` hold the rows of each run's log.jsonl in turn.

    `scores` come from packages held out for validation.
    """
    training = "\n".join(
        f"- {last['tokens']:,} tokens in {last['step']:,} steps, {last['minutes']:.0f} minutes on `{last['machine']}`"
        for last in (log[-1] for log in logs)
    )
    families = len([kind for kind in scores if kind != "update"])
    parts = [
        HEAD.format(families=families, held_out=", ".join(sorted(HELD_OUT))),
        f"## Training\n\nRuns, each from the weights of the one before:\n\n{training}\n",
        "## Accuracy on packages held out for validation\n\nRegions up to 60 lines; exact means every token.\n",
        table(
            ("kind", "examples", "exact", "tokens right"),
            [(k, str(s.examples), f"{s.exact:.3f}", f"{s.token_accuracy:.5f}") for k, s in scores.items()],
        )
        + "\n",
        "## Sources\n\nPermissive licences only, as the packages declare them; Debian's say it file by file.\n",
        by_language(files) + "\n",
        table(("package", "version", "licence", "files"), _packages(files)) + "\n",
        f"Real edits, two releases each ({LOCKS}): {', '.join(real) or 'none'}.\n",
    ]
    return "\n".join(parts)


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Raises UsageError."""
    rows = list(jsonl.read(folder / LOG)) if (folder / LOG).exists() else []
    if not rows:
        raise UsageError(f"{folder}: no run has left its log there; give the --run that made the weights")
    return rows


def _packages(files: Sequence[SourceFile]) -> list[tuple[str, str, str, str]]:
    """One row for each package and licence."""
    counts = Counter((f.package, f.version, f.licence[:60].replace("|", "/")) for f in files)
    return [(*package, str(count)) for package, count in sorted(counts.items())]
