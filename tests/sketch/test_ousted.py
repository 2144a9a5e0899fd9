"""Entries of data that go for fewer new ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.hunks import changed_lines

JOB = "jobs:\n  test:\n    runs-on: ubuntu\n    needs: lint\n    steps:\n      - run: make\n  deploy:\n    needs: a\n"
SERVICE = "services:\n  web:\n    build: .\n    restart: always\n    ports:\n      - 80:80\n"


def merged(old: str, sketch: str) -> tuple[bool, list[str]]:
    document = Document.from_text(old, Path("a.yml"))
    found = Merge(document, sketch, LineRange(0, len(document.lines)))
    texts = ["\n".join(changed_lines(document.lines, one.hunks)) for one in found.offered]
    return found.best.sure, texts


@pytest.mark.parametrize("marker", ["# ...\n", ""])
def test_entries_between_a_head_and_a_sibling_are_not_sure_to_go_for_one_new_key(marker):
    sketch = f"{marker}  test:\n    timeout-minutes: 10\n    steps:\n      # ...\n"
    sure, texts = merged(JOB, sketch)
    assert not sure
    assert JOB.replace("    steps:", "    timeout-minutes: 10\n    steps:").removesuffix("\n") in [
        text.removesuffix("\n") for text in texts
    ]


def test_one_key_that_goes_for_several_is_replaced():
    sketch = "  web:\n    image: web:1\n    volumes: [data]\n    restart: always\n    # ...\n"
    _, texts = merged(SERVICE, sketch)
    assert "build" not in texts[0]
    assert "image: web:1" in texts[0]
