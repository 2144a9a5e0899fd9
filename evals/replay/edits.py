"""The edits that are replayed: whole files, in the embedded tokenizer's ids.

A program that is gone made the sketches in `edits-*.jsonl`, of the edits that are drawn here (docs/figures.md).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from evals.edits import RealEdit, Split, digest, load
from fastedit.engine.models.folder import NANO
from fastedit.prompt.base import Prompt
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.sketch.align import lay
from fastedit.sketch.read.updates import read_update
from fastedit.train import jsonl

HERE = Path(__file__).parent
MOST_CHANGED = 0.15  # of a file's lines

Encode = Callable[[str], tuple[int, ...]]
Case = tuple[Prompt, tuple[int, ...]]
"""The prompt's drafting side, and the tokens wanted."""


def drawn(split: Split, longest: int, *, with_update: bool = True) -> Iterator[Case]:
    """Edits that change few of their lines, whose prompt and answer have at most `longest` tokens; in an order by a
    hash of their names, the same on every machine. With an update, those whose sketch is kept here."""
    updates = {
        (row["package"], row["path"], row["old"]): row["edit"]
        for row in jsonl.read(HERE / f"edits-{split}.jsonl")
    }
    inside = [edit for edit in load(split) if edit.changed < MOST_CHANGED and len(edit.old) < 4 * longest]
    inside.sort(key=lambda edit: hashlib.sha256((edit.package + edit.path).encode()).digest())
    encode = line_encoder()
    for edit in inside:
        update = updates.get((edit.package, edit.path, digest(edit.old))) if with_update else None
        if with_update and update is None:
            continue
        drafting, wanted = found = case(edit, encode, update)
        if len(drafting.original) + len(drafting.update) + len(wanted) + 1 <= longest:
            yield found


def line_encoder() -> Encode:
    """Text to ids, line by line, with one more id for every line end, so that no token crosses one."""
    form = EmbeddedFormat.load(NANO)

    def encode(text: str) -> tuple[int, ...]:
        ids: list[int] = []
        for line in text.split("\n"):
            ids += (*form.encode_line(line), form.text_vocab)
        return tuple(ids[:-1])

    return encode


def case(edit: RealEdit, encode: Encode, update: str | None) -> Case:
    prediction = None
    if update is not None:
        old = edit.old.split("\n")
        prediction = encode("\n".join(lay(old, read_update(update, "python", old)).text.lines))
    original, shown = encode(edit.old), () if update is None else encode(update)
    return Prompt((), original, shown, prediction, frozenset(), len(original)), encode(edit.new)


def prompt_of(found: Case, vocab: int) -> tuple[Prompt, list[int]]:
    """The file and its update as the prompt; the answer ends with a stop token."""
    drafting, wanted = found
    stop = vocab - 1
    ids = (*drafting.original, *drafting.update)
    prompt = Prompt(
        ids, drafting.original, drafting.update, drafting.prediction, frozenset({stop}), len(wanted) + 1
    )
    return prompt, [*wanted, stop]
