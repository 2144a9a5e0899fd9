"""A result in words and as JSON."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from fastedit.edit.hunks import Hunk
from fastedit.edit.patch import unified_diff
from fastedit.edit.result import EditResult

if TYPE_CHECKING:
    from fastedit.engine import Verification


def diff_of(result: EditResult, name: str, hunks: tuple[Hunk, ...] | None = None) -> str:
    """The unified diff of the result, or of other hunks for the same document."""
    return unified_diff(result.document, result.hunks if hunks is None else hunks, name)


def receipt_line(result: EditResult) -> str:
    """What the edit changed and what it cost, in one line."""
    receipt = result.receipt
    added = sum(len(hunk.lines) for hunk in result.hunks)
    removed = sum(hunk.stop - hunk.start for hunk in result.hunks)
    parts = [f"{result.status}: {_counted(len(result.hunks), 'hunk', 's')} +{added} -{removed}"]
    if receipt.passes:
        parts.append(f"{receipt.output_tokens} tokens in {_counted(receipt.passes, 'pass', 'es')}")
        parts.append(f"{receipt.tokens_per_pass:.1f} tokens a pass")
        parts.append(f"{receipt.chars_per_second:,.0f} characters/s")
    if receipt.confidence is not None:
        parts.append(f"confidence {receipt.confidence:.2f}")
    parts.append(f"{receipt.total_ms / 1000:.2f} s")
    settings = [f"policy {receipt.policy}", f"model {receipt.model}"]
    if receipt.exactness != "default":
        settings.append(f"exactness {receipt.exactness}")
    if receipt.weights != "default":
        settings.append(f"weights {receipt.weights}")
    parts.append(", ".join(settings))
    return " · ".join(parts)


def verification_line(verification: Verification) -> str:
    drafted = _counted(verification.passes_with, "pass", "es")
    passes = f"{drafted} with speculation, {verification.passes_without} without"
    if verification.identical:
        return f"verified: the same {verification.tokens} tokens; {passes}"
    return f"not identical: the tokens differ from token {verification.first_difference} on; {passes}"


def _counted(count: int, noun: str, plural: str) -> str:
    return f"{count} {noun}{plural if count != 1 else ''}"


def as_json(
    result: EditResult, name: str, data: bytes, written: bool, verification: Verification | None
) -> str:
    """One JSON object. `alternative` is the diff of the other opinion, if there is one."""
    fields: dict[str, Any] = {
        "path": name,
        "status": result.status,
        "reasons": result.reasons,
        "written": written,
        "sha256": {"before": result.document.sha256, "after": hashlib.sha256(data).hexdigest()},
        "hunks": [{"start": hunk.start, "stop": hunk.stop, "lines": hunk.lines} for hunk in result.hunks],
        "diff": diff_of(result, name),
        "alternative": None if result.alternative is None else diff_of(result, name, result.alternative),
        "receipt": result.receipt.as_dict(),
        "verification": None,
    }
    if verification is not None:
        fields["verification"] = {
            "identical": verification.identical,
            "tokens": verification.tokens,
            "first_difference": verification.first_difference,
            "passes_with": verification.passes_with,
            "passes_without": verification.passes_without,
        }
    return json.dumps(fields)
