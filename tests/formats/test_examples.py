"""The examples of docs/formats.md, each sent as a message."""

import re
from pathlib import Path

import pytest

from fastedit import Engine
from fastedit.engine.changes.change import ChangeRequest, change
from fastedit.files.tree import Tree

PAGE = Path("docs/formats.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## Examples") : PAGE.index("## How a hunk is placed")]
EXAMPLES = [found["text"] for found in re.finditer(r"^(`{3,4})\w*\n(?P<text>.*?)^\1\n", SECTION, re.S | re.M)]
BEFORE = "import os\n\nDEBUG = False\nRETRIES = 3\nTIMEOUT = 30\n\n\ndef load(path):\n    return path\n"


@pytest.mark.parametrize("message", EXAMPLES)
def test_every_example_of_the_page_makes_the_same_edit(message, tmp_path):
    (tmp_path / "settings.py").write_text(BEFORE)
    (file,) = change(Engine(), ChangeRequest(message), Tree(tmp_path)).files
    assert file.outcome == "ok"
    assert file.after.text == BEFORE.replace("30", "60")
