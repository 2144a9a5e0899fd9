"""The help of every command line of the project, as plain text: what it does, usage, options by heading, examples.

A docstring is the help; what follows its line `Examples:` is printed as it stands. `rich_help_panel` names the heading
of an option or a command.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter
    from typer._click.core import Command
else:
    Command = object

_Function = TypeVar("_Function", bound=Callable[..., Any])
WIDTH = 100  # columns, where the terminal has them
_FIRST = 30  # columns of names
_EXAMPLES = "Examples:\n"
# What stands for a value that an option gives no name of its own, by typer's name of its type.
_TYPE = re.compile(r"<(?:list\[)?(int|float|str|path)\]?(?: range)?>", re.IGNORECASE)
_PLACEHOLDERS = {"int": "N", "float": "X", "str": "NAME", "path": "PATH"}
_SETTINGS: dict[str, Any] = {
    "no_args_is_help": True,
    "add_completion": False,
    "pretty_exceptions_enable": False,  # they would show what files hold
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
}


class _Plain(Command):
    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        arguments = [param for param in self.get_params(ctx) if isinstance(param, TyperArgument)]
        last = ["COMMAND"] if isinstance(self, TyperGroup) else []
        return ["[OPTIONS]", *map(_usage, arguments), *last]

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        text, _, examples = inspect.cleandoc(self.help or "").partition(_EXAMPLES)
        formatter.write_text(text.rstrip())
        formatter.write_paragraph()
        self.format_usage(ctx, formatter)
        for heading, rows in _sections(self, ctx):
            with formatter.section(heading):
                formatter.write_dl(rows, col_max=_FIRST)
        if examples:
            with formatter.section(_EXAMPLES.removesuffix(":\n")):
                formatter.write("".join(f"  {line}\n" for line in inspect.cleandoc(examples).splitlines()))


class HelpCommand(_Plain, TyperCommand):
    pass


class HelpGroup(_Plain, TyperGroup):
    pass


class Program(typer.Typer):
    """A command line whose commands have this help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**_SETTINGS, "cls": HelpGroup, **settings})

    def command(self, name: str | None = None, **settings: Any) -> Callable[[_Function], _Function]:
        return super().command(name, **{"cls": HelpCommand, **settings})


def first_line(help: str | None) -> str:
    """What a command does, as lists of commands say it: without the full stop."""
    return inspect.cleandoc(help or "").partition("\n\n")[0].replace("\n", " ").removesuffix(".")


def _usage(argument: TyperArgument) -> str:
    name = argument.display_name_raw
    if " " in name:  # says itself what may be left out
        return name
    bracketed = f"<{name}>" if argument.required else f"[{name}]"
    return bracketed if argument.nargs == 1 else f"{bracketed}..."


def _sections(command: Command, ctx: Context) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The headings with their rows, in the order in which they first occur."""
    if isinstance(command, TyperGroup):
        shown = [command.get_command(ctx, name) for name in command.list_commands(ctx)]
        found = [each for each in shown if each is not None and not each.hidden]
        yield from _grouped(
            (getattr(each, "rich_help_panel", None) or "Commands", (each.name or "", first_line(each.help)))
            for each in found
        )
    arguments, options, others = [], [], []
    for param in command.get_params(ctx):
        if (record := param.get_help_record(ctx)) is None:
            continue
        name = _TYPE.sub(lambda found: _PLACEHOLDERS[found[1].lower()], record[0])
        said = record[1].removesuffix("  [required]").replace("  [", " [")
        if isinstance(param, TyperArgument):
            arguments.append(("Arguments", (param.display_name_raw, said)))
        elif heading := getattr(param, "rich_help_panel", None):
            options.append((heading, (name, said)))
        else:
            others.append(("Options", (name, said)))
    yield from _grouped([*arguments, *options, *others])


def _grouped(
    rows: Iterable[tuple[str, tuple[str, str]]],
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for heading, row in rows:
        found.setdefault(heading, []).append(row)
    yield from found.items()
