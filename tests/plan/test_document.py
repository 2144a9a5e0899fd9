from __future__ import annotations

from tests.plan.document import DOCUMENT, written


def test_the_prompts_in_the_document_are_those_of_the_code():
    assert DOCUMENT.read_text("utf-8") == written(), "run: python -m tests.plan.document"
