"""What every command shares: errors as one line and an exit code, results as bytes on standard output."""

from __future__ import annotations

import contextlib
import functools
import os
import shlex
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import NoReturn, ParamSpec

import typer

from fastedit.errors import Cancelled, FasteditError, FileUnreadable, ModelUnavailable, WayOut, WriteFailed

_P = ParamSpec("_P")
JSON = "--json"
CONNECT = (
    f"--{WayOut.MODEL} openai:NAME with OPENAI_API_KEY or anthropic:NAME with ANTHROPIC_API_KEY "
    "or a server's address"
)
# A command reads the files of an edit from disk.
_FLAGS = {way: f"--{way}" for way in set(WayOut) - {WayOut.FILES}} | {
    WayOut.CHANGE: "without PATH",
    WayOut.CONNECT: CONNECT,
    WayOut.LOG: "`fastedit log` lists what was written",
}
_quiet = False
_as_json = False  # whether the command that runs is to print JSON
_emitted = False  # whether the command that runs has put anything on standard output
_COLOURS = {"+++": 1, "---": 1, "@@": 36, "+": 32, "-": 31}  # ANSI codes by how a line of a diff begins
# What a file holds must not steer the terminal that shows it: controls turn into their pictures.
_PICTURES = {code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"}
_PICTURES |= dict.fromkeys(range(0x7F, 0xA0), 0xFFFD)
# Bytes of a name that are no text come as surrogates, which no stream takes.
_IN_A_LINE = _PICTURES | {ord("\n"): 0x240A} | dict.fromkeys(range(0xDC80, 0xDD00), 0xFFFD)


def reported(command: Callable[_P, None]) -> Callable[_P, None]:
    """Ends a command that fails with one line on standard error and the error's exit code. Where it was to print JSON
    and has not, the error is that.

    A cancelled one ends like Ctrl-C, which `main` answers.
    """

    @functools.wraps(command)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        global _emitted
        _emitted = False
        try:
            _check_folder()
            command(*args, **kwargs)
        except Cancelled:
            raise KeyboardInterrupt from None
        except FasteditError as error:
            _fail(error)
        except (ImportError, MemoryError) as error:
            reason = str(error) or "out of memory"
            _fail(ModelUnavailable(f"{reason}; free some memory, or install fastedit-engine again"))
        finally:
            set_json(False)

    return run


def _check_folder() -> None:
    """Raises FileUnreadable where the current folder was removed: every path of a command starts there."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise FileUnreadable("the current folder was removed; change to another one") from None


def _fail(error: FasteditError) -> NoReturn:
    message = error.worded(_FLAGS)
    warn(message)
    if _as_json and not _emitted:
        emit_error(error.code, message)
    raise typer.Exit(error.exit_code) from None


def emit_error(code: str, message: str) -> None:
    """What went wrong as the one JSON object of a command, on standard output where that takes it."""
    from json import dumps

    with contextlib.suppress(OSError, WriteFailed):
        emit(f"{dumps({'error': {'code': code, 'message': message}})}\n".encode())


def pictured(line: str) -> str:
    """One line as a terminal may show it: a file's name may hold line ends and escape sequences."""
    return line.translate(_IN_A_LINE)


def set_quiet(quiet: bool) -> None:
    """Whether `say` is silent from here on."""
    global _quiet
    _quiet = quiet


def set_json(wanted: bool) -> bool:
    """Whether the command is to print JSON, which its error then is too."""
    global _as_json
    _as_json = wanted
    return wanted


def quiet() -> bool:
    return _quiet


def say(line: str) -> None:
    """One line for the person, on standard error, unless only errors are wanted there."""
    if not _quiet:
        warn(line)


def warn(line: str) -> None:
    """One line about a problem, which is never silent. Where standard error takes nothing, the exit code has to do."""
    with contextlib.suppress(OSError):
        print(f"fastedit: {pictured(line)}", file=sys.stderr, flush=True)


def tell(line: str) -> None:
    """One line of a result for the person, on standard output."""
    emit(f"{pictured(line)}\n".encode(sys.stdout.encoding, "replace"))


def emit(data: bytes) -> None:
    """The result, on standard output. Raises WriteFailed, or BrokenPipeError where nobody reads on."""
    global _emitted
    _emitted = True
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        # What is left in the buffer must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise WriteFailed(f"standard output: {error.strerror}; send the result elsewhere") from None


def on_terminal() -> bool:
    """Whether a person reads the output and can answer a question."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def readable(text: str) -> bytes:
    """A text of many lines: as it is for a pipe, without controls for a terminal."""
    return (text.translate(_PICTURES) if sys.stdout.isatty() else text).encode("utf-8", "replace")


def for_terminal(diff: str) -> bytes:
    """A diff to be read: coloured unless `NO_COLOR` is set."""
    lines = [line.removesuffix("\r").translate(_PICTURES) for line in diff.split("\n")]
    if not os.environ.get("NO_COLOR"):
        lines = [_coloured(line) for line in lines]
    return "\n".join(lines).encode(sys.stdout.encoding, "replace")


def for_pipe(diff: str, encoding: str) -> bytes:
    """Names as the file system has them, lines as the file has them, since `patch` compares bytes."""
    if encoding.startswith("utf-16"):
        encoding = "utf-8"  # no tool reads a diff in UTF-16
    names, at, lines = diff.partition("\n@@")
    return os.fsencode(names) + (at + lines).encode(encoding)


def argument(path: str) -> str:
    """A path as a shell takes it, in one line: what cannot be printed is escaped as Bash, Zsh and Ksh read it."""
    path = os.path.join(".", path) if path.startswith("-") else path
    if path.isprintable():
        return shlex.quote(path)
    escaped = (
        chr(byte) if 32 <= byte < 127 and byte not in b"\\'" else f"\\{byte:03o}"
        for byte in os.fsencode(path)
    )
    return f"$'{''.join(escaped)}'"


def agreed(question: str) -> bool:
    """Whether the person at the terminal says yes."""
    return answered(f"{question} [y/N] ").lower() in (b"y", b"yes")


def answered(question: str) -> bytes:
    answer = b""
    try:
        print(question, end="", file=sys.stderr, flush=True)
        answer = sys.stdin.buffer.readline()
    finally:
        if not answer.endswith(b"\n"):  # Ctrl-C or Ctrl-D: what is said next begins a line
            print(file=sys.stderr)
    return answer.strip()


def _coloured(line: str) -> str:
    code = next((code for start, code in _COLOURS.items() if line.startswith(start)), None)
    return line if code is None else f"\x1b[{code}m{line}\x1b[0m"


def watch_cancelling() -> None:
    """From here on a Ctrl-C is remembered, for a library may swallow the exception that it raises."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _cancel)


def _cancel(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _cancel_again)
    raise KeyboardInterrupt


def _cancel_again(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def past_cancelling() -> None:
    """From here to the end of the process Ctrl-C is ignored; raises KeyboardInterrupt where one came before.

    Called right before a file is replaced: what was written is then never reported as cancelled.
    """
    if signal.signal(signal.SIGINT, signal.SIG_IGN) is _cancel_again:
        raise KeyboardInterrupt
