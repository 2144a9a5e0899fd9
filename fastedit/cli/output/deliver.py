"""Where a result goes: onto the screen, into a pipe or a file; held back while it is suspect."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fastedit import console
from fastedit.cli.inputs import STDIN, Delivery, read_document
from fastedit.cli.output.report import as_json, diff_of, left_alone, receipt_line, verification_line
from fastedit.engine.models.folder import EMBEDDED
from fastedit.errors import Cancelled, SuspectResult
from fastedit.excerpts import excerpts, titled
from fastedit.files.paths import resolved
from fastedit.readings import Option, options_of, reading_of
from fastedit.request import EditRequest
from fastedit.result import EditResult, Status

if TYPE_CHECKING:
    from fastedit.engine import Verification
    from fastedit.files.entry import UpdateText


def deliver(
    wanted: Delivery,
    request: EditRequest,
    result: EditResult,
    verification: Verification | None,
    apply: Callable[[EditRequest], EditResult],
) -> None:
    """Raises SuspectResult where checks or replay hold the result back, Cancelled where a person does.

    `apply` runs the request again where the person at the terminal chooses a reading of the update, and where the file
    was changed meanwhile.
    """
    held = list(result.reasons) if result.status is Status.SUSPECT else []
    if verification is not None and not verification.identical:
        held.append(verification_line(verification))
    others = options_of(result)
    if wanted.shows:
        _show(wanted, request, result, held, others)
    if not wanted.json:
        for note in result.notes:
            console.say(f"note: {note}")
        # A suspect result has them among its reasons.
        for line in left_alone(result.left) if result.status is not Status.SUSPECT else ():
            console.warn(line)
        console.say(receipt_line(result, request.choice))
        if verification is not None:
            console.say(verification_line(verification))
    if held and wanted.asks and not wanted.force and _choosable(others):
        console.say(f"suspect: {'; '.join(held)}")
        chosen = replace(request, choice=_chosen(wanted.path, request, others))
        _deliver_chosen(wanted, chosen, apply(chosen), apply)
        return
    put = False
    if wanted.force or not held:
        put, result = _put(wanted, request, result, apply, asks=wanted.asks)
    if wanted.json:
        text = as_json(result, others, wanted.name, put, verification)
        console.emit(f"{text}\n".encode())
    if held and wanted.force:
        console.say(f"delivered anyway: {'; '.join(held)}")
    elif held:
        if not (wanted.json or (wanted.shows and sys.stdout.isatty())):
            first = Option(request.choice, result.receipt.confidence, 0, result.hunks)
            for line in excerpts(result.document, first, others, partial(_whole, result)):
                console.warn(line)
        raise _suspect(wanted, held, result, others)


def _deliver_chosen(
    wanted: Delivery, request: EditRequest, result: EditResult, apply: Callable[[EditRequest], EditResult]
) -> None:
    """Writes the reading that a person chose from those shown, unless the checks object to it."""
    if result.status is Status.SUSPECT:
        raise _suspect(wanted, list(result.reasons), result, options_of(result))
    _put(wanted, request, result, apply, asks=False)


def _suspect(
    wanted: Delivery, held: list[str], result: EditResult, others: tuple[Option, ...]
) -> SuspectResult:
    reasons, way_out = "; ".join(held), _way_out(result, others)
    return SuspectResult(f"{wanted.path}: suspect, nothing was written: {reasons} ({way_out})")


def _whole(result: EditResult, number: int) -> str:
    taken = f"--choose {reading_of(result.document, number)}" if number else "--force"
    return f"{taken} --diff shows all"


def _way_out(result: EditResult, others: tuple[Option, ...]) -> str:
    numbers = _choosable(others)
    if numbers:
        listed = " or ".join(reading_of(result.document, number) for number in numbers)
        return f"--choose {listed} takes another reading, --force this one"
    if others and any(reason.endswith("disagree") for reason in result.reasons):
        return "--json shows both opinions, --policy model or merge takes one, --force takes this one"
    if others:
        return "--json shows what else may be meant, --force takes this"
    model = f", {console.CONNECT}" if result.receipt.model in EMBEDDED else ""
    if not result.is_changed:
        return f"say it in other words, --update takes the changed code{model}"
    return f"--force takes it anyway{model}"


def _choosable(others: tuple[Option, ...]) -> list[int]:
    """The numbers of the readings that `--choose` takes."""
    return [other.number for other in others if other.number is not None]


def _show(
    wanted: Delivery, request: EditRequest, result: EditResult, held: list[str], others: tuple[Option, ...]
) -> None:
    """A person sees the diff whatever it is. A pipe gets what may be applied, held back only where it is asked for."""
    diff = diff_of(result, wanted.name)
    if not sys.stdout.isatty():
        if not held or wanted.force or (wanted.diff and request.choice is not None):
            console.emit(console.for_pipe(diff, result.document.encoding))
        return
    others = others if held else ()
    count = len(_choosable(others)) + 1
    if count > 1:
        console.tell(f"{titled(request.choice or 1, count, result.receipt.confidence)}:")
    console.emit(console.for_terminal(diff))
    for other in others:
        unnumbered = other.number is None
        title = "the other opinion" if unnumbered else titled(other.number, count, other.posterior)
        console.emit(b"\n")
        console.tell(f"{title}, which differs from line {other.line} of the new file on:")
        console.emit(console.for_terminal(diff_of(result, wanted.name, other.hunks)))


def _put(
    wanted: Delivery,
    request: EditRequest,
    result: EditResult,
    apply: Callable[[EditRequest], EditResult],
    *,
    asks: bool,
) -> tuple[bool, EditResult]:
    """Writes where it is wanted; whether it did, and the result that it is. `asks` lets the person say no to that."""
    if wanted.output == STDIN:
        console.emit(result.data)
        return False, result
    if not (wanted.output or (result.is_changed and (wanted.write or wanted.asks))):
        return False, result
    from fastedit.files.write import links_note

    words, update = request.instruction or _words(result), _update_of(request)
    target = wanted.output or wanted.path
    for line in links_note(resolved(target), target):
        console.say(line)
    if asks and not console.agreed(f"Write {console.pictured(wanted.path)}?"):
        raise Cancelled
    console.past_cancelling()
    from fastedit.files.save import save  # with the journal's SQLite, which a diff does not need

    if wanted.output:
        undoable = save(result.document, result.data, words, len(result.hunks), console.say, to=wanted.output)
        console.say(f"wrote {wanted.output}{_way_back(wanted.output, undoable)}")
        return True, result
    from fastedit.engine.changes.again import edited_again
    from fastedit.retry import written

    read = partial(read_document, wanted.path, result.document.language)

    def write(result: EditResult) -> bool:
        return result.is_changed and save(
            result.document, result.data, words, len(result.hunks), console.say, update
        )

    def again(result: EditResult) -> EditResult | None:
        # A person was shown what else the file would become.
        return None if wanted.asks else edited_again(request, result, read, apply)

    undoable, result = written(write, result, again)
    if result.is_changed:
        console.say(f"wrote {wanted.path}{_way_back(wanted.path, undoable)}")
    else:
        console.say(f"{wanted.path}: another program made the same change; nothing was written")
    return result.is_changed, result


def _way_back(path: str, undoable: bool) -> str:
    return f"; `fastedit undo {console.argument(path)}` takes it back" if undoable else ""


def _words(result: EditResult) -> str:
    """An update in the log. It begins with a marker more often than not; what it adds says more."""
    added = [line.strip() for hunk in result.hunks for line in hunk.lines if line.strip()]
    if not added:
        return "lines removed"
    more = f" and {len(added) - 1} more line{'s' * (len(added) > 2)}" if len(added) > 1 else ""
    return f"+{added[0]}{more}"


def _chosen(path: str, request: EditRequest, others: tuple[Option, ...]) -> int:
    """The number of the reading that the person wants, who is asked until it is one. Raises Cancelled for none."""
    numbers = [str(number) for number in sorted((request.choice or 1, *_choosable(others)))]
    question = f"Write which reading to {console.pictured(path)}? [{'/'.join(numbers)}/N] "
    while (answer := console.answered(question).decode("latin-1")) not in numbers:
        if answer.lower() in ("", "n", "no"):
            raise Cancelled
        console.warn(f"{answer}: is none of the readings {', '.join(numbers)}; N writes nothing")
    return int(answer)


def _update_of(request: EditRequest) -> UpdateText | None:
    """What `fastedit explain` reads again."""
    from fastedit.files.entry import UpdateText

    if request.update is None:
        return None
    lines = request.lines
    return UpdateText(request.update, request.symbol, (lines.start, lines.stop) if lines else None)
