from __future__ import annotations

import pkgutil
import subprocess
import sys
from importlib import import_module

import fastedit.ops
from fastedit.ops import Operation, operations
from fastedit.ops.registry import NAMES


def _kinds(base: type[Operation]) -> set[type[Operation]]:
    return {base}.union(*map(_kinds, base.__subclasses__()))


def test_every_operation_of_every_family_is_known_by_its_name():
    for module in pkgutil.walk_packages(fastedit.ops.__path__, "fastedit.ops."):
        import_module(module.name)
    written = {each.name for each in _kinds(Operation) if each.__module__.startswith("fastedit.ops.")}
    assert written - {""} == set(NAMES)
    assert [operation.name for operation in operations()] == list(NAMES)


def test_an_operation_imports_no_other_family_no_format_and_no_array_library(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("def load():\n    pass\n")
    script = (
        "import atexit, sys\n"
        "unneeded = ('torch', 'numpy', 'pydantic', 'fastedit.formats', 'fastedit.sketch', 'fastedit.ops.keys')\n"
        "atexit.register(lambda: print([name for name in unneeded if name in sys.modules]))\n"
        "from fastedit.cli import main\n"
        "main()\n"
    )
    words = ["op", "rename", str(path), "load", "read", "--output", str(tmp_path / "b.py")]
    run = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
    assert (tmp_path / "b.py").read_text() == "def read():\n    pass\n"
