"""The help of every command line of the project, as plain text: what it does, usage, options by heading, examples.

A docstring is the help; what follows its line `Examples:` is printed as it stands. `rich_help_panel` names the heading
of an option or a command.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import typer
from typer._click.exceptions import UsageError
from typer._coercion import RuntimeParam, build_runtime_param
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from fastedit import errors
from fastedit.console import JSON, emit_error
from fastedit.misuse import Misuse

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter
    from typer._click.core import Command, Parameter
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


class _Value(RuntimeParam):
    """Leaves text and defaults as they are; typer converts the rest. It imports pydantic for that, which takes longer
    than importing typer."""

    def coerce(self, value: Any, param: Any, ctx: Context) -> Any:
        if value is None or value is param.default or self.annotation in (str, list[str]):
            return value
        return super().coerce(value, param, ctx)

    def _coerce_value(self, value: Any, param: Any, ctx: Context) -> Any:
        return build_runtime_param(param.type_descriptor)._coerce_value(value, param, ctx)


class _Plain(Command):
    def get_params(self, ctx: Context) -> list[Parameter]:
        params = super().get_params(ctx)
        for param in params:
            if isinstance(param, TyperArgument | TyperOption) and param._runtime_param is None:
                of = param.type_descriptor
                param._runtime_param = _Value(of.parameter_info, of.annotation)
        return params

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        # Now, since parsing empties the list.
        wants_json = JSON in args and any(JSON in param.opts for param in self.params)
        try:
            return super().parse_args(ctx, args)
        except UsageError as error:
            misuse = Misuse.of(error, ctx)
            if wants_json:
                emit_error(errors.UsageError.code, misuse.format_message())
            raise misuse from None

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
    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except Misuse:
            raise
        except UsageError:
            raise Misuse.of_command(args[0], ctx, self.list_commands(ctx)) from None


class Later(HelpCommand):
    """A command whose module is imported when it is called. Lists of commands have its name, first line and heading.

    `home` is the module; the function there, or the `Program` of several commands, has the command's name.
    """

    def __init__(self, name: str, help: str, heading: str, home: str, **settings: Any) -> None:
        super().__init__(name=name, help=help, rich_help_panel=heading)
        self._home, self._settings = home, settings

    def make_context(
        self, info_name: str | None, args: list[str], parent: Context | None = None, **extra: Any
    ) -> Context:
        return self._loaded().make_context(info_name, args, parent, **extra)

    def _loaded(self) -> Command:
        assert self.name is not None
        found = getattr(import_module(self._home), self.name)
        if isinstance(found, Program):
            return typer.main.get_command(found)
        program = Program()
        program.command(self.name, **self._settings)(found)
        return typer.main.get_command(program)


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
