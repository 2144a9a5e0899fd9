"""`fastedit apply` for several files: those that an agent's message names, or those that an instruction is about."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fastedit import console
from fastedit.cli.inputs import STDIN, Delivery, check_exclusive, given
from fastedit.cli.output import change_report
from fastedit.cli.output.report import left_alone, show_chat
from fastedit.errors import (
    Cancelled,
    FasteditError,
    FileUnreadable,
    InputRefused,
    SuspectResult,
    UnreadableAnswer,
    UnreadableEdit,
    UsageError,
    WayOut,
    WriteFailed,
)
from fastedit.files.conventions import conventions_of
from fastedit.files.tree import Tree
from fastedit.result import Status

if TYPE_CHECKING:
    from fastedit.engine import Engine
    from fastedit.engine.changes.change import ChangeRequest, ChangeResult, FileChange

_OF_ONE_FILE = {WayOut.SYMBOL, WayOut.LINES, WayOut.PLAN}  # their options need PATH


def check_options(
    wanted: Delivery,
    paths: Sequence[str],
    context: Sequence[str],
    update: str | None,
    for_one: Mapping[str, bool],
    for_models: Mapping[str, bool],
) -> None:
    """Raises UsageError for options that exclude each other, for those in `for_one`, which need one PATH, and for those
    in `for_models`, which need any."""
    if not paths and update is None:
        raise UsageError(
            "PATH is missing; name the file, or give a change that names its files with --update"
        )
    if not paths and context:
        raise UsageError("--context is for an instruction; name the files that it may change before it")
    if paths and update is not None:
        what = "--context" if context else "several files"
        raise UsageError(f"an update names its files itself; leave {what} out, or give an instruction alone")
    for path in (*paths, *context):
        if path in ("", STDIN):
            said = "standard input is" if path else "an empty path is"
            raise UsageError(f"{said} not one of several files; name files")
    if found := given(for_one):
        said = "name it alone" if paths else f"name it: fastedit apply FILE {found[0]} ..."
        raise UsageError(f"{found[0]} is for one file; {said}")
    if not paths and (found := given(for_models)):
        raise UsageError(
            f"{found[0]} is for an instruction; name its files: fastedit apply FILE {found[0]} ..."
        )
    check_exclusive({"--diff": wanted.diff, "--write": wanted.write, "--check": wanted.check})
    if wanted.json and wanted.diff:
        raise UsageError("--json and --diff both want standard output; choose one")


def apply_change(
    request: ChangeRequest, update: str | None, root: str, wanted: Delivery, engine: Engine
) -> None:
    """`update` is the file that a message comes from, `root` the folder that no path leaves.

    Raises SuspectResult, InputRefused or UnreadableAnswer where files are held back, Cancelled where a person does.
    """
    from fastedit.cli.output.progress import shown_progress
    from fastedit.engine.changes.change import ChangeResult, stream

    tree = Tree(root)
    request = _rooted(request, update, root, tree)
    if wanted.write or wanted.asks:
        try:
            tree.rehearse(request.paths)
        except WriteFailed as error:
            raise WriteFailed(f"{error}, or give it as --context, or only look with --diff") from None
    count = len(request.paths)
    begins = f"reading {count} file{'s' * (count != 1)}" if count else "reading the edit"
    with shown_progress(begins) as show:
        for event in stream(engine, request, tree):
            if show is not None:
                show(event)
    assert isinstance(event, ChangeResult), "a stream always ends with its result"
    _deliver(request, root, wanted, tree, event, engine)


def show_prompt(request: ChangeRequest, root: str, engine: Engine, *, as_json: bool) -> None:
    from fastedit.engine.changes.instructed import prompt

    tree = Tree(root)
    show_chat(prompt(engine, _rooted(request, None, root, tree), tree), as_json=as_json)


def _rooted(request: ChangeRequest, update: str | None, root: str, tree: Tree) -> ChangeRequest:
    """The request with its paths as they are below the root, and its message read. Raises UnreadableEdit for a message
    that names no file, FileUnreadable for a file outside of the root."""
    from fastedit.engine.changes.files import read_edit

    names = tuple(_names(root, tree))
    edit = request.message
    if edit is None:
        paths, context = (
            tuple(_below(path, tree, names) for path in said) for said in (request.paths, request.context)
        )
        conventions = conventions_of(paths, tree.root)
        return replace(request, paths=paths, context=context, conventions=conventions, roots=names)
    if isinstance(edit, str):
        edit = read_edit(edit, tree, request.format)
    if any(operation.path is None for operation in edit.operations):
        said = STDIN if update == STDIN else console.argument(update or "")
        if edit.hint:
            raise UnreadableEdit(edit.hint)
        raise UnreadableEdit(f"the edit names no file; name the file: fastedit apply FILE -u {said}")
    return replace(request, message=edit, roots=names)


def _below(path: str, tree: Tree, names: Sequence[str]) -> str:
    """A file, as the shell names it, by its path from the root. Raises FileUnreadable for one outside."""
    from fastedit.engine.changes.files import within

    found = within(os.path.abspath(path), names, tree)
    if os.path.isabs(found):
        found = os.path.relpath(os.path.realpath(path), tree.root)
        if found.split(os.sep)[0] == os.pardir:
            raise FileUnreadable(
                f"{path}: is outside of {tree.root}; name a folder that holds all files with --root"
            )
    return found


def _names(root: str, tree: Tree) -> Iterator[str]:
    """What absolute paths may call the root: the shell's name of the current folder may lead through links."""
    yield str(tree.root)
    for folder in (os.getcwd(), os.environ.get("PWD", "")):
        name = os.path.normpath(os.path.join(folder, root))
        if os.path.realpath(name) == str(tree.root):
            yield name


