"""From arguments to an edit request; whatever contradicts itself is a usage error that names the way out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from fastedit.console import on_terminal
from fastedit.errors import FileUnreadable, UnreadableEdit, UsageError, WriteFailed, naming
from fastedit.files.paths import patch_name, resolved
from fastedit.readings import chosen
from fastedit.request import LineRange, Policy
from fastedit.sampling import Sampling
from fastedit.source.document import MOST_BYTES, Document
from fastedit.source.languages import check_language

STDIN = "-"  # also standard output, where a result goes


class Delivery(NamedTuple):
    """What is wanted of the result; by default a terminal gets the diff and a question, a pipe the diff.

    `path` is empty for a change of several files.
    """

    path: str
    diff: bool
    write: bool
    output: str | None
    json: bool
    force: bool = False
    stdin_filename: str | None = None
    check: bool = False

    @property
    def name(self) -> str:
        """The file's name within a diff."""
        if self.path == STDIN and self.stdin_filename is None:
            return "stdin"
        return patch_name(self.stdin_filename or self.path)

    @property
    def shows(self) -> bool:
        """Whether the diff is the result."""
        return not (self.write or self.output or self.json or self.check)

    @property
    def asks(self) -> bool:
        """Whether a person is shown the diff and asked before files are written."""
        return self.shows and not self.diff and self.path != STDIN and on_terminal()


def read_document(path: str, language: str | None = None, stdin_filename: str | None = None) -> Document:
    """The file at `path`, or standard input for `-`.

    Raises FileUnreadable, Undecodable or TooLong, and UsageError for a language that there is not.
    """
    if language is not None:
        check_language(language)
    if path == STDIN:
        name = None if stdin_filename is None else Path(stdin_filename)
        document = Document.from_bytes(_read_stdin(), name)
    else:
        document = Document.read(path)
    return replace(document, language=language)


def read_base(path: str, language: str | None) -> Document:
    """The file as the edit's author read it. Raises what `read_document` does, UsageError for standard input."""
    if path == STDIN:
        raise UsageError("--base -: is for a file; write the text that the edit was made for into one")
    return read_document(path, language)


def _read_stdin() -> bytes:
    """Raises FileUnreadable for what is open for writing alone, as `nohup` leaves it."""
    try:
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:
        raise FileUnreadable(f"standard input: {error.strerror}; name a file instead of {STDIN}") from None


def check_there(path: str, update: str | None) -> None:
    """Raises FileUnreadable for an instruction without its file: else a mistyped name would get new code."""
    if update is None and path != STDIN and not os.path.lexists(path):
        raise FileUnreadable(f"{path}: no such file; check the path, or create it empty for new code")


def read_texts(
    path: str, instruction: str | None, update: str | None, symbol: str | None
) -> tuple[str | None, str | None]:
    """The instruction and the text of the update. Raises UsageError where neither is given, InputRefused for an update
    that cannot be read or is empty."""
    if instruction is None and update is None:
        raise UsageError("nothing to do: give --instruction TEXT, --update FILE, or both")
    for option, value in (("--instruction", instruction), ("--symbol", symbol)):
        if value is not None and not value.strip():
            raise UsageError(f"{option} is empty; say what is meant or leave it out")
    if update is None:
        return instruction, None
    if update == STDIN and path == STDIN:
        raise UsageError("standard input cannot be both the file and the update; name one of them")
    if update != STDIN and not os.path.lexists(update):
        words = ", or give words to `fastedit apply` as --instruction" if " " in update.strip() else ""
        raise FileUnreadable(f"{update}: no such file; check the path{words}")
    text = read_document(update).text
    if not text.strip():
        raise UnreadableEdit(f"the update {update} is empty; write the changed code into it")
    return instruction, text


def naming_update(update: str | None) -> AbstractContextManager[None]:
    """Has an UnreadableEdit say which file the update came from."""
    return naming(None if update == STDIN else update, UnreadableEdit)


def parse_choice(values: list[str] | None, document: Document) -> int | None:
    """The number of a reading. Raises UsageError, and StaleFile for another document than it was shown for."""
    if not values:
        return None
    if len(values) > 1:
        raise UsageError("--choose is given twice; one file has one reading")
    try:
        return chosen(values[0], document)
    except UsageError as error:
        raise UsageError(f"--choose {error}") from None


def parse_choices(values: list[str] | None) -> dict[str, str]:
    """Readings by the file that they are of, each as `PATH=N` or `PATH=N@HASH`. Raises UsageError."""
    found = dict[str, str]()
    for value in values or ():
        path, sign, reading = value.rpartition("=")
        if not sign or not path:
            raise UsageError(f"--choose {value}: names no file; write PATH={value}")
        found[path] = reading
    return found


def parse_lines(value: str | None, document: Document) -> LineRange | None:
    """`A:B`, counted from 1 and both included, as a range from 0. Raises UsageError."""
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", value)
    if not match:
        raise UsageError(f"--lines {value}: is not A:B with two line numbers, such as 10:20")
    first, last = int(match[1]), int(match[2])
    count = len(document.lines)
    if not 1 <= first <= last:
        raise UsageError(f"--lines {value}: lines count from 1 and the first must not come after the last")
    if not count:
        raise UsageError(f"--lines {value}: the file is empty; leave --lines out")
    if last > count:
        raise UsageError(f"--lines {value}: the file ends with line {count}; end there or before")
    return LineRange(first - 1, last)


