"""`python -m tests.engines.record vllm|sglang`: what the installed release makes of our settings, heads and drafter.

Its own argument parser reads the commands of docs/models.md, and its own model class loads heads made on the spot.
Writes tests/engines/NAME.json, by which the tests check settings and heads where the engine is not installed. Runs in
the engine's environment, from a checkout, after `pip install --no-deps . ./integrations/vllm`; no GPU needed.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from tests.engines.record.head import shapes, write_example, write_parallel, write_target

TABLES = Path(__file__).parents[1]
OFFLINE = {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
ON_CPU = {"VLLM_TARGET_DEVICE": "cpu"}


def table(engine: str) -> dict[str, Any]:
    """Raises ImportError where the engine is not installed."""
    os.environ.update(OFFLINE | ON_CPU)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        target = write_target(folder / "target")
        examples = [write_example(shape, folder / f"head-{i}") for i, shape in enumerate(shapes())]
        parallel = write_parallel(shapes()[0], folder / "parallel")
        recorded: dict[str, Any] = import_module(f"tests.engines.record.{engine}").record(
            target, examples, parallel
        )
    return {"engine": engine, "version": importlib.metadata.version(engine)} | recorded


def main(
    engine: Annotated[str, typer.Argument(help="vllm or sglang.")],
    out: Annotated[Path, typer.Option(help="Folder of the table.")] = TABLES,
) -> None:
    made = table(engine)
    (out / f"{engine}.json").write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
