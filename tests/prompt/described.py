"""Token ids of the embedded format as a person reads them."""

from __future__ import annotations

from collections.abc import Sequence

from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.prompt.tags import NAMES, TagIds


def described(form: EmbeddedFormat, ids: Sequence[int]) -> str:
    """Text with tags and marks spelled out."""
    tags, shown, run = form.tags, "", list[int]()
    for token in (*ids, tags.pad):
        if token < form.text_vocab:
            run.append(token)
            continue
        inside = tags.inside_line(token) or token in (tags.given, tags.drop)
        shown += form.tokenizer.decode(run)
        run = []
        if token != tags.pad:
            shown += f"{'' if inside else chr(10)}<{_name(tags, token)}>"
    return shown


def _name(tags: TagIds, token: int) -> str:
    rings = (("n", tags.first_named_id), ("o", tags.first_original_id), ("u", tags.first_update_id))
    for letter, first in rings:
        if token >= first:
            return f"{letter}{token - first}"
    if token in (tags.keep, tags.new):
        return "keep" if token == tags.keep else "new"
    return f"m{token - tags.first_mark}" if token >= tags.first_mark else NAMES[token - tags.base]
