"""What only POSIX has is asked for where it is used, never at import."""

from __future__ import annotations

import subprocess
import sys

POSIX_MODULES = ("fcntl", "grp", "posix_ipc", "pty", "pwd", "resource", "syslog", "termios", "tty")
POSIX_FLAGS = ("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_PATH")
WITHOUT = f"""
import os, pkgutil, sys
for name in {POSIX_MODULES}:
    sys.modules[name] = None  # importing it then raises ModuleNotFoundError
for name in {POSIX_FLAGS}:
    if hasattr(os, name):
        delattr(os, name)
"""


def python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + program], capture_output=True, text=True, check=False
    )


def test_the_command_line_and_the_files_room_import_without_posix():
    program = """
import fastedit.cli, fastedit.files, fastedit_lsp
for package in (fastedit.cli, fastedit.files, fastedit_lsp):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        __import__(module.name)
print("all")
"""
    run = python(program)
    assert (run.returncode, run.stdout) == (0, "all\n"), run.stderr


def test_a_diff_is_made_without_posix(tmp_path):
    (tmp_path / "a.py").write_text("def load():\n    pass\n")
    program = f"""
sys.argv = ["fastedit", "apply", {str(tmp_path / "a.py")!r}, "-i", "rename load to read", "--diff"]
from fastedit.cli import main
main()
"""
    run = python(program)
    assert run.returncode == 0, run.stderr
    assert "+def read():" in run.stdout
