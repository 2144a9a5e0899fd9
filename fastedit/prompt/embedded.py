"""The embedded model's own format: every line begins with a tag that says where it comes from.

A line end is never a token of its own. In its place each line begins with a tag: `o17` is the region's line 17, `u3`
the third new line of the update, `new` a line that stands in neither, `keep` an existing-code marker. An update line
that stands for a line of the region carries that line's tag. The model therefore never has to find its place by
content: duplicate lines, blank lines and markers of any spelling look different to it, and file text can never be
mistaken for a delimiter, because tags are ids that no text encodes to.

Where an edit can begin shows in the tags too. Lines that the update shows or the instruction names carry `n17` in place
of `o17`, in prompt and answer alike, and what an instruction names is followed by the tags of the lines that have it:
"rename `load` n3 n7 to `read`".

    instruction, text and tags | update, tagged lines | original, tagged lines | answer, tagged lines, end

Tags count round: a region may be longer than there are tags, and the first tag is drawn at random in training so that
all of them are learned equally.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from tokenizers import Tokenizer

from fastedit.edit.merge import Prediction
from fastedit.errors import ModelUnavailable
from fastedit.prompt.base import AnswerLine, Prompt, RegionTask
from fastedit.prompt.mentioned import mentioned

ORIGINAL_TAGS = 256
UPDATE_TAGS = 128
SPECIALS = 656
SLACK_TOKENS = 64
NAMES = ("pad", "end", "instruction", "update", "original", "answer", "keep", "new")
GROWTH = 1.5


class Tags:
    """The ids above the text vocabulary, for one region.

    `named` holds the lines that the request names or shows. `first_original` and `first_update` shift the round count.
    """

    def __init__(
        self,
        text_vocab: int,
        first_original: int = 0,
        first_update: int = 0,
        named: frozenset[int] = frozenset(),
    ) -> None:
        self.base = text_vocab
        self.pad, self.end, self.instruction, self.update = range(text_vocab, text_vocab + 4)
        self.original, self.answer, self.keep, self.new = range(text_vocab + 4, text_vocab + 8)
        self.first_update_id = text_vocab + 8
        self.first_original_id = self.first_update_id + UPDATE_TAGS
        self.first_named_id = text_vocab + SPECIALS - ORIGINAL_TAGS
        self._first_original, self._first_update = first_original, first_update
        self._named = named

    def of_original(self, line: int) -> int:
        first = self.first_named_id if line in self._named else self.first_original_id
        return first + (self._first_original + line) % ORIGINAL_TAGS

    def of_update(self, line: int) -> int:
        return self.first_update_id + (self._first_update + line) % UPDATE_TAGS

    def starts_line(self, token: int) -> bool:
        return token >= self.new

    def name(self, token: int) -> str:
        """How a tag is spelled for people."""
        if token >= self.first_named_id:
            return f"n{token - self.first_named_id}"
        if token >= self.first_original_id:
            return f"o{token - self.first_original_id}"
        if token >= self.first_update_id:
            return f"u{token - self.first_update_id}"
        return NAMES[token - self.base]

    def original_line(self, token: int, after: int, count: int) -> int | None:
        """The line below `count` that this tag names, the nearest one after line `after`, else the nearest before."""
        if token < self.first_original_id:
            return None
        first = self.first_named_id if token >= self.first_named_id else self.first_original_id
        line = (token - first - self._first_original) % ORIGINAL_TAGS
        while line + ORIGINAL_TAGS < count and line <= after:
            line += ORIGINAL_TAGS
        return line if line < count else None


class EmbeddedFormat:
    """Prompt format of the model that ships with fastedit."""

    name = "embedded"

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.text_vocab: int = tokenizer.get_vocab_size()
        self.tags = Tags(self.text_vocab)
        self.vocab_size = self.text_vocab + SPECIALS
        self.encode_line = lru_cache(maxsize=65_536)(self._encode_line)

    @classmethod
    def load(cls, folder: Path) -> EmbeddedFormat:
        """The format for a model folder. Raises ModelUnavailable where it has no usable tokenizer."""
        file = folder / "tokenizer.json"
        try:
            return cls(Tokenizer.from_file(str(file)))
        except Exception as error:  # tokenizers raises nothing narrower
            raise ModelUnavailable(f"{file}: no usable tokenizer ({error}); fetch the model again") from None

    def _encode_line(self, text: str) -> tuple[int, ...]:
        return tuple(self.tokenizer.encode(text).ids)

    def encode(self, task: RegionTask, prediction: Prediction | None, tags: Tags | None = None) -> Prompt:
        """The prompt for a region; `prediction` is drafted from, the model never sees it."""
        tags = tags or self.tags_for(task)
        original = self.tagged((tags.of_original(i), line) for i, line in enumerate(task.lines))
        update = self._update(task, tags)
        ids = self._instruction(task, tags)
        if task.update is not None:
            ids += [tags.update, *update]
        ids += [tags.original, *original, tags.answer]
        limit = (
            int(GROWTH * (len(original) + len(update) + len(self.encode_line(task.instruction or ""))))
            + SLACK_TOKENS
        )
        return Prompt(
            ids=tuple(ids),
            original=tuple(original),
            update=tuple(update),
            prediction=None if prediction is None else tuple(self._predicted(task, prediction, tags)),
            stop=frozenset({tags.end}),
            answer_limit=limit,
        )

    def tags_for(self, task: RegionTask, first_original: int = 0, first_update: int = 0) -> Tags:
        """The tags of a region's lines, those named or shown set apart."""
        named = {line for _, lines in mentioned(task.instruction or "", task.lines) for line in lines}
        if task.alignment is not None:
            named |= {target for target in task.alignment.targets if target is not None}
        return Tags(self.text_vocab, first_original, first_update, frozenset(named))

    def reader(self, task: RegionTask) -> EmbeddedReader:
        return EmbeddedReader(self, task)

    def describe(self, ids: Sequence[int]) -> str:
        """Ids as text with tags spelled out, for people."""
        tags, shown, run = self.tags, [], list[int]()
        for token in (*ids, tags.pad):
            if token < self.text_vocab:
                run.append(token)
                continue
            shown.append(self.tokenizer.decode(run))
            run = []
            shown.append(f"\n<{tags.name(token)}>")
        return "".join(shown[:-1])

    def tagged(self, lines: Iterable[tuple[int, str]]) -> list[int]:
        """Token ids of tagged lines."""
        ids: list[int] = []
        for tag, text in lines:
            ids.append(tag)
            ids += self.encode_line(text)
        return ids

    def update_tags(self, task: RegionTask, tags: Tags) -> list[int]:
        """The tag of each update line."""
        assert task.update is not None
        assert task.alignment is not None
        chosen: list[int] = []
        new_lines = 0
        for line, target in zip(task.update.lines, task.alignment.targets, strict=True):
            if line.marker:
                chosen.append(tags.keep)
            elif target is not None:
                chosen.append(tags.of_original(target))
            else:
                chosen.append(tags.of_update(new_lines))
                new_lines += 1
        return chosen

    def _instruction(self, task: RegionTask, tags: Tags) -> list[int]:
        if task.instruction is None:
            return []
        ids, done = [tags.instruction], 0
        for end, lines in mentioned(task.instruction, task.lines):
            ids += self._sentence(task.instruction[done:end], tags)
            ids += [tags.of_original(line) for line in lines]
            done = end
        return ids + self._sentence(task.instruction[done:], tags)

    def _sentence(self, text: str, tags: Tags) -> list[int]:
        first, *rest = text.split("\n")
        return [*self.encode_line(first), *self.tagged((tags.new, line) for line in rest)]

    def _update(self, task: RegionTask, tags: Tags) -> list[int]:
        if task.update is None:
            return []
        chosen = self.update_tags(task, tags)
        shown = ("" if line.marker else line.text for line in task.update.lines)
        return self.tagged(zip(chosen, shown, strict=True))

    def _predicted(self, task: RegionTask, prediction: Prediction, tags: Tags) -> list[int]:
        """The predicted merge with the tags that a model following the update would give its lines."""
        pending = self._new_update_lines(task, tags)
        tagged: list[tuple[int, str]] = []
        for text, origin in zip(prediction.lines, prediction.origins, strict=True):
            if origin is not None:
                tagged.append((tags.of_original(origin), text))
                continue
            at = next((i for i, (_, line) in enumerate(pending) if line == text), None)
            tagged.append((tags.new if at is None else pending[at][0], text))
            if at is not None:
                del pending[: at + 1]
        return self.tagged(tagged)

    def _new_update_lines(self, task: RegionTask, tags: Tags) -> list[tuple[int, str]]:
        if task.update is None:
            return []
        chosen = self.update_tags(task, tags)
        return [
            (tag, line.text) for tag, line in zip(chosen, task.update.lines, strict=True) if not line.marker
        ]