def parse_ignore(codes: list[str] | None) -> frozenset[str]:
    """Raises UsageError for a rule that there is not, or that cannot be ignored."""
    if not codes:
        return frozenset()
    from fastedit.check import parse_ignored  # it imports the grammars' library

    return parse_ignored(codes)


def parse_sampling(temperature: float, seed: int | None) -> Sampling:
    """Raises UsageError."""
    sampling = Sampling(temperature=temperature, seed=seed or 0)
    if seed is not None and sampling.greedy:
        raise UsageError("--seed does nothing at temperature 0; add --temperature T or leave it out")
    return sampling


def check_delivery(wanted: Delivery, update: str | None) -> None:
    """Raises UsageError where the result is wanted in two places, or in one it cannot go to."""
    path, output = wanted.path, wanted.output
    if not path:
        raise UsageError("PATH is empty; name a file, or - for standard input")
    check_stdin_filename(path, wanted.stdin_filename)
    places = check_exclusive(
        {
            "--diff": wanted.diff,
            "--write": wanted.write,
            "--output": output is not None,
            "--check": wanted.check,
        }
    )
    if wanted.json and (wanted.diff or output == STDIN):
        raise UsageError(f"--json and {places[0]} both want standard output; choose one")
    if wanted.write and path == STDIN:
        raise UsageError("--write needs a file, not standard input; use --output or --diff")
    if output == "":
        raise UsageError("--output is empty; name a file, or - for standard output")
    if output and output.endswith(os.sep):
        raise UsageError(f"--output {output} names a folder; name a file in it")
    if output and output != STDIN:
        if path != STDIN and resolved(output) == resolved(path):
            raise UsageError(f"--output {output} is the file itself; use --write, which can be undone")
        if update is not None and update != STDIN and resolved(output) == resolved(update):
            raise UsageError(f"--output {output} is the update itself; name another file")


def check_shown_prompt(wanted: Delivery) -> None:
    """Raises UsageError where a result is wanted of a model that is not asked."""
    places = {"--diff": wanted.diff, "--write": wanted.write, "--output": wanted.output is not None}
    if found := given({**places, "--check": wanted.check}):
        raise UsageError(f"--show-prompt asks no model, so there is no result; leave {found[0]} out")


def check_exclusive(options: Mapping[str, bool]) -> list[str]:
    """Those of the options that are given, one at the most. Raises UsageError for several."""
    found = given(options)
    if len(found) > 1:
        raise UsageError(f"{' and '.join(found)} exclude each other; choose one")
    return found


def given(options: Mapping[str, bool]) -> list[str]:
    """Those of the options that are given."""
    return [option for option, on in options.items() if on]


def check_stdin_filename(path: str, stdin_filename: str | None) -> None:
    """Raises UsageError for another name of a file that has one, and for an empty one."""
    if stdin_filename is not None and path != STDIN:
        raise UsageError("--stdin-filename names standard input; give - as the file, or leave it out")
    if stdin_filename == "":
        raise UsageError("--stdin-filename is empty; name a file such as settings.py, or leave it out")


def check_for_one(for_many: Mapping[str, bool]) -> None:
    """Raises UsageError for options that only a change of many files has."""
    if found := given(for_many):
        raise UsageError(f"{found[0]} is for a change that names its files; leave PATH or {found[0]} out")


def check_writable(wanted: Delivery, document: Document) -> None:
    """Raises WriteFailed where the result could not be put where it is wanted."""
    target = wanted.path if wanted.write or wanted.asks else wanted.output
    if not target or target == STDIN:
        return
    from fastedit.files.write import rehearse

    try:
        rehearse(target, len(document.encode(document.text)))
    except WriteFailed as error:
        if wanted.asks:
            raise WriteFailed(f"{error}, or only look with --diff") from None
        raise


def check_drafter(drafter: str, model: str) -> None:
    """Raises UsageError for a drafter that there is not, and for one beside a server's model."""
    if drafter == "lookup":
        return
    from fastedit.draft.registry import parse

    parse(drafter)
    from fastedit.connect import is_remote

    if is_remote(model):
        raise UsageError(f"{model}: drafts cannot be configured for a remote server; leave --drafter out")


def listed_drafter(drafter: str, model: str) -> dict[str, str]:
    """The one drafter of a server, by the name that requests may give. Raises UsageError like `check_drafter`."""
    from fastedit.draft.registry import names

    check_drafter(drafter, model)
    return {"+".join(names(drafter)): drafter}  # without arguments: they are paths


def check_verify(
    no_speculation: bool, policy: Policy, sampling: Sampling, choice: list[str] | None, base: str | None
) -> None:
    """Raises UsageError where a replay has nothing to compare, or nothing that has to be equal."""
    others = {
        "--no-speculation": no_speculation,
        "--policy merge": policy == "merge",
        "--temperature": not sampling.greedy,
        "--choose": choice is not None,
        "--base": base is not None,
    }
    if found := given(others):
        raise UsageError(f"--verify compares greedy decoding with and without drafts; leave {found[0]} out")
