"""docs/sketches.md: its examples come to what it says of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine
from fastedit.errors import AnchorNotFound
from fastedit.result import Status

PAGE = (Path(__file__).parents[2] / "docs" / "sketches.md").read_text()
FILE, *SKETCHES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
REPLACED, WRAPPED, IMPORTED, REMOVED, ALONE = SKETCHES
SAVE = '        with open(self.path, "w") as file:\n            json.dump(self.values, file)\n'
LOCKED = "        with LOCK:\n" + re.sub(r"^", "    ", SAVE, flags=re.M).rstrip(" ")


def applied(sketch: str) -> str:
    document = Document.from_text(FILE, Path("store.py"))
    result = Engine().apply(EditRequest(document, update=sketch, policy="merge"))
    assert result.status is Status.OK, result.reasons
    return result.text


def test_the_examples_come_to_what_the_page_says():
    assert applied(REPLACED) == FILE.replace("values.get(name)", "values[name]")
    wrapped = FILE.replace(SAVE, LOCKED)
    assert applied(WRAPPED) == wrapped.replace("name)", "name, default=None)", 1).replace(
        "(name)", "(name, default)"
    )
    imported = wrapped.replace(
        "import json\n", "import json\nfrom threading import Lock\n\nLOCK = Lock()\n", 1
    )
    assert applied(IMPORTED).replace("\n\n\n", "\n\n") == imported.replace("\n\n\n", "\n\n")
    without = re.sub(r"    def load.*?(?=    def save)", "", FILE, flags=re.S)
    assert applied(REMOVED) == without


def test_the_one_that_says_no_place_is_refused_and_takes_one_from_its_class():
    with pytest.raises(AnchorNotFound):
        applied(ALONE)
    assert applied(f"class Store:\n    # ... existing code ...\n\n{ALONE}") == f"{FILE}\n{ALONE}"
