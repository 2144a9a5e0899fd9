"""Every command says in one line what it does, and shows how it is called."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import pytest
import typer

from fastedit.cli.app import app
from fastedit.help import Program, first_line
from tests.cli.document import DOCUMENT, commands, opened, written

EVERY = pytest.mark.parametrize(
    "context", commands(app, "fastedit"), ids=lambda context: context.command_path
)


def check_first_line(context: typer.Context) -> None:
    """It stands alone, and fits beside the commands' names on a terminal of 80 columns."""
    said = first_line(context.command.help)
    assert context.get_help().splitlines()[0] == f"{said}."
    assert len(said) <= 65


def check_examples(context: typer.Context) -> None:
    """There are some, and what they name there is."""
    shown = context.get_help().partition("\nExamples:\n")[2]
    examples = re.findall(r"^  (.+)$", shown, re.MULTILINE)
    assert examples
    for example in examples:
        called = example.replace("-m fastedit.train", "fastedit train")
        words = shlex.split(re.search(rf"{context.command_path}(?: [^|>)]*)?", called)[0])
        options = {word for word in words if re.fullmatch(r"-\w|--[\w-]+", word)}
        assert options <= {option for param in context.command.get_params(context) for option in param.opts}


@EVERY
def test_the_first_line_of_a_help_says_what_the_command_does(context):
    check_first_line(context)


@EVERY
def test_an_example_names_only_what_there_is(context):
    check_examples(context)


def test_the_document_has_the_help_of_every_command():
    assert written() == DOCUMENT.read_text("utf-8"), "run python -m tests.cli.document"


def test_the_list_of_commands_says_what_each_does_under_its_heading(fastedit):
    shown = fastedit("--help").stdout
    assert "\nEdit:\n  apply" in shown
    assert re.search(r"\nServe:\n(  .*\n)*  lsp +Run the language server for an editor\n", shown)
    assert "..." not in shown.partition("Examples:")[0]


ROOT = opened(typer.main.get_command(app), "fastedit")


@pytest.mark.parametrize("name", ROOT.command.list_commands(ROOT))
def test_a_list_of_commands_says_of_each_what_its_own_help_says(name):
    listed = ROOT.command.get_command(ROOT, name)
    command = opened(listed, name, ROOT).command
    assert first_line(listed.help) == first_line(command.help)
    assert listed.get_short_help_str() == command.get_short_help_str()


CUT = """Cut a file.

Usage: cut [OPTIONS] <PATH>

Arguments:
  PATH  What is cut.

Depth:
  --deep N       How deep. [default: 1; x>=1]
  --beside PATH  What is cut too.

Options:
  --dry       Cut nothing.
  -h, --help  Show this message and exit.

Examples:
  cut a.py --deep 2   # as it is"""


def test_options_stand_below_their_headings_and_those_without_one_last():
    program = Program()

    @program.command()
    def cut(
        path: Annotated[str, typer.Argument(metavar="PATH", help="What is cut.")],
        dry: Annotated[bool, typer.Option("--dry", help="Cut nothing.")] = False,
        deep: Annotated[int, typer.Option(min=1, help="How deep.", rich_help_panel="Depth")] = 1,
        beside: Annotated[
            list[Path] | None, typer.Option(help="What is cut too.", rich_help_panel="Depth")
        ] = None,
    ) -> None:
        """Cut a file.

        Examples:
            cut a.py --deep 2   # as it is
        """

    assert opened(typer.main.get_command(program), "cut", width=60).get_help() == CUT
