"""Whether two models mean the same by a token: one can only draft for the other where they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from fastedit.errors import ModelUnavailable


class Vocabulary(NamedTuple):
    """Of the model `name`: its tokens by text, empty where the folder has no tokenizer.json, and how many logits it
    gives, which may be a few more."""

    name: str
    ids: dict[str, int]
    logits: int

    def __str__(self) -> str:
        return f"{self.name} ({len(self.ids) or self.logits} tokens)"


def vocabulary(folder: Path, logits: int) -> Vocabulary:
    """Raises ModelUnavailable for a tokenizer.json that is none."""
    file = folder / "tokenizer.json"
    if not file.is_file():
        return Vocabulary(folder.name, {}, logits)
    try:
        tokenizer = json.loads(file.read_text("utf-8"))
        known = tokenizer["model"]["vocab"]
        ids = dict(known) if isinstance(known, dict) else {entry[0]: i for i, entry in enumerate(known)}
        ids |= {entry["content"]: entry["id"] for entry in tokenizer.get("added_tokens") or ()}
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise ModelUnavailable(f"{file}: no usable tokenizer ({error}); fetch the model again") from None
    return Vocabulary(folder.name, ids, logits)


def check_same(draft: Vocabulary, target: Vocabulary) -> None:
    """Raises ModelUnavailable, naming both, where they differ."""
    if draft.ids == target.ids and (draft.ids or draft.logits == target.logits):
        return
    texts = (*draft.ids, *target.ids)
    text = next((text for text in texts if draft.ids.get(text) != target.ids.get(text)), None)
    differing = ""
    if text is not None:
        own, other = (ids.get(text, "unknown") for ids in (draft.ids, target.ids))
        differing = f"; {text!r} is {own} to the one and {other} to the other"
    raise ModelUnavailable(
        f"the vocabulary of {draft} is not that of {target}{differing}: draft with a model of the same tokenizer"
    )
