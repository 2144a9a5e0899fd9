"""`fastedit models`: what checkpoint folders offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fastedit.cli import options
from fastedit.console import reported, tell

if TYPE_CHECKING:
    from fastedit.model.checkpoint import Checkpoint


@reported
def models(
    folders: Annotated[
        list[str] | None,
        typer.Argument(metavar="FOLDER", help="Checkpoints; by default the embedded models."),
    ] = None,
    json: options.JsonLines = False,
) -> None:
    """Show what checkpoints offer, without loading them.

    Prints kind, sizes, weights, vocabulary, heads, multi-token-prediction modules, and the drafters that fastedit runs
    from them.

    Examples:
        fastedit models
        fastedit models ~/models/qwen3-4b ~/models/eagle
    """
    import dataclasses
    from json import dumps
    from pathlib import Path

    from fastedit.engine.models.folder import EMBEDDED, resolved
    from fastedit.model.checkpoint import read_checkpoint

    for name in map(resolved, folders or EMBEDDED):
        found = read_checkpoint(EMBEDDED.get(name) or Path(name))
        if json:
            fields = dataclasses.asdict(found) | {"folder": str(found.folder), "drafters": found.drafters()}
            tell(dumps(fields))
        else:
            for line in _described(name, found):
                tell(line)


def _described(name: str, found: Checkpoint) -> list[str]:
    sizes = ", ".join(f"{key} {value}" for key, value in found.sizes.items())
    weights = "weights in another format than safetensors"
    if found.parameters is not None and found.bytes is not None:
        weights = f"{found.parameters / 1e6:,.1f}M parameters, {'/'.join(found.dtypes)}, {found.bytes / 1e6:,.1f} MB"
    vocabulary = "not given" if found.vocab is None else f"{found.vocab} tokens"
    counted = {"heads": found.heads, "MTP modules": found.mtp}
    return [
        f"{name}: {found.kind}, {found.detail}",
        f"  weights     {weights}",
        f"  sizes       {sizes or 'not given'}",
        f"  vocabulary  {vocabulary}, {'with' if found.tokenizer else 'without'} a tokenizer",
        *(f"  {what:<11} {count}" for what, count in counted.items() if count),
        f"  drafters    {', '.join(found.drafters()) or 'none that fastedit runs from here'}",
    ]
