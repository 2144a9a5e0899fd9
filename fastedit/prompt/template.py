"""Conversations as a tokenizer's chat template writes them, whatever the template makes of system text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jinja2 import TemplateError
from transformers import PreTrainedTokenizerFast

from fastedit.errors import ModelUnavailable

Message = tuple[str, str]  # role and text
# What some templates end with: the model would go on with a thought.
_THOUGHT_BEGUN = re.compile(r"<(think|thinking|thought|reasoning)>\s*\Z")


def rendered(tokenizer: PreTrainedTokenizerFast, messages: Sequence[Message]) -> str:
    """The conversation up to where the model's answer begins.

    A template that refuses system text, or leaves it out, gets it before the first words of the user. Without a
    template the conversation is plain text. Raises ModelUnavailable for a template that cannot be carried out.
    """
    if tokenizer.chat_template is None:
        return "".join(f"{role}: {text}\n\n" for role, text in messages) + "assistant:"
    try:
        head = _applied(tokenizer, messages)
        if all(text.strip() in head for role, text in messages if role == "system"):
            return head
    except TemplateError:
        pass
    try:
        return _applied(tokenizer, _folded(messages))
    except TemplateError as error:
        why = str(error).split("\n")[0]
        raise ModelUnavailable(
            f"{tokenizer.name_or_path}: its chat template refuses a conversation ({why}); correct "
            "chat_template in tokenizer_config.json, or remove it for plain text"
        ) from None


def begun(tokenizer: PreTrainedTokenizerFast, messages: Sequence[Message], answer: str) -> str:
    """The conversation with the beginning of the model's answer, before which it has nothing to think. Raises as
    `rendered` does."""
    head = rendered(tokenizer, messages)
    thought = _THOUGHT_BEGUN.search(head)
    return head + (f"\n</{thought[1]}>\n\n" if thought else "") + answer


def _applied(tokenizer: PreTrainedTokenizerFast, messages: Sequence[Message]) -> str:
    given = [{"role": role, "content": text} for role, text in messages]
    head: str = tokenizer.apply_chat_template(given, tokenize=False, add_generation_prompt=True)
    return head


def _folded(messages: Sequence[Message]) -> list[Message]:
    """System text as part of the first message of the user."""
    system = "\n\n".join(text for role, text in messages if role == "system")
    rest = [(role, text) for role, text in messages if role != "system"]
    first = next((at for at, (role, _) in enumerate(rest) if role == "user"), None)
    if first is None:
        return [("user", system), *rest]
    return [*rest[:first], ("user", f"{system}\n\n{rest[first][1]}"), *rest[first + 1 :]]
