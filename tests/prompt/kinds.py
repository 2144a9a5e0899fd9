"""The kinds of templates that local checkpoints come with, as their own tokenizers have them, and tiny checkpoints of
each in which every token alone says the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import torch
from tokenizers import AddedToken
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from fastedit.train.embedded.tokenizer import train_tokenizer
from tests.checkpoints import SIZES

LINES = ("def load(path):", "    return open(path).read()")
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
ALTERNATING = (
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant') }}{% endif %}"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """`template` is None for models that only go on with a text. `special` are the tokenizer's tokens beside those that
    begin and end a text, `end` the one that ends an answer."""

    models: str
    template: str | None
    special: tuple[str, ...]
    end: str


KINDS = {
    "ChatML": Kind("Qwen", CHATML, ("<|im_start|>", "<|im_end|>"), "<|im_end|>"),
    "Llama 3": Kind(
        "Llama 3",
        "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
        "{{ m.content | trim }}<|eot_id|>{% endfor %}"
        "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}",
        ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        "<|eot_id|>",
    ),
    "Mistral": Kind(
        "the first Mistral",
        f"{{{{ bos_token }}}}{{% for m in messages %}}{ALTERNATING}{{% if m.role == 'user' %}}"
        "[INST] {{ m.content }} [/INST]{% else %}{{ m.content + eos_token }}{% endif %}{% endfor %}",
        ("[INST]", "[/INST]"),
        "</s>",
    ),
    "Gemma": Kind(
        "Gemma",
        "{{ bos_token }}{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}"
        "{% endif %}{% for m in messages %}<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n"
        "{{ m.content | trim }}<end_of_turn>\n{% endfor %}"
        "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}",
        ("<start_of_turn>", "<end_of_turn>"),
        "<end_of_turn>",
    ),
    "reasoning": Kind(
        "QwQ",
        CHATML.replace("assistant\n{% endif", "assistant\n<think>\n{% endif"),
        ("<|im_start|>", "<|im_end|>", "<think>", "</think>"),
        "<|im_end|>",
    ),
    "fill-in": Kind(
        "StarCoder, Qwen2.5-Coder",
        None,
        ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),
        "</s>",
    ),
    "base": Kind("Llama 3 before tuning", None, (), "</s>"),
}


def tokenizer_of(kind: Kind, words: Sequence[str] = ()) -> PreTrainedTokenizerFast:
    """A tokenizer of this kind, in which each of `words` is one token."""
    trained = train_tokenizer(LINES, 270)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=trained, bos_token="<s>", eos_token="</s>")
    special = [AddedToken(each, special=True, normalized=False) for each in kind.special]
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    tokenizer.add_tokens([AddedToken(word, normalized=False) for word in words])
    tokenizer.chat_template = kind.template
    return tokenizer


def checkpoint(folder: Path, tokenizer: PreTrainedTokenizerFast, *texts: Sequence[str]) -> str:
    """A model in a folder that goes on from the first token of a text with the rest of it; texts are tokens."""
    tokenizer.save_pretrained(folder)
    sizes = SIZES | {"vocab_size": len(tokenizer), "hidden_size": 128, "max_position_embeddings": 8192}
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(**sizes, head_dim=16))
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        embedding = torch.nn.functional.normalize(torch.randn(len(tokenizer), 128), dim=1)
        model.model.embed_tokens.weight.copy_(embedding)
        model.lm_head.weight.zero_()
        for text in texts:
            for one, following in pairwise(map(tokenizer.convert_tokens_to_ids, text)):
                model.lm_head.weight[following] += embedding[one]
    model.save_pretrained(folder)
    return str(folder)
