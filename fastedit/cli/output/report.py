"""A result in words and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from fastedit import console
from fastedit.files.patch import unified_diff
from fastedit.readings import Option, share
from fastedit.result import EditResult, Receipt
from fastedit.source.hunks import Hunk

if TYPE_CHECKING:
    from fastedit.engine import Verification
    from fastedit.ops.base import Candidate
    from fastedit.plan.base import Chat

_MOST_LEFT = 20


def diff_of(result: EditResult, name: str, hunks: tuple[Hunk, ...] | None = None) -> str:
    """The unified diff of the result, or of other hunks for the same document."""
    if hunks is not None:
        return unified_diff(result.document, hunks, name)
    return unified_diff(result.document, result.hunks, name, drops_final_newline=result.drops_final_newline)


def receipt_line(result: EditResult, choice: int | None = None) -> str:
    """What the edit changed and what it cost, in one line. `choice` is the reading that a person chose: how likely it
    was is then no confidence in the result."""
    receipt = result.receipt
    added = sum(len(hunk.lines) for hunk in result.hunks)
    removed = sum(hunk.stop - hunk.start for hunk in result.hunks)
    counted = f"{result.status}: {_counted(len(result.hunks), 'hunk', 's')} +{added} -{removed}"
    if choice is None:
        return " · ".join((counted, *costs(receipt)))
    return " · ".join((counted, f"reading {choice} as chosen", *costs(replace(receipt, confidence=None))))


def costs(receipt: Receipt) -> list[str]:
    """What a result cost, part by part."""
    parts = []
    if receipt.plan:
        parts.append(_plan(receipt))
    if receipt.passes:
        parts.append(f"{receipt.output_tokens} tokens in {_counted(receipt.passes, 'pass', 'es')}")
        parts.append(f"{receipt.tokens_per_pass:.1f} tokens a pass")
        parts.append(f"{receipt.chars_per_second:,.0f} characters/s")
    if receipt.confidence is not None:
        parts.append(f"confidence {share(receipt.confidence)}")
    parts.append(f"{receipt.total_ms / 1000:.2f} s")
    settings = [f"policy {receipt.policy}", f"model {receipt.model}"]
    if receipt.exactness != "default":
        settings.append(f"exactness {receipt.exactness}")
    if receipt.weights != "default":
        settings.append(f"weights {receipt.weights}")
    parts.append(", ".join(settings))
    return parts


def show_chat(messages: Chat, *, as_json: bool) -> None:
    """The messages that a model would get."""
    if as_json:
        said = [{"role": role, "content": text} for role, text in messages]
        console.emit(f"{json.dumps({'messages': said})}\n".encode())
        return
    console.emit(console.readable("\n\n".join(f"--- {role} ---\n\n{text}" for role, text in messages) + "\n"))


def _plan(receipt: Receipt) -> str:
    """How a strong model was asked, and what that and the best other way were expected to take."""
    other = f", {receipt.other_plan} {receipt.other_plan_tokens}" if receipt.other_plan else ""
    spent = f"{receipt.output_tokens} tokens, " if receipt.output_tokens else ""
    return f"plan {receipt.plan} ({spent}expected {receipt.plan_tokens}{other})"


def left_alone(places: Sequence[Candidate], name: str = "") -> Iterator[str]:
    """What operations leave for the person to look at, in the file `name` where there are several."""
    said = f"left alone: {name}: " if name else "left alone: "
    yield from (f"{said}{place}" for place in places[:_MOST_LEFT])
    if len(places) > _MOST_LEFT:
        yield f"{said}{len(places) - _MOST_LEFT} more places"


def verification_line(verification: Verification) -> str:
    drafted = _counted(verification.passes_with, "pass", "es")
    passes = f"{drafted} with speculation, {verification.passes_without} without"
    if verification.identical:
        return f"verified: the same {verification.tokens} tokens; {passes}"
    return f"not identical: the tokens differ from token {verification.first_difference} on; {passes}"


def _counted(count: int, noun: str, plural: str) -> str:
    return f"{count} {noun}{plural if count != 1 else ''}"


def as_json(
    result: EditResult,
    others: tuple[Option, ...],
    name: str,
    written: bool,
    verification: Verification | None,
) -> str:
    """One JSON object. `others` are what else may be meant; another opinion has neither number nor posterior."""
    fields = {
        "path": name,
        "status": result.status,
        "reasons": result.reasons,
        "notes": result.notes,
        "left": [place.as_dict() for place in result.left],
        "written": written,
        "sha256": {"before": result.document.sha256, "after": result.sha256},
        "hunks": list(map(asdict, result.hunks)),
        "drops_final_newline": result.drops_final_newline,
        "diff": diff_of(result, name),
        "alternatives": [
            {
                "number": other.number,
                "posterior": other.posterior,
                "diff": diff_of(result, name, other.hunks),
                "line": other.line,
            }
            for other in others
        ],
        "receipt": result.receipt.as_dict(),
        "verification": None if verification is None else asdict(verification),
    }
    return json.dumps(fields)
