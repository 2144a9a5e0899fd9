"""A command that says as JSON too, where that is asked for, that its arguments cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer._click.exceptions import UsageError as Unreadable

from fastedit.console import JSON, emit_error
from fastedit.errors import UsageError
from fastedit.help import HelpCommand

if TYPE_CHECKING:
    from typer._click import Context


class JsonCommand(HelpCommand):
    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        wants_json = JSON in args  # parsing empties the list
        try:
            return super().parse_args(ctx, args)
        except Unreadable as error:
            if wants_json:
                emit_error(UsageError.code, error.format_message())
            raise
