"""What is wrong with a command's arguments, in one line like every other error's: the thing, the value, the way out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import IO, TYPE_CHECKING, Any

from typer._click.exceptions import (
    BadOptionUsage,
    BadParameter,
    MissingParameter,
    NoArgsIsHelpError,
    NoSuchOption,
    UsageError,
)

from fastedit.console import warn

if TYPE_CHECKING:
    from typer._click import Context


class Misuse(UsageError):
    """What the parser says of the arguments, in our words."""

    @classmethod
    def of(cls, error: UsageError, ctx: Context) -> UsageError:
        """Help that is shown because nothing was given stays what it is."""
        if isinstance(error, cls | NoArgsIsHelpError):
            return error
        return cls(_line(error, error.ctx or ctx), ctx)

    @classmethod
    def of_command(cls, name: str, ctx: Context, known: Iterable[str]) -> Misuse:
        ways_out = _meant(get_close_matches(name, known)) or _usage(ctx)
        return cls(f"{name}: no such command of `{ctx.command_path}`; {ways_out}", ctx)

    def show(self, file: IO[Any] | None = None) -> None:
        warn(self.message)


def _line(error: UsageError, ctx: Context) -> str:
    ways_out = _usage(ctx)
    if isinstance(error, NoSuchOption):
        dashed = f"{ways_out}; what begins with a dash and is no option goes after `--`"
        ways_out = _meant(_longer(error.option_name, ctx) or sorted(error.possibilities or ())) or dashed
        return f"{error.option_name}: no such option of `{ctx.command_path}`; {ways_out}"
    said = error.message.rstrip(".")
    if isinstance(error, BadOptionUsage):
        return f"{error.option_name}: {said.partition(f'{error.option_name!r} ')[2]}; {ways_out}"
    if isinstance(error, BadParameter) and error.param is not None:
        name = error.param.get_error_hint().replace("'", "")
        if isinstance(error, MissingParameter):
            return f"{name}: is missing; {ways_out}"
        return f"{name}: {_wrong(error)}; {ways_out}"
    return f"{said[:1].lower()}{said[1:]}; {ways_out}"


def _longer(start: str, ctx: Context) -> list[str]:
    """The options that begin so."""
    return sorted(name for each in ctx.command.params for name in each.opts if name.startswith(start))


def _usage(ctx: Context) -> str:
    return f"`{ctx.command_path} {ctx.help_option_names[0]}` shows the usage"


def _meant(near: Sequence[str]) -> str:
    """Empty where nothing is near."""
    *others, last = near or ("",)
    return f"did you mean {' or '.join(filter(None, [', '.join(others), last]))}?" if near else ""


def _allowed(param: Any) -> str:
    """What a number may be, where its option says so; else empty."""
    of = param.type_descriptor
    if not of.is_ranged:
        return ""
    kind, least, most = of.annotation, of.parameter_info.min, of.parameter_info.max
    name = "a whole number" if kind is int else "a number"
    return f"{name} from {least} to {most}" if most is not None else f"{name} of at least {least}"


def _wrong(error: BadParameter) -> str:
    """The value is told by pydantic's error, which the parser keeps as the cause."""
    said = error.message.rstrip(".").removeprefix("Value error, ").partition(", unable to")[0]
    details: list[Any] = getattr(error.__cause__, "errors", list)()
    value = repr(details[0]["input"]) if details else ""
    if value and (allowed := _allowed(error.param)):
        return f"{value} must be {allowed}"
    return said if value in said else f"{value} {said.replace('Input should', 'must', 1)}"
