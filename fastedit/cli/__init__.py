"""The command line, one file a command. Starting it imports no model, no grammar and no array library."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs `fastedit` with the arguments of this process and exits.

    Cancelling is answered here, where it also ends what happens before there is a command.
    """
    try:
        _open_closed_streams()
        # Else torch's threads spin while they wait for each other, and on a busy machine for one that does not run.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        from fastedit.cli.app import app
        from fastedit.cli.completion import answer_shells

        answer_shells()
        app(prog_name="fastedit")
    except (KeyboardInterrupt, SystemExit) as end:
        code = 130 if isinstance(end, KeyboardInterrupt) else end.code
        if code == 130:
            print("fastedit: cancelled; nothing was written", file=sys.stderr)
        if "torch" in sys.modules and isinstance(code, int):
            _leave(code)
        sys.exit(code)


def _leave(code: int) -> None:
    """Ends the process at once: taking torch apart piece by piece takes a third of a second and serves nobody."""
    import contextlib  # by now others have imported it, above it would come before Ctrl-C is caught

    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # the language server closes its own
            stream.flush()
    os._exit(code)


def _open_closed_streams() -> None:
    """The null device in place of each closed stream: the next file opened must not get what is printed. For standard
    output it cannot be written to, so that a result is not lost without a word."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, opener=_read_only if name == "stdout" else None))  # noqa: SIM115


def _read_only(path: str, flags: int) -> int:
    return os.open(path, os.O_RDONLY)
