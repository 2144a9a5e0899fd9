"""`python -m evals.record NAME...`: run evaluations and keep what they measured in evals/results, with where and how.

A record is one JSON file: the command, the environment, and the evaluation's own figures as it wrote them. Documents
are made of records alone (`evals.report`).
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from evals.publish import check_known, machine
from fastedit.console import reported
from fastedit.errors import FileUnreadable

RESULTS = Path(__file__).parent / "results"
RECORDS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("records.toml").read_text("utf-8")
)
_PACKAGES = ("torch", "transformers", "tokenizers", "tree-sitter", "numpy", "llama-cpp-python")
_BULKY = frozenset({"cases", "edits"})  # what there is to single cases


def environment() -> dict[str, Any]:
    """Machine, versions, threads and commit; no name or path of anybody's."""
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return {
        "machine": machine(),
        "kernel": platform.release(),
        "threads": os.environ.get("OMP_NUM_THREADS", "all"),
        "versions": versions,
        "commit": commit.stdout.strip() or "unknown",
    }


def wrapped(command: str, data: dict[str, Any]) -> dict[str, Any]:
    """A record of what an evaluation wrote."""
    small = {key: value for key, value in data.items() if key not in _BULKY}
    return {"command": command, "environment": environment(), "data": small}


def measure(name: str, arguments: list[str]) -> dict[str, Any]:
    """Run one evaluation. Raises FileUnreadable where it writes no figures."""
    command = " ".join([RECORDS[name]["command"], *map(shlex.quote, arguments)])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "figures.json")
        done = subprocess.run([sys.executable, *shlex.split(command)[1:], "--json", str(file)], check=False)
        if not file.exists():
            raise FileUnreadable(f"{command}: ended with {done.returncode} and wrote no figures")
        return wrapped(command, json.loads(file.read_text()))


def load(name: str, folder: Path = RESULTS) -> dict[str, Any] | None:
    """The record of this name, None where there is none. Raises FileUnreadable for a file that is no record."""
    file = folder / f"{name}.json"
    if not file.exists():
        return None
    try:
        record: dict[str, Any] = json.loads(file.read_text("utf-8"))
        record["command"], record["environment"]["machine"], record["data"]["headline"]
    except (ValueError, KeyError, TypeError) as error:
        raise FileUnreadable(
            f"{file}: no record; make it anew with: python -m evals.record {name}"
        ) from error
    return record


@reported
def main(
    names: Annotated[list[str], typer.Argument(help=f"Of {', '.join(RECORDS)}.")],
    quick: Annotated[bool, typer.Option("--quick", help="Few cases; the record says so.")] = False,
    out: Annotated[Path, typer.Option(file_okay=False, help="Where records are kept.")] = RESULTS,
) -> None:
    """Measure and record."""
    check_known("evaluation", names, RECORDS)
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        record = measure(name, ["--quick"] if quick else [])
        (out / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
        print(f"recorded {name}.json")


if __name__ == "__main__":
    typer.run(main)
