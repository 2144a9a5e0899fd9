"""The embedded model's own format: every line begins with a tag that says where it comes from.

A line end is never a token of its own. In its place each line begins with a tag: `o17` is the region's line 17, `u3`
the third new line of the update, `new` a line that stands in neither, `keep` an existing-code marker. An update line
that stands for a line of the region carries that line's tag. The model therefore never has to find its place by
content: duplicate lines, blank lines and markers of any spelling look different to it, and file text can never be
mistaken for a delimiter, because tags are ids that no text encodes to.

Where an edit can begin shows too. Lines that the update shows or the instruction names carry `n17` in place of `o17`,
in prompt and answer alike, and what an instruction names is followed by the tags of the lines that have it.

An update shows what to write next. Where there is none, more is spelled out. The answer goes through the region's lines
in order and leaves out none: a line that goes is its tag and `drop`. What an instruction names stands between marks
wherever the region has it, in the prompt and in the answer: `m0` for the first thing named, `m1` for the second, and
`close` after it. In the instruction the same marks stand around it; what it hands over begins with `given`:

    rename `m0 load close` n3 n7 to `given read close`
    n3 def m0 load close (path):         ->         n3 def m0 read close (path):

A mark also cuts the text into tokens, so that what stands after a name is the same tokens whatever the name.

The parts of a prompt:

    instruction, text and tags | update, tagged lines | original, tagged lines | answer, tagged lines, end

Tags count round: a region may be longer than there are tags, and the first tag is drawn at random in training so that
all of them are learned equally.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from tokenizers import Tokenizer

from fastedit.errors import ModelUnavailable
from fastedit.prompt.answer import TaggedLine, written
from fastedit.prompt.base import AnswerLine, Prompt, RegionTask
from fastedit.prompt.mentioned import MentionSpan, mentioned
from fastedit.prompt.tags import SPECIALS, TagIds
from fastedit.source.prediction import Prediction

SLACK_TOKENS = 64
GROWTH = 1.5


class EmbeddedFormat:
    """Prompt format of the model that ships with fastedit."""

    name = "embedded"

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.text_vocab: int = tokenizer.get_vocab_size()
        self.tags = TagIds(self.text_vocab)
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

    def encode(self, task: RegionTask, prediction: Prediction | None, tags: TagIds | None = None) -> Prompt:
        """The prompt for a region; `prediction` is drafted from, the model never sees it."""
        tags = tags or self.tags_for(task)
        original = self._ids(
            task, tags, (TaggedLine(text, line, tags.new) for line, text in enumerate(task.lines))
        )
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
            original=original,
            update=tuple(update),
            prediction=None
            if prediction is None
            else self._ids(task, tags, self._predicted(task, prediction, tags)),
            removal=self._ids(task, tags, ()),
            stop=frozenset({tags.end}),
            answer_limit=limit,
        )

    def tags_for(self, task: RegionTask, first_original: int = 0, first_update: int = 0) -> TagIds:
        """The tags of a region's lines, those named or shown set apart."""
        shown = task.targets or ()
        return TagIds(
            self.text_vocab,
            first_original,
            first_update,
            mentioned(task.instruction or "", task.lines),
            frozenset(target for target in shown if target is not None),
            marks=task.update is None,
        )

    def kept(self, task: RegionTask, tags: TagIds, line: int) -> tuple[int, ...]:
        """A line that stays, tagged and with its marks."""
        return tags.of_original(line), *self.marked(task.lines[line], tags.spans.get(line, ()), tags)

    def dropped(self, tags: TagIds, line: int) -> tuple[int, int]:
        """A line that goes."""
        return tags.of_original(line), tags.drop

    def marked(self, text: str, spans: Sequence[MentionSpan], tags: TagIds) -> list[int]:
        """A line's text with marks around the spans, which are in order and do not overlap."""
        ids, done = list[int](), 0
        for span in spans:
            ids += self.encode_line(text[done : span.start])
            ids += [tags.mark(span.mention), *self.encode_line(text[span.start : span.stop]), tags.close]
            done = span.stop
        return ids + list(self.encode_line(text[done:]))

    @cached_property
    def longest_token(self) -> int:
        return max(map(len, self.tokenizer.get_vocab()))

    def reader(self, task: RegionTask) -> EmbeddedReader:
        return EmbeddedReader(self, task)

    def tagged(self, lines: Iterable[tuple[int, str]]) -> list[int]:
        """Token ids of tagged lines."""
        return [token for tag, text in lines for token in (tag, *self.encode_line(text))]

    def update_tags(self, task: RegionTask, tags: TagIds) -> list[int]:
        """The tag of each update line."""
        assert task.update is not None
        assert task.targets is not None
        chosen: list[int] = []
        new_lines = 0
        for line, target in zip(task.update.lines, task.targets, strict=True):
            if line.marker:
                chosen.append(tags.keep)
            elif target is not None:
                chosen.append(tags.of_original(target))
            else:
                chosen.append(tags.of_update(new_lines))
                new_lines += 1
        return chosen

    def _instruction(self, task: RegionTask, tags: TagIds) -> list[int]:
        if task.instruction is None:
            return []
        ids, done = [tags.instruction], 0
        for number, named in enumerate(tags.named):
            ids += self._sentence(task.instruction[done : named.start], tags)
            text = self._sentence(task.instruction[named.start : named.stop], tags)
            if task.update is None and text:
                text = [tags.mark(number) if named.lines else tags.given, *text, tags.close]
            ids += text
            ids += self._sentence(task.instruction[named.stop : named.end], tags)
            ids += [tags.of_original(line) for line in named.lines]
            done = named.end
        return ids + self._sentence(task.instruction[done:], tags)

    def _sentence(self, text: str, tags: TagIds) -> list[int]:
        first, *rest = text.split("\n")
        return [*self.encode_line(first), *self.tagged((tags.new, line) for line in rest)]

    def _update(self, task: RegionTask, tags: TagIds) -> list[int]:
        if task.update is None:
            return []
        chosen = self.update_tags(task, tags)
        shown = ("" if line.marker else line.text for line in task.update.lines)
        return self.tagged(zip(chosen, shown, strict=True))

    def _ids(self, task: RegionTask, tags: TagIds, parts: Iterable[TaggedLine]) -> tuple[int, ...]:
        """The answer that gives these lines."""
        return tuple(token for line in written(self, task, tags, parts) for token in line)

    def _predicted(self, task: RegionTask, prediction: Prediction, tags: TagIds) -> Iterator[TaggedLine]:
        """The merge's lines, those that the update brings with the tags that they have there."""
        pending = list(self._update_parts(task, tags))
        for text, origin in zip(prediction.lines, prediction.origins, strict=True):
            at = next((i for i, part in enumerate(pending) if part.text == text), None)
            if origin is not None or at is None:
                yield TaggedLine(text, origin, tags.new)
            else:
                yield pending[at]
                del pending[: at + 1]

    def _update_parts(self, task: RegionTask, tags: TagIds) -> Iterator[TaggedLine]:
        if task.update is not None and task.targets is not None:
            chosen = zip(task.update.lines, task.targets, self.update_tags(task, tags), strict=True)
            yield from (TaggedLine(line.text, target, tag) for line, target, tag in chosen if not line.marker)


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
            elif self._tag is None or not (token < self._form.text_vocab or self._belongs(token)):
                raise ValueError(f"token {token} stands outside a line of the answer")
            elif token == tags.drop:
                self._origin()
                self._tag = None
            elif token < self._form.text_vocab:
                self._text.append(token)
        return done

    def finish(self) -> list[AnswerLine]:
        done = self._close()
        self._tag = None
        return done

    def _belongs(self, token: int) -> bool:
        """Whether a token that is no text may stand in the open line."""
        tags = self._form.tags
        return tags.inside_line(token) or (token == tags.drop and not self._text)

    def _origin(self) -> int | None:
        """The region's line that the open line's tag names."""
        assert self._tag is not None
        origin = self._form.tags.original_line(self._tag, self._last, len(self._lines))
        if origin is not None:
            self._last = origin
        return origin

    def _close(self) -> list[AnswerLine]:
        if self._tag is None:
            return []
        text = self._form.tokenizer.decode(self._text)
        if "\n" in text or "\r" in text:
            raise ValueError("a line of the answer holds a line end")
        origin = self._origin()
        self._text = []
        exact = origin is not None and self._lines[origin] == text
        return [AnswerLine(text, origin if exact else None)]
