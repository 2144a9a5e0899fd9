"""`python -m evals.training`: how a training run went, from its log: loss, and the share of tokens and answers right.

Figures of a row are means over the batches since the row before it, each taken before the model learned from it. No
batch comes twice, so they say how the model did on new examples of the stage that it was in; a stage with longer
regions is harder, and the share of whole answers falls where one begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.plots import Panel, draw, drawable
from fastedit.train.card import read_log
from fastedit.train.table import table

ROWS = 12  # that are printed
SHARES = {
    "accuracy": "answer tokens right",
    "novel_accuracy": "novel tokens right",
    "exact": "whole answers right",
}


def panels(rows: Sequence[dict[str, Any]]) -> list[Panel]:
    """Loss, and shares, over millions of tokens seen."""
    seen = [row["tokens"] / 1e6 for row in rows]
    shares = {name: [row[key] for row in rows] for key, name in SHARES.items()}
    return [
        Panel("million tokens", "loss", seen, {"weighted cross-entropy": [row["loss"] for row in rows]}),
        Panel("million tokens", "share", seen, shares),
    ]


def main(
    run: Annotated[Path, typer.Argument(help="A run's folder, which holds log.jsonl.")],
    plot: Annotated[Path | None, typer.Option(callback=drawable, help="Draw it here.")] = None,
) -> None:
    """How a training run went."""
    try:
        rows = read_log(run)
    except FileNotFoundError:
        raise typer.BadParameter(
            f"{run} holds no log.jsonl; `fastedit train` writes one into runs/NAME"
        ) from None
    rows = [row for row in rows if SHARES.keys() <= row.keys()]
    if not rows:
        raise typer.BadParameter(f"{run}: its log has no rows with {', '.join(SHARES)}")
    shown = rows[:: max(1, len(rows) // ROWS)]
    cells = [[f"{row['tokens']:,}", f"{row['minutes']:.0f}", f"{row['loss']:.3f}"] for row in shown]
    for line, row in zip(cells, shown, strict=True):
        line += [f"{row[key]:.3f}" for key in SHARES]
    print(f"{run.name}; {rows[-1]['machine']}; {rows[-1]['step']:,} steps")
    print(table(["tokens", "minutes", "loss", *SHARES.values()], cells))
    if plot:
        draw(panels(rows), f"{run.name}, {rows[-1]['machine']}", plot)


if __name__ == "__main__":
    typer.run(main)
