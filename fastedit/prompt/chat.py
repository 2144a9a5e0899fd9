"""Prompt format for instruction-tuned models: code and update between tags, the answer begun for the model.

The layout is the one that published apply models were tuned on (`<code>`, `<update>`, `<updated-code>`). Where the
file, the update or the instruction holds one of the tags, all tags get a number that occurs in none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenizers.decoders import DecodeStream
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from fastedit.edit.merge import Prediction
from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import AnswerLine, Prompt, RegionTask

SYSTEM = (
    "You apply edits to code. Answer with the complete updated code and nothing else. "
    "Keep every line that the edit does not concern exactly as it is."
)
MARKER = "# ... existing code ..."
SLACK_TOKENS = 256


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
        stop = {tokenizer.eos_token_id, *_ids(tokenizer, ("<|im_end|>", "<|eot_id|>", "<end_of_turn>"))} - {
            None
        }
        if not stop:
            raise ModelUnavailable(f"{folder}: its tokenizer names no end-of-text token; set eos_token")
        return cls(tokenizer, frozenset(stop))

    def encode(self, task: RegionTask, prediction: Prediction | None) -> Prompt:
        tags = _Tags.avoiding(task)
        original = self._answer(task.lines, tags)
        update = self._ids(_update_text(task))
        return Prompt(
            ids=tuple(self._prompt(task, tags)),
            original=original,
            update=update,
            prediction=None if prediction is None else self._answer(prediction.lines, tags),
            stop=self._stop,
            answer_limit=2 * (len(original) + len(update)) + SLACK_TOKENS,
        )

    def reader(self, task: RegionTask) -> ChatReader:
        return ChatReader(self.tokenizer, task, _Tags.avoiding(task))

    def _prompt(self, task: RegionTask, tags: _Tags) -> Sequence[int]:
        parts = [
            f"{task.instruction}\n" if task.instruction else "",
            tags.around("code", "\n".join(task.lines)),
        ]
        if task.update is not None:
            parts.append(tags.around("update", _update_text(task)))
        user = "\n".join(part for part in parts if part) + f"\n\nAnswer between {tags.open} and {tags.close}."
        if self.tokenizer.chat_template is None:
            return self._ids(f"{SYSTEM}\n\n{user}\n\n{tags.open}\n")
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}]
        head: str = self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return self._ids(f"{head}{tags.open}\n")

    def _answer(self, lines: Sequence[str], tags: _Tags) -> tuple[int, ...]:
        return self._ids("".join(f"{line}\n" for line in lines) + tags.close)

    def _ids(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.encode(text, add_special_tokens=False))


class _Tags:
    """The names of the tags, numbered where the plain ones would be ambiguous."""

    def __init__(self, suffix: str) -> None:
        self._suffix = suffix
        self.open, self.close = f"<updated-code{suffix}>", f"</updated-code{suffix}>"

    @classmethod
    def avoiding(cls, task: RegionTask) -> _Tags:
        text = "\n".join((*task.lines, _update_text(task), task.instruction or ""))
        number, suffix = 0, ""
        while f"code{suffix}>" in text or f"update{suffix}>" in text:
            number += 1
            suffix = f"-{number}"
        return cls(suffix)

    def around(self, name: str, text: str) -> str:
        return f"<{name}{self._suffix}>\n{text}\n</{name}{self._suffix}>"


class ChatReader:
    """Turns answer tokens into lines up to the closing tag."""

    def __init__(self, tokenizer: PreTrainedTokenizerFast, task: RegionTask, tags: _Tags) -> None:
        self._backend: Any = tokenizer.backend_tokenizer
        self._stream = DecodeStream(skip_special_tokens=True)
        self._lines, self._close = task.lines, tags.close
        self._text, self._at, self._done = "", 0, False

    def push(self, tokens: Sequence[int]) -> list[AnswerLine]:
        for token in tokens:
            self._text += self._stream.step(self._backend, token) or ""
        *whole, self._text = self._text.split("\n")
        return [line for text in whole for line in self._line(text)]

    def finish(self) -> list[AnswerLine]:
        if self._done:
            return []
        text, self._text = self._text, ""
        if self._close in text:
            return [self._origin(before)] if (before := text.split(self._close)[0]) else []
        raise ValueError(f"it ended before {self._close}")

    def _line(self, text: str) -> list[AnswerLine]:
        if self._done:
            return []
        if self._close in text:
            self._done = True
            before = text.split(self._close)[0]
            return [self._origin(before)] if before else []
        return [self._origin(text)]

    def _origin(self, text: str) -> AnswerLine:
        """The finished line, claimed as a copy only where it follows the last copied one."""
        text = text.removesuffix("\r")
        if "\r" in text:
            raise ValueError("a line of the answer holds a line end")
        if self._at < len(self._lines) and self._lines[self._at] == text:
            self._at += 1
            return AnswerLine(text, self._at - 1)
        return AnswerLine(text, None)


def _update_text(task: RegionTask) -> str:
    if task.update is None:
        return ""
    return "\n".join(MARKER if line.marker else line.text for line in task.update.lines)


def _ids(tokenizer: PreTrainedTokenizerFast, names: Sequence[str]) -> list[int]:
    known = tokenizer.get_vocab()
    return [known[name] for name in names if name in known]


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0]