class EmbeddedReader:
    """Turns tagged answer tokens into lines."""

    def __init__(self, form: EmbeddedFormat, task: RegionTask) -> None:
        self._form, self._lines = form, task.lines
        self._tag: int | None = None
        self._text: list[int] = []
        self._last = -1

    def push(self, tokens: Sequence[int]) -> list[AnswerLine]:
        tags, done = self._form.tags, []
        for token in tokens:
            if token == tags.end or tags.starts_line(token):
                done += self._close()
                self._tag = None if token == tags.end else token
            elif token >= self._form.text_vocab or self._tag is None:
                raise ValueError(f"token {token} stands outside a line of the answer")
            else:
                self._text.append(token)
        return done

    def finish(self) -> list[AnswerLine]:
        done = self._close()
        self._tag = None
        return done

    def _close(self) -> list[AnswerLine]:
        if self._tag is None:
            return []
        text = self._form.tokenizer.decode(self._text)
        if "\n" in text or "\r" in text:
            raise ValueError("a line of the answer holds a line end")
        origin = self._form.tags.original_line(self._tag, self._last, len(self._lines))
        if origin is not None:
            self._last = origin
        self._text = []
        exact = origin is not None and self._lines[origin] == text
        return [AnswerLine(text, origin if exact else None)]
