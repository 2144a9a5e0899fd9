"""Prompt formats for models that read plain text: what they share. Each begins the answer for the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from tokenizers.decoders import DecodeStream
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import AnswerLine, Prompt, RegionTask
from fastedit.prompt.tagged import update_text
from fastedit.prompt.template import rendered
from fastedit.source.prediction import Prediction

SLACK_TOKENS = 256
TURN_ENDS = ("<|im_end|>", "<|eot_id|>", "<end_of_turn>")


class TextFormat:
    """Asks a model with a tokenizer of transformers for a whole region. Subclasses say in which words."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, stop: frozenset[int]) -> None:
        self.tokenizer, self._stop = tokenizer, stop

    def head(self, task: RegionTask) -> Sequence[int]:
        """The prompt, up to where the region's new lines begin."""
        raise NotImplementedError

    def closing(self, task: RegionTask) -> str:
        """What stands after the new lines; empty where the model just stops."""
        raise NotImplementedError

    def encode(self, task: RegionTask, prediction: Prediction | None) -> Prompt:
        original = self.answer(task, task.lines)
        update = self.text_ids(update_text(task))
        return Prompt(
            ids=tuple(self.head(task)),
            original=original,
            update=update,
            prediction=None if prediction is None else self.answer(task, prediction.lines),
            stop=self._stop,
            answer_limit=2 * (len(original) + len(update)) + SLACK_TOKENS,
        )

    def answer(self, task: RegionTask, lines: Sequence[str]) -> tuple[int, ...]:
        """The answer that gives these lines, without the token that ends it."""
        return self.text_ids("".join(f"{line}\n" for line in lines) + self.closing(task))

    @cached_property
    def longest_token(self) -> int:
        return max(map(len, self.tokenizer.get_vocab()))

    def reader(self, task: RegionTask) -> TextReader:
        return TextReader(self.text_stream(), task.lines, self.closing(task))

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

    def text_ids(self, text: str) -> tuple[int, ...]:
        """The tokens of text, none of them special."""
        return tuple(self.tokenizer.encode(text, add_special_tokens=False))

    def begin(self) -> tuple[int, ...]:
        """The token that a text begins with, where the tokenizer puts one."""
        ids = self.tokenizer.encode("")
        return tuple(each for each in ids[:1] if each == self.tokenizer.bos_token_id)

    @property
    def end(self) -> int:
        """The token that an answer ends with: the end of a turn where the tokenizer has one, else that of a text."""
        turn = _ids(self.tokenizer, TURN_ENDS)
        if turn:
            return turn[0]
        eos: int | None = self.tokenizer.eos_token_id
        return next(iter(self._stop)) if eos is None else eos


class TextReader:
    """Turns the tokens of an answer, which was begun for the model, into lines up to `close`, or to its end without
    one."""

    def __init__(self, text: Callable[[Sequence[int]], str], lines: Sequence[str], close: str) -> None:
        self._text, self._lines, self._close = text, lines, close
        self._open, self._at, self._done = "", 0, False

    def push(self, tokens: Sequence[int]) -> list[AnswerLine]:
        """The lines that these tokens finish. Raises ValueError where one holds a line end."""
        *whole, self._open = (self._open + self._text(tokens)).split("\n")
        return [line for text in whole for line in self._line(text)]

    def finish(self) -> list[AnswerLine]:
        """The lines still open when the answer stops. Raises ValueError unless it was closed."""
        if not self._close:
            return self._line(self._open) if self._open.strip() else []
        lines = self._line(self._open)
        if not self._done:
            raise ValueError(f"it ended before {self._close}")
        return lines

    def _line(self, text: str) -> list[AnswerLine]:
        if self._done:
            return []
        before, found, _ = text.partition(self._close) if self._close else (text, "", "")
        if not found:
            return [self._origin(text)]
        self._done = True
        return [self._origin(before)] if before else []

    def _origin(self, text: str) -> AnswerLine:
        """The finished line, claimed as a copy only where it follows the last copied one."""
        text = text.removesuffix("\r")
        if "\r" in text:
            raise ValueError("a line of the answer holds a line end")
        if self._at < len(self._lines) and self._lines[self._at] == text:
            self._at += 1
            return AnswerLine(text, self._at - 1)
        return AnswerLine(text, None)


def load_tokenizer(folder: Path) -> PreTrainedTokenizerFast:
    """Raises ModelUnavailable where a model folder has no usable one."""
    try:
        tokenizer: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # tokenizers raises nothing narrower
        raise ModelUnavailable(
            f"{folder}: no usable tokenizer ({_first_line(error)}); add tokenizer.json"
        ) from None
    # Where its files are missing, transformers makes one that knows no text.
    if not tokenizer.encode("a", add_special_tokens=False):
        raise ModelUnavailable(f"{folder}: no usable tokenizer; add tokenizer.json")
    return tokenizer


def stops(tokenizer: PreTrainedTokenizerFast, others: Sequence[str] = ()) -> frozenset[int]:
    """The tokens that end an answer: that of a text, of a turn and `others`. Raises ModelUnavailable without any."""
    found = {tokenizer.eos_token_id, *_ids(tokenizer, (*TURN_ENDS, *others))} - {None}
    if not found:
        raise ModelUnavailable(
            f"{tokenizer.name_or_path}: its tokenizer names no end-of-text token; set eos_token"
        )
    return frozenset(found)


def _ids(tokenizer: PreTrainedTokenizerFast, names: Sequence[str]) -> list[int]:
    known = tokenizer.get_vocab()
    return [known[name] for name in names if name in known]


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0]
