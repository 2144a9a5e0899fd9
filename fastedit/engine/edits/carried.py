"""An edit of the text that its author read, carried over to the file as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fastedit.check import check_written
from fastedit.engine.events import Event, HunkReady, Located, Resulted
from fastedit.errors import StaleFile
from fastedit.formats.report import spans
from fastedit.request import EditRequest
from fastedit.result import EditResult, Status
from fastedit.source.document import Document
from fastedit.source.rebase import rebase

CARRIED = "made for the base, whose lines are counted here, and carried over to the file as it is now"


def of_base(request: EditRequest) -> EditRequest:
    """The same edit of its base, by the name and in the language of the file; what has none as it is."""
    base, document = request.base, request.document
    if base is None or base.text == document.text:
        return replace(request, base=None)
    base = replace(base, path=document.path, language=document.language)
    return replace(request, document=base, base=None, live=False)


def carried_over(request: EditRequest, events: Iterable[Event]) -> Iterator[Event]:
    """The events of the edit of a base, told of the file as it is now. Raises StaleFile where a line that the edit
    changes, or one right next to it, has changed since."""
    for event in events:
        if isinstance(event, Resulted):
            result = _carried(event.result, request.document, request.ignore)
            yield from map(HunkReady, result.hunks)
            yield Resulted(result)
        elif not isinstance(event, HunkReady | Located):
            yield event


def _carried(result: EditResult, now: Document, ignore: frozenset[str]) -> EditResult:
    base = result.document
    hunks, conflicts = rebase(result.hunks, base, now)
    if conflicts:
        changed = [range(hunk.start, hunk.stop) for hunk in conflicts]
        raise StaleFile(
            f"{now.path or 'the file'}: {spans(changed)} of the base changed since, or what stands right next to "
            "that; make the edit of the file as it is now"
        )
    known = {one.rule for one in check_written(base, result.hunks, None, ignore=ignore)}
    found = (one for one in check_written(now, hunks, None, ignore=ignore) if one.rule not in known)
    reasons = dict.fromkeys((*result.reasons, *map(str, found)))
    drops = result.drops_final_newline and now.text.endswith("\n")
    others = ((one, rebase(one.hunks, base, now)) for one in result.alternatives)
    passed = Status.OK if hunks or drops else Status.UNCHANGED
    return replace(
        result,
        document=now,
        hunks=hunks,
        status=Status.SUSPECT if reasons else passed,
        reasons=tuple(reasons),
        alternatives=tuple(replace(one, hunks=of.hunks) for one, of in others if not of.conflicts),
        drops_final_newline=drops,
        notes=(*result.notes, CARRIED),
    )