def _deliver(
    request: ChangeRequest,
    root: str,
    wanted: Delivery,
    tree: Tree,
    result: ChangeResult,
    engine: Engine,
) -> None:
    from fastedit.engine.changes.again import changed_again
    from fastedit.retry import written

    def again(result: ChangeResult) -> ChangeResult | None:
        return changed_again(engine, request, result, tree) if wanted.write else None

    rehearse = partial(_rehearse, wanted, tree)
    write = partial(_write, request.instruction, root, wanted, tree)
    if wanted.shows:
        console.emit(_shown(result, result.deliverable(force=wanted.force), root))
    if wanted.check and not wanted.json:
        for line in change_report.lines(result):
            console.tell(line)
    notes: list[str] = []
    if wanted.write or wanted.asks or wanted.check:
        notes, result = written(rehearse, result, again)
    if not wanted.json:
        for line in change_report.notes(result) if not wanted.check else ():
            console.say(line)
        for file in result.files:
            for line in left_alone(file.left, file.name):
                console.warn(line)
        console.say(change_report.summary(result))
    for note in notes:
        console.say(note)
    done = False
    if wanted.write or wanted.asks:
        done, result = written(write, result, again)
    files = result.deliverable(force=wanted.force)
    if wanted.json:
        console.emit(f"{change_report.as_json(result, root, done)}\n".encode())
    held = _held(result, files)
    for file in held if not (wanted.json or os.isatty(1)) else ():
        for line in _excerpts(file):
            console.warn(line)
    if held:
        raise _refusal(result, files, held, done)
    suspect = [reason for reason in result.reasons if result.status is Status.SUSPECT]
    if suspect:
        console.say(f"delivered anyway: {'; '.join(suspect)}")


def _shown(result: ChangeResult, files: Sequence[FileChange], root: str) -> bytes:
    """The diff of the files to be written. A person sees all files where they are only suspect."""
    if not os.isatty(1):
        return b"".join(
            console.for_pipe(change_report.diff(file, root), change_report.encoding(file)) for file in files
        )
    refused = any(file.problem for file in result.files)
    shown = files if files or refused else result.files
    return b"".join(console.for_terminal(change_report.diff(file, root)) for file in shown)


