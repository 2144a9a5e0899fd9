"""`python -m tests.engines.record WHEEL`: what a release of vLLM or SGLang takes, read from its source into a table.

Nothing of the release is imported or installed: the wheel is opened, and names and types are read from its syntax.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

FOLDER = Path(__file__).parent


def fields(tree: ast.Module, name: str) -> Iterator[tuple[str, ast.expr]]:
    """Annotated fields of a class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == name:
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    yield item.target.id, item.annotation


def literals(tree: ast.Module, name: str) -> list[str]:
    """The values of a Literal at the module's top, those of Literals in it included."""
    values: dict[str, list[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            held = node.value.slice
            parts = held.elts if isinstance(held, ast.Tuple) else [held]
            values[ast.unparse(node.targets[0])] = [
                value
                for part in parts
                for value in ([part.value] if isinstance(part, ast.Constant) else values[ast.unparse(part)])
            ]
    return values[name]


def vllm(wheel: ZipFile) -> dict[str, Any]:
    """Fields of `--speculative-config`, its methods, and how the runner calls a custom proposer."""
    config, runner = "vllm/config/speculative.py", "vllm/v1/worker/gpu_model_runner.py"
    tree = ast.parse(wheel.read(config))
    call = next(
        node.body
        for node in ast.walk(ast.parse(wheel.read(runner)))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "spec_config.method == 'custom_class'"
    )
    proposed = next(
        n for part in call for n in ast.walk(part) if isinstance(n, ast.Call) and n.args and n.keywords
    )
    return {
        "files": [config, runner],
        "fields": {name: ast.unparse(kind) for name, kind in fields(tree, "SpeculativeConfig")},
        "methods": literals(tree, "SpeculativeMethod"),
        "propose": {
            "positional": [ast.unparse(argument) for argument in proposed.args],
            "keywords": [str(keyword.arg) for keyword in proposed.keywords],
        },
    }


def sglang(wheel: ZipFile) -> dict[str, Any]:
    """Flags of speculative decoding and their types, and the algorithms."""
    args, info = "sglang/srt/arg_groups/fields/spec.py", "sglang/srt/speculative/spec_info.py"
    flags = {}
    for name, annotation in fields(ast.parse(wheel.read(args)), "Spec"):
        assert isinstance(annotation, ast.Subscript)
        assert isinstance(annotation.slice, ast.Tuple)
        kind, said = annotation.slice.elts
        if "no_cli=True" not in ast.unparse(said):
            flags["--" + name.replace("_", "-")] = ast.unparse(kind)
    names = next(
        [
            target.id
            for item in node.body
            if isinstance(item, ast.Assign)
            for target in item.targets
            if isinstance(target, ast.Name)
        ]
        for node in ast.walk(ast.parse(wheel.read(info)))
        if isinstance(node, ast.ClassDef) and node.name == "SpeculativeAlgorithm"
    )
    return {"files": [args, info], "flags": flags, "algorithms": names}


def main(path: Path) -> None:
    engine, version = path.name.split("-")[:2]
    with ZipFile(path) as wheel:
        table = {"engine": engine, "version": version} | {"vllm": vllm, "sglang": sglang}[engine](wheel)
    (FOLDER / f"{engine}.json").write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
