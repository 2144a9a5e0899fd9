"""System text reaches the model whatever its chat template thinks of it, from the prompt to the answer's end."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.models.chat import Answered, ChatRequest, chat
from fastedit.engine.models.load import load_model
from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import RegionTask
from fastedit.prompt.tagged import SYSTEM
from fastedit.prompt.template import rendered
from fastedit.prompt.text import TextFormat
from tests.checkpoints import SIZES
from tests.prompt.kinds import KINDS, Kind, tokenizer_of

TALK = (("system", "be brief"), ("user", "hello"), ("assistant", "yes?"), ("user", "go on"))
FORGETTING = Kind(
    "none that we know",
    "{% for m in messages %}{% if m.role != 'system' %}{{ m.role }}: {{ m.content }}\n{% endif %}{% endfor %}"
    "assistant: ",
    (),
    "</s>",
)
# A model that fills in is asked for no conversation.
ALL = {**{name: kind for name, kind in KINDS.items() if name != "fill-in"}, "forgetting": FORGETTING}


@pytest.fixture(params=ALL)
def checkpoint(request, tmp_path) -> str:
    """One that writes nonsense."""
    tokenizer = tokenizer_of(ALL[request.param])
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(**SIZES | {"vocab_size": len(tokenizer)}, head_dim=16)).save_pretrained(
        tmp_path
    )
    return str(tmp_path)


@pytest.mark.parametrize("kind", ALL)
def test_every_text_of_a_conversation_is_written_once_and_in_its_order(kind):
    head = rendered(tokenizer_of(ALL[kind]), TALK)
    at = [head.index(text) for _, text in TALK]
    assert at == sorted(at)
    assert [head.count(text) for _, text in TALK] == [1] * 4


def test_a_template_that_knows_system_text_keeps_it_apart():
    assert "<|im_start|>system\nbe brief<|im_end|>" in rendered(tokenizer_of(KINDS["ChatML"]), TALK)


@pytest.mark.parametrize("kind", ["Gemma", "Mistral", "forgetting"])
def test_system_text_goes_before_the_users_where_it_has_no_place_of_its_own(kind):
    assert "be brief\n\nhello" in rendered(tokenizer_of(ALL[kind]), TALK)
    assert "be brief" in rendered(tokenizer_of(ALL[kind]), TALK[:1])


def test_a_template_that_cannot_be_carried_out_is_one_line():
    tokenizer = tokenizer_of(KINDS["ChatML"])
    tokenizer.chat_template = "{{ raise_exception('never') }}"
    with pytest.raises(ModelUnavailable, match=r"\(never\); correct chat_template"):
        rendered(tokenizer, TALK)


def test_a_checkpoint_of_each_kind_answers_what_its_template_makes_of_a_conversation(checkpoint):
    form = load_model(checkpoint).format
    assert isinstance(form, TextFormat)
    *_, last = chat(checkpoint, ChatRequest(TALK, max_tokens=5))
    assert isinstance(last, Answered)
    assert last.receipt.prompt_tokens == len(form.text_ids(rendered(form.tokenizer, TALK)))
    asked = form.tokenizer.decode(form.encode(RegionTask(("a = 1",), "rename a to b"), None).ids)
    assert ("## Edit 1" if form.tokenizer.chat_template is None else SYSTEM) in asked


def test_nonsense_from_a_checkpoint_of_each_kind_is_held_back_with_its_reason(checkpoint):
    document = Document.from_text("def load(path):\n    return open(path).read()\n", Path("a.py"))
    result = Engine.load(checkpoint).apply(EditRequest(document, "say what load takes", time_limit=0.01))
    assert result.status is Status.SUSPECT
    assert "the model's answer is not well formed" in result.reasons[0]
    assert result.receipt.plan == "rewrite"
