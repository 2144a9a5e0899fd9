"""`fastedit config`: the settings of this user, where each comes from, and profiles of models."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Annotated, Any

import typer

from fastedit.cli import options
from fastedit.console import reported, tell
from fastedit.help import Program

config = Program(no_args_is_help=False)


@config.callback(invoke_without_command=True)
@reported
def show(
    context: typer.Context,
    json: options.JsonLines = False,
) -> None:
    """Show or change your settings: the model, its limits, profiles.

    Without a command, each setting is shown with where it comes from: the environment, the file or the default.

    Examples:
        fastedit config
        fastedit config set model openai:gpt-5
        fastedit config set profiles.work.model http://127.0.0.1:8000/v1
    """
    if context.invoked_subcommand is not None:
        return
    from json import dumps

    for name, value, origin in _settings():
        if json:
            tell(dumps({"setting": name, "value": value, "origin": origin}))
        else:
            tell(f"{name} = {dumps(value)}  # {origin}")


@config.command()
@reported
def path() -> None:
    """Print the path of the configuration file.

    Examples:
        fastedit config path
    """
    from fastedit.config import config_path

    tell(str(config_path()))


@config.command()
@reported
def profiles() -> None:
    """List the profiles, each with its model.

    Examples:
        fastedit config profiles
    """
    from fastedit.config import load

    for name, profile in load().profiles.items():
        tell(f"{name}  {_masked(profile.model)}")


def _keys() -> Iterator[str]:
    """What may be set for any model and for the profiles that there are."""
    from fastedit.config import Config, Profile, load

    yield from (each.name for each in fields(Config) if each.name != "profiles")
    yield from (f"profiles.{name}.{each.name}" for name in load().profiles for each in fields(Profile))


@config.command("set")
@reported
def set_(
    key: Annotated[
        str,
        typer.Argument(
            metavar="KEY",
            autocompletion=options.begun(_keys),
            help="The setting, such as model or profiles.work.key_env.",
        ),
    ],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its new value; '' removes the setting.")],
) -> None:
    """Write one setting into the configuration file.

    Examples:
        fastedit config set model small
        fastedit config set profiles.work.key_env WORK_API_KEY
        fastedit config set model ''
    """
    from fastedit.config import config_path, put

    put(key, value or None)
    tell(f"{'set' if value else 'removed'} {key} in {config_path()}")


def _settings() -> Iterator[tuple[str, Any, str]]:
    """Name, value and origin of each; keys and passwords in addresses are masked."""
    for name, value, origin in _told():
        masked = "****" if name.endswith(("key", "KEY")) else value
        yield name, _masked(masked) if isinstance(masked, str) else masked, origin


def _masked(address: str) -> str:
    """Without the user and password that an address may begin with."""
    return re.sub(r"(?<=//)[^/]*@", "****@", address)


def _told() -> Iterator[tuple[str, Any, str]]:
    from fastedit.config import FIRST_TOKEN_S, SILENCE_S, config_path, default_model, load

    known, file = load(), str(config_path())
    by_environment = "FASTEDIT_MODEL" if os.environ.get("FASTEDIT_MODEL") else None
    yield "model", default_model(), by_environment or (file if known.model else "default")
    for name, standard in (("first_token_s", FIRST_TOKEN_S), ("silence_s", SILENCE_S)):
        given = getattr(known, name)
        yield name, given or standard, file if given else "default"
    for profile, its in known.profiles.items():
        for name, value in asdict(its).items():
            if value is not None:
                yield f"profiles.{profile}.{name}", value, file
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"):
        if value := os.environ.get(name):
            yield name, value, "environment"
