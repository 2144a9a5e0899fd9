"""`fastedit completion`: the scripts by which shells complete commands and options."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import typer

from fastedit.console import emit, reported

VARIABLE = "_FASTEDIT_COMPLETE"  # set by the scripts where they ask for what comes next


@reported
def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish", "powershell"],
        typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell."),
    ],
) -> None:
    """Print a script that completes commands and options.

    Examples:
        source <(fastedit completion bash)
        fastedit completion fish > ~/.config/fish/completions/fastedit.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name="fastedit", complete_var=VARIABLE, shell=shell)
    emit(f"{script}\n".encode())


def answer_shells() -> None:
    """Lets the command line answer a shell's question, where this process was started by one of the scripts."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
