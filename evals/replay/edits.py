"""The edits that are replayed: whole files, in the embedded tokenizer's ids."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

from evals.edits import RealEdit, Split, load
from evals.sketch import sketch
from fastedit.engine.folder import NANO
from fastedit.prompt.base import Prompt
from fastedit.sketch.align import lay
from fastedit.sketch.reading import read_update

MOST_CHANGED = 0.15  # of a file's lines
TOKENIZER = NANO / "tokenizer.json"

Encode = Callable[[str], tuple[int, ...]]
Case = tuple[Prompt, tuple[int, ...]]
"""The prompt's drafting side, and the tokens wanted."""


def drawn(
    split: Split, longest: int, low: float = 0.0, high: float = MOST_CHANGED, *, with_update: bool = True
) -> Iterator[tuple[RealEdit, Case]]:
    """Edits that change `low` up to `high` of their lines, whose prompt and answer have at most `longest` tokens; in an
    order by a hash of their names, the same on every machine."""
    inside = [edit for edit in load(split) if low <= edit.changed < high]
    inside.sort(key=lambda edit: hashlib.sha256((edit.package + edit.path).encode()).digest())
    return short_enough(inside, longest, with_update=with_update)


def short_enough(
    edits: Iterable[RealEdit], longest: int, *, with_update: bool = True
) -> Iterator[tuple[RealEdit, Case]]:
    """Those whose prompt and answer have at most `longest` tokens."""
    encode = line_encoder(TOKENIZER)
    for edit in edits:
        if len(edit.old) < 4 * longest:
            drafting, wanted = found = case(edit, encode, with_update=with_update)
            if len(drafting.original) + len(drafting.update) + len(wanted) + 1 <= longest:
                yield edit, found


def line_encoder(path: Path) -> Encode:
    """Text to ids, line by line, with one more id for every line end, so that no token crosses one."""
    tokenizer = Tokenizer.from_file(str(path))
    line_end: int = tokenizer.get_vocab_size()

    @cache
    def line_ids(line: str) -> tuple[int, ...]:
        return tuple(tokenizer.encode(line).ids)

    def encode(text: str) -> tuple[int, ...]:
        ids: list[int] = []
        for line in text.split("\n"):
            ids += (*line_ids(line), line_end)
        return tuple(ids[:-1])

    return encode


def case(edit: RealEdit, encode: Encode, *, with_update: bool) -> Case:
    update: tuple[int, ...] = ()
    prediction = None
    if with_update:
        old, new = edit.old.split("\n"), edit.new.split("\n")
        text = sketch(old, new, "python", random.Random(edit.package + edit.path))
        update = encode(text)
        prediction = encode("\n".join(lay(old, read_update(text, "python", old)).text.lines))
    original = encode(edit.old)
    return Prompt((), original, update, prediction, frozenset(), len(original)), encode(edit.new)


def prompt_of(found: Case, vocab: int) -> tuple[Prompt, list[int]]:
    """The file and its update as the prompt; the answer ends with a stop token."""
    drafting, wanted = found
    stop = vocab - 1
    ids = (*drafting.original, *drafting.update)
    prompt = Prompt(
        ids, drafting.original, drafting.update, drafting.prediction, frozenset({stop}), len(wanted) + 1
    )
    return prompt, [*wanted, stop]
