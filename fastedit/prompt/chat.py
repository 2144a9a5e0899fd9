"""Prompt format for instruction-tuned models: code and update between tags, the answer begun for the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from tokenizers.decoders import DecodeStream
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from fastedit.edit.prediction import Prediction
from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import AnswerLine, Prompt, RegionTask
from fastedit.prompt.tagged import SYSTEM, TagReader, Tags, answer_text, update_text, user_text
from fastedit.prompt.template import rendered

SLACK_TOKENS = 256
TURN_ENDS = ("<|im_end|>", "<|eot_id|>", "<end_of_turn>")


class ChatFormat:
    """Asks any model with a chat template, or without one in plain text, for the whole region."""

    name = "chat"

    def __init__(self, tokenizer: PreTrainedTokenizerFast, stop: frozenset[int]) -> None:
        self.tokenizer, self._stop = tokenizer, stop

    @classmethod
    def load(cls, folder: Path) -> ChatFormat:
        """The format for a model folder. Raises ModelUnavailable where it has no usable tokenizer."""
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        except Exception as error:  # tokenizers raises nothing narrower
            raise ModelUnavailable(
                f"{folder}: no usable tokenizer ({_first_line(error)}); add tokenizer.json"
            ) from None
        # Where its files are missing, transformers makes one that knows no text.
        if not tokenizer.encode("a", add_special_tokens=False):
            raise ModelUnavailable(f"{folder}: no usable tokenizer; add tokenizer.json")
        stop = {tokenizer.eos_token_id, *_ids(tokenizer, TURN_ENDS)} - {None}
        if not stop:
            raise ModelUnavailable(f"{folder}: its tokenizer names no end-of-text token; set eos_token")
        return cls(tokenizer, frozenset(stop))

    def encode(self, task: RegionTask, prediction: Prediction | None) -> Prompt:
        tags = Tags.avoiding(task)
        original = self.text_ids(answer_text(task.lines, tags))
        update = self.text_ids(update_text(task))
        return Prompt(
            ids=tuple(self._prompt(task, tags)),
            original=original,
            update=update,
            prediction=None if prediction is None else self.text_ids(answer_text(prediction.lines, tags)),
            stop=self._stop,
            answer_limit=2 * (len(original) + len(update)) + SLACK_TOKENS,
        )

    @cached_property
    def longest_token(self) -> int:
        return max(map(len, self.tokenizer.get_vocab()))

    def reader(self, task: RegionTask) -> ChatReader:
        return ChatReader(self.text_stream(), task)

    def chat(
        self, messages: Sequence[tuple[str, str]], prediction: str, limit: int | None, context: int
    ) -> Prompt:
        """The prompt of an ordinary conversation; by default the answer may fill the rest of the context."""
        ids = self.text_ids(rendered(self.tokenizer, messages))
        return Prompt(
            ids=ids,
            original=self.text_ids(prediction),
            update=(),
            prediction=None,
            stop=self._stop,
            answer_limit=limit or max(1, context - len(ids)),
        )

    def text_stream(self) -> Callable[[Sequence[int]], str]:
        """A function from an answer's next tokens to its next text; characters come once all their bytes have."""
        backend: Any = self.tokenizer.backend_tokenizer
        stream = DecodeStream(skip_special_tokens=True)
        return lambda tokens: "".join(stream.step(backend, token) or "" for token in tokens)

    def _prompt(self, task: RegionTask, tags: Tags) -> Sequence[int]:
        user = user_text(task, tags)
        if self.tokenizer.chat_template is None:
            return self.text_ids(f"{SYSTEM}\n\n{user}\n\n{tags.open}\n")
        head = rendered(self.tokenizer, [("system", SYSTEM), ("user", user)])
        return self.text_ids(f"{head}{tags.open}\n")

    def text_ids(self, text: str) -> tuple[int, ...]:
        """The tokens of text, none of them special."""
        return tuple(self.tokenizer.encode(text, add_special_tokens=False))

    @property
    def end(self) -> int:
        """The token that an answer ends with: the end of a turn where the tokenizer has one, else that of a text."""
        turn = _ids(self.tokenizer, TURN_ENDS)
        return turn[0] if turn else next(iter(self._stop))


class ChatReader:
    """Turns answer tokens into lines up to the closing tag."""

    def __init__(self, text: Callable[[Sequence[int]], str], task: RegionTask) -> None:
        self._text = text
        self._lines = TagReader(task, Tags.avoiding(task))

    def push(self, tokens: Sequence[int]) -> list[AnswerLine]:
        return self._lines.push(self._text(tokens))

    def finish(self) -> list[AnswerLine]:
        return self._lines.finish()


def _ids(tokenizer: PreTrainedTokenizerFast, names: Sequence[str]) -> list[int]:
    known = tokenizer.get_vocab()
    return [known[name] for name in names if name in known]


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0]
