"""The commands put together. The module of each is imported when it is called."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from fastedit import __version__
from fastedit.console import reported, say, tell
from fastedit.files.state import recover
from fastedit.help import HelpGroup, Later, Program

EDIT, INSPECT, SERVE, SET_UP = "Edit", "Inspect", "Serve", "Set up"
# What a command does not know is for those that it hands its arguments to.
_ANY_OPTION = {"ignore_unknown_options": True}
_ANY_ARGUMENT = {**_ANY_OPTION, "allow_extra_args": True}


def _later(name: str, help: str, heading: str, module: str | None = None, **settings: Any) -> Later:
    return Later(name, help, heading, f"fastedit.cli.{module or name}", **settings)


class _LaterCommands(HelpGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in (
            _later("apply", "Apply an edit to a file, or to the files that it names.", EDIT),
            _later(
                "op",
                "Carry out a typed operation on a file, without a model.",
                EDIT,
                context_settings=_ANY_OPTION,
            ),
            _later("undo", "Undo the newest edit that is not undone yet.", EDIT),
            _later("redo", "Redo the edit that was undone last.", EDIT, "undo"),
            _later("log", "List the newest edits that were written.", INSPECT),
            _later("explain", "Explain where a sketch was placed, and why not elsewhere.", INSPECT),
            _later("ops", "List the operations of `fastedit op`, or describe one.", INSPECT, "op"),
            _later("rule", "List the rules that edits are checked against, or explain one.", INSPECT),
            _later("models", "Show what checkpoints offer, without loading them.", INSPECT),
            _later("serve", "Serve edits over HTTP, with a playground and a status page.", SERVE),
            _later("deploy", "Serve edits over HTTP from many replicas, with Ray Serve.", SERVE),
            _later("mcp", "Serve edits to an agent as MCP tools.", SERVE),
            _later("lsp", "Run the language server for an editor.", SERVE),
            _later("completion", "Print a script that completes commands and options.", SET_UP),
            _later(
                "train",
                "Train the embedded model, or tune one of your own on your edits.",
                SET_UP,
                add_help_option=False,
                context_settings=_ANY_ARGUMENT,
            ),
            _later("config", "Show or change your settings: the model, its limits, profiles.", SET_UP),
        ):
            self.add_command(command)


app = Program()


@reported
def _print_version(wanted: bool) -> None:
    if wanted:
        tell(f"fastedit {__version__}")
        raise typer.Exit


@app.callback(cls=_LaterCommands)
def fastedit(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Apply code edits fast, without changing a byte outside of them.

    An edit is a sketch, a diff, SEARCH/REPLACE blocks, a tool call, typed operations or an instruction. Unambiguous
    edits need no model.

    Examples:
        fastedit apply settings.py -u sketch.txt
        fastedit apply -u answer.md --check
        fastedit apply settings.py -i "rename load to read"
        fastedit undo
    """
    for line in recover():
        say(line)
