"""Public sets of edits, read from a path and never shipped: `python -m evals.outside --set canitedit=FILE`.

| set | file | licence | judged by |
|---|---|---|---|
| canitedit | the data set as JSON lines | BSD-3-Clause, but not for training | its hidden tests |
| editbench | the data set as JSON lines | MIT and Apache-2.0 | its tests, Python only |
| humanevalfix | humanevalpack.jsonl of one language | MIT | its tests, Python only |
| nofuneval | latency, resource_util, maintainability or security .jsonl | MIT | the one new text |

Tests are the set's own programs and run in a process of their own, for ten seconds at most.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.outside.case import Case, Judge, same_text
from evals.outside.sources import Missing
from fastedit.source.languages import language_of

_LIMIT_S = 10.0
_SUFFIXES = {"python": ".py", "javascript": ".js", "java": ".java", "c": ".c", "cpp": ".cpp", "c++": ".cpp"}
_SUFFIXES |= {"javascript/react": ".jsx", "kotlin": ".kt", "scala": ".scala", "go": ".go", "rust": ".rs"}
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PublicSet:
    """`cases` reads one row; a row that cannot be judged here gives none."""

    name: str
    licence: str
    cases: Callable[[Row], Iterator[Case]]


def load(name: str, path: Path) -> list[Case]:
    """The cases of a set. Raises Missing for a file that is not there, or is not that set's."""
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        cases = [case for row in rows for case in SETS[name].cases(row)]
    except FileNotFoundError:
        raise Missing(f"{path}: no such file; get {name} from its authors and name its JSON lines") from None
    except (KeyError, TypeError, ValueError) as error:
        raise Missing(f"{path}: not {name} as JSON lines ({type(error).__name__}: {error})") from None
    if not cases:
        raise Missing(f"{path}: no case of {name} that can be judged here")
    return cases


def _can_it_edit(row: Row) -> Iterator[Case]:
    for kind in ("descriptive", "lazy"):
        judge = _passes("{text}\n\n" + _braced(row["tests"]))
        yield _case(
            "canitedit", row["full_name"], kind, "python", row["before"], row[f"instruction_{kind}"], judge
        )


def _edit_bench(row: Row) -> Iterator[Case]:
    if row["programming_language"] != "python":
        return
    judge = _passes_tests({"test_code.py": row["test_code"], **(row.get("test_harness") or {})})
    yield _case(
        "editbench", row["problem_id"], "asked", "python", row["original_code"], row["instruction"], judge
    )


def _human_eval_fix(row: Row) -> Iterator[Case]:
    if not row["task_id"].startswith("Python"):
        return
    name = row["entry_point"]
    judge = _passes("{text}\n\n" + _braced(row["test"]) + f"\ncheck({name})\n")
    old = row["declaration"] + row["buggy_solution"]
    yield _case("humanevalfix", row["task_id"], row["bug_type"], "python", old, f"Fix bugs in {name}.", judge)


def _no_fun_eval(row: Row) -> Iterator[Case]:
    what = row.get("non_functional_requirement") or row.get("query") or row.get("codeql_check", "")
    said = row.get("commit_message") or f"Fix: {what}"
    language = row["pl"].lower()
    judge = same_text(row["target_code"])
    name = row.get("commit") or row.get("file_path") or row["source_code"].strip().partition("\n")[0]
    yield _case("nofuneval", name, what, language, row["source_code"], said.strip("'\"\\n "), judge)


def _case(suite: str, name: Any, kind: str, language: str, old: str, said: str, judge: Judge) -> Case:
    path = f"{suite}{_SUFFIXES.get(language, '.txt')}"
    told = language_of(Path(path), old)
    return Case(str(name), kind, suite, told, path, old, judge, instruction=said, suite=suite)


def _passes(program: str) -> Judge:
    """Whether the program with the new text in it ends well."""
    return lambda text: _ends_well([sys.executable, "-c", program.replace("{text}", text)], Path.cwd())


def _passes_tests(files: dict[str, str | None]) -> Judge:
    """Whether pytest finds nothing wrong with the new text, which the tests know as `implementation1`."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_code.py"]

    def judge(text: str) -> bool:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for file, content in {"implementation1.py": text, **files}.items():
                path = folder / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content or "", "utf-8")
            return _ends_well(command, folder)

    return judge


def _ends_well(command: list[str], folder: Path) -> bool:
    try:
        environment = os.environ | {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"
        }  # what is installed here is not the set's
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=_LIMIT_S, check=False
        )
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _braced(text: str) -> str:
    """A text of the set that is not to be taken for the place of the answer."""
    return text.replace("{text}", "{ text }")


SETS = {
    each.name: each
    for each in (
        PublicSet("canitedit", "BSD-3-Clause with a machine learning restriction", _can_it_edit),
        PublicSet("editbench", "MIT and Apache-2.0", _edit_bench),
        PublicSet("humanevalfix", "MIT", _human_eval_fix),
        PublicSet("nofuneval", "MIT", _no_fun_eval),
    )
}
