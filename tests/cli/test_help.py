"""Every command says in one line what it does, and shows how it is called."""

from __future__ import annotations

import re
import shlex

import pytest
import typer

from fastedit.help import Program, first_line
from tests.cli.document import DOCUMENT, commands, opened, written

EVERY = pytest.mark.parametrize("context", list(commands()), ids=lambda context: context.command_path)


def examples(context: typer.Context) -> list[str]:
    return re.findall(r"^  (.+)$", context.get_help().partition("\nExamples:\n")[2], re.MULTILINE)


@EVERY
def test_the_first_line_of_a_help_says_what_the_command_does(context):
    said = first_line(context.command.help)
    assert context.get_help().splitlines()[0] == f"{said}."
    assert len(said) <= 65  # beside the commands' names on a terminal of 80 columns


@EVERY
def test_an_example_names_only_what_there_is(context):
    name = context.command_path
    assert examples(context)
    for example in examples(context):
        words = shlex.split(re.search(rf"{name}(?: [^|>)]*)?", example)[0])
        options = {word for word in words if re.fullmatch(r"-\w|--[\w-]+", word)}
        assert options <= {option for param in context.command.get_params(context) for option in param.opts}


def test_the_document_has_the_help_of_every_command():
    assert written() == DOCUMENT.read_text("utf-8"), "run python -m tests.cli.document"


def test_the_list_of_commands_says_what_each_does_under_its_heading(fastedit):
    shown = fastedit("--help").stdout
    assert "\nEdit:\n  apply" in shown
    assert re.search(r"\nServe:\n(  .*\n)*  lsp +Run the language server for an editor\n", shown)
    assert "..." not in shown.partition("Examples:")[0]


def test_options_stand_below_their_headings_and_those_without_one_last():
    program = Program()

    @program.command()
    def cut(
        path: str = typer.Argument(metavar="PATH", help="What is cut."),
        dry: bool = typer.Option(False, "--dry", help="Cut nothing."),
        deep: int = typer.Option(1, metavar="N", help="How deep.", rich_help_panel="Depth"),
    ) -> None:
        """Cut a file.

        Examples:
            cut a.py --deep 2   # as it is
        """

    shown = opened(typer.main.get_command(program), "cut", width=60).get_help()
    assert shown == (
        "Cut a file.\n\nUsage: cut [OPTIONS] <PATH>\n\nArguments:\n  PATH  What is cut.\n\n"
        "Depth:\n  --deep N  How deep. [default: 1]\n\nOptions:\n  --dry       Cut nothing.\n"
        "  -h, --help  Show this message and exit.\n\nExamples:\n  cut a.py --deep 2   # as it is\n"
    ).rstrip("\n")
