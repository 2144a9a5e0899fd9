"""System text reaches the model whatever its chat template thinks of it, from the prompt to the answer's end."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.chat import Answered, ChatRequest, chat
from fastedit.engine.models import load_model
from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import RegionTask
from fastedit.prompt.tagged import SYSTEM
from fastedit.prompt.template import rendered
from fastedit.prompt.text import TextFormat
from fastedit.train.tokenizer import train_tokenizer
from tests.checkpoints import SIZES

TALK = (("system", "be brief"), ("user", "hello"), ("assistant", "hi"), ("user", "go on"))
TEMPLATES = {
    "chatml": "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
    # As Gemma's: no system role.
    "refusing": "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
    "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}",
    # As Mistral's first: users and assistants take turns.
    "alternating": "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant') }}{% endif %}"
    "{% if m.role == 'user' %}[INST] {{ m.content }} [/INST]{% else %}{{ m.content }}</s>{% endif %}{% endfor %}",
    "forgetting": "{% for m in messages %}{% if m.role != 'system' %}{{ m.role }}: {{ m.content }}\n{% endif %}"
    "{% endfor %}assistant: ",
    "none": None,
}


def tokenizer_of(kind: str) -> PreTrainedTokenizerFast:
    lines = ("def load(path):", "    return open(path).read()")
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=train_tokenizer(lines, 270), eos_token="<eos>")
    tokenizer.chat_template = TEMPLATES[kind]
    return tokenizer


@pytest.fixture(params=TEMPLATES)
def checkpoint(request, tmp_path) -> str:
    tokenizer = tokenizer_of(request.param)
    tokenizer.save_pretrained(tmp_path)
    torch.manual_seed(0)
    LlamaForCausalLM(LlamaConfig(**SIZES | {"vocab_size": len(tokenizer)}, head_dim=16)).save_pretrained(
        tmp_path
    )
    return str(tmp_path)


@pytest.mark.parametrize("kind", TEMPLATES)
def test_every_text_of_a_conversation_is_written_once_and_in_its_order(kind):
    head = rendered(tokenizer_of(kind), TALK)
    at = [head.index(text) for _, text in TALK]
    assert at == sorted(at)
    assert [head.count(text) for _, text in TALK] == [1] * 4


def test_a_template_that_knows_system_text_keeps_it_apart():
    assert "<|im_start|>system\nbe brief<|im_end|>" in rendered(tokenizer_of("chatml"), TALK)


@pytest.mark.parametrize("kind", ["refusing", "alternating", "forgetting"])
def test_system_text_goes_before_the_users_where_it_has_no_place_of_its_own(kind):
    assert "be brief\n\nhello" in rendered(tokenizer_of(kind), TALK)
    assert "be brief" in rendered(tokenizer_of(kind), TALK[:1])


def test_a_template_that_cannot_be_carried_out_is_one_line():
    tokenizer = tokenizer_of("chatml")
    tokenizer.chat_template = "{{ raise_exception('never') }}"
    with pytest.raises(ModelUnavailable, match=r"\(never\); correct chat_template"):
        rendered(tokenizer, TALK)


def test_a_checkpoint_of_each_kind_answers_what_its_template_makes_of_a_conversation(checkpoint):
    form = load_model(checkpoint).format
    assert isinstance(form, TextFormat)
    *_, last = chat(checkpoint, ChatRequest(TALK, max_tokens=5))
    assert isinstance(last, Answered)
    assert last.receipt.output_tokens > 0
    assert last.receipt.prompt_tokens == len(form.text_ids(rendered(form.tokenizer, TALK)))
    asked = form.tokenizer.decode(form.encode(RegionTask(("a = 1",), "rename a to b"), None).ids)
    assert ("## Edit 1" if form.tokenizer.chat_template is None else SYSTEM) in asked


def test_nonsense_from_a_checkpoint_of_each_kind_is_held_back_with_its_reason(checkpoint):
    document = Document.from_text("def load(path):\n    return open(path).read()\n", Path("a.py"))
    result = Engine.load(checkpoint).apply(EditRequest(document, "say what load takes", time_limit=0.01))
    assert result.status is Status.SUSPECT
    assert "the model's answer is not well formed" in result.reasons[0]
    assert result.receipt.plan == "rewrite"
