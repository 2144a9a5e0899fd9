"""Ordinary chat with a tiny random model: what it says does not depend on what was predicted."""

from __future__ import annotations

import pytest

from fastedit.engine.models.chat import Answered, ChatRequest, Wrote, chat
from fastedit.engine.models.load import load_model
from fastedit.errors import TooLong, UsageError

HELLO = (("system", "be brief"), ("user", "hello"))


def said(model: str, **fields) -> tuple[str, Answered]:
    *pieces, last = chat(model, ChatRequest(HELLO, **fields))
    assert all(isinstance(piece, Wrote) for piece in pieces)
    return "".join(piece.text for piece in pieces), last


def test_a_prediction_changes_the_passes_and_not_the_text(talker):
    text, plain = said(talker, max_tokens=40)
    again, drafted = said(talker, max_tokens=40, prediction=text)
    assert again == text
    assert plain.finish == drafted.finish == "length"
    assert plain.receipt.output_tokens == drafted.receipt.output_tokens == 40
    assert drafted.receipt.passes <= plain.receipt.passes


def test_a_conversation_that_does_not_fit_is_refused_with_both_numbers(talker):
    with pytest.raises(TooLong, match="context holds 2048"):
        said(talker, max_tokens=4000)


def test_a_model_that_only_edits_says_so(copier):
    with pytest.raises(UsageError, match="only applies edits"):
        said(copier.model)


def test_a_conversation_can_be_left_while_its_prompt_is_read(talker):
    target = load_model(talker).target
    target.pool.forget()
    events = chat(talker, ChatRequest((("user", "hello " * 250),), max_tokens=9))
    assert next(events) == Wrote("")
    events.close()
    assert not target.pool._holders.any()