def _rehearse(wanted: Delivery, tree: Tree, result: ChangeResult) -> list[str]:
    """What a person should know before. Raises what writing the files would raise."""
    from fastedit.files.plan import make_plan

    return make_plan(tree.root, result.effects(force=wanted.force)).notes()


def _write(instruction: str | None, root: str, wanted: Delivery, tree: Tree, result: ChangeResult) -> bool:
    """Writes the files as one, and whether there were any; `asks` lets the person say no to that."""
    files = result.deliverable(force=wanted.force)
    if not files:
        return False
    verb, done, what = _told(files)
    if wanted.asks and not console.agreed(f"{verb} {what}?"):
        raise Cancelled
    console.past_cancelling()
    from fastedit.engine.changes.change import hunk_count
    from fastedit.files.transaction import commit  # with the journal's SQLite, which a diff does not need

    words = instruction or ", ".join(file.title for file in files)
    commit(tree.root, result.effects(force=wanted.force), words, hunk_count(files))
    way_back = console.argument(os.path.normpath(os.path.join(root, files[0].name)))
    them = "them" if len(files) > 1 else "it"
    console.say(f"{done} {what}; `fastedit undo {way_back}` takes {them} back")
    return True


def _told(files: Sequence[FileChange]) -> tuple[str, str, str]:
    """What is done to the files, to be asked and to be told, and which they are."""
    if len(files) > 1:
        return "Write", "wrote", f"{len(files)} files"
    [file] = files
    name = console.pictured(file.name)
    match file.action:
        case "delete":
            return "Delete", "deleted", name
        case "rename":
            return "Rename", "renamed", f"{console.pictured(file.path or '')} to {name}"
        case _:
            return "Write", "wrote", name


def _held(result: ChangeResult, files: Sequence[FileChange]) -> list[FileChange]:
    """The files that would change and are held back."""
    return [file for file in result.files if file.status is not Status.UNCHANGED and file not in files]


def _refusal(
    result: ChangeResult, files: Sequence[FileChange], held: Sequence[FileChange], written: bool
) -> InputRefused | SuspectResult | UnreadableAnswer:
    """Why files are held back, and the way out."""
    from fastedit.engine.changes.change import BOUND

    refused = [file.error for file in result.files if file.error is not None]
    if refused and result.receipt is not None and not files:
        from fastedit.engine.answers.dialogue import inapplicable

        return inapplicable("; ".join(result.reasons))
    bound = result.bound(files)
    if result.partial and files:
        reasons = [*result.reasons, *(f"{file.name}: {BOUND}" for file in bound)]
        left = f"{'left' if written else 'would leave'} {len(held)} of {len(result.files)} files as they were"
        return _error(refused, f"{left}: {'; '.join(reasons)}")
    said = f"nothing was written: {'; '.join(result.reasons)}"
    if not refused:
        others = " and ".join(filter(None, map(_choice, held)))
        alone = f"{others} takes another reading, --force these" if others else "--force takes it anyway"
        said = f"suspect, {said} ({alone})"
    elif bound and not result.partial:
        said += " (--partial takes the other files)"
    return _error(refused, said)


def _excerpts(file: FileChange) -> Iterator[str]:
    """The readings of a sketch, in a few lines each."""

    def whole(reading: str) -> str:
        taken = f"--choose {console.argument(f'{file.path}={reading}')}" if reading else "--force"
        return f"{taken} --diff shows all"

    shown = list(file.excerpts(whole))
    yield from (f"{file.name}:", *shown) if shown else ()


def _choice(file: FileChange) -> str:
    """How another reading of a file is taken; empty where there is none."""
    listed = " or ".join(console.argument(f"{file.path}={reading}") for reading in file.readings)
    return f"--choose {listed}" if listed else ""


def _error(refused: Sequence[FasteditError], said: str) -> InputRefused | SuspectResult:
    if not refused:
        return SuspectResult(said)
    ways_out = (way for error in refused for way in error.ways_out if way not in _OF_ONE_FILE)
    return InputRefused(said, ways_out=tuple(ways_out))
