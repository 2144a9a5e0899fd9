"""The options that several commands have, each under the heading of its help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from fastedit.console import JSON, set_json, set_quiet
from fastedit.errors import FasteditError
from fastedit.model.settings import Exactness, WeightFormat
from fastedit.request import PlanName, Policy


def begun(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Completes one of the names, which are looked up when a shell asks, as far as they can be read."""

    def completed(incomplete: str) -> list[str]:
        found: list[str] = []
        with suppress(FasteditError):
            found.extend(name for name in names() if name.startswith(incomplete))
        return found

    return completed


def rule_codes() -> Iterator[str]:
    from fastedit.check import rules

    return (rule.code for rule in rules())


def _formats() -> Iterator[str]:
    from fastedit.formats.files.sketches import NAME
    from fastedit.formats.registry import FORMATS

    yield from (*FORMATS, NAME)


def _languages() -> Iterable[str]:
    from fastedit.source.languages import names

    return names()


TARGET, OUTPUT, MODEL, LOCAL = "Target", "Output", "Model", "Local model"
SEVERAL, SERVER, REPLICAS = "Edits of several files", "Server", "Replicas"

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH",
        help="The file; - reads it from standard input. Several with an instruction. Without any, the update names its "
        "files.",
    ),
]
Instruction = Annotated[
    str | None,
    typer.Option(
        "--instruction", "-i", metavar="TEXT", help="What should change, in words.", rich_help_panel="Edit"
    ),
]
Context = Annotated[
    list[str] | None,
    typer.Option(
        "--context",
        metavar="FILE",
        help="Show this file to the model, which may not change it; repeatable.",
        rich_help_panel="Edit",
    ),
]
Update = Annotated[
    str | None,
    typer.Option(
        "--update",
        "-u",
        metavar="FILE",
        help="The edit: a sketch with '... existing code ...' comments, a diff, a patch envelope, SEARCH/REPLACE "
        "blocks, a tool call, operations; - reads standard input.",
        rich_help_panel="Edit",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        autocompletion=begun(_formats),
        help="Insist on a format of the update: invoke, search_replace, edit_tags, hashline, udiff, v4a, json_patch, "
        "operations, str_replace, workspace_edit, whole or sketch.",
        rich_help_panel="Edit",
    ),
]
Choose = Annotated[
    list[str] | None,
    typer.Option(
        "--choose",
        metavar="[PATH=]N",
        help="Take reading N of the update, as a suspect result lists them; N@HASH only for the file whose SHA-256 "
        "begins so. Without PATH argument, PATH=N for each file; may be repeated.",
        rich_help_panel="Edit",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="NAME",
        autocompletion=begun(_languages),
        help="The language of the file, whatever its name and first line say: python, go, ...; text for none.",
        rich_help_panel=TARGET,
    ),
]
StdinFilename = Annotated[
    str | None,
    typer.Option(
        "--stdin-filename",
        metavar="FILE",
        help="The name of standard input, for its language and the diff; the file is not opened.",
        rich_help_panel=TARGET,
    ),
]
Symbol = Annotated[
    str | None,
    typer.Option(
        "--symbol", metavar="NAME", help="Change only this function, class or method.", rich_help_panel=TARGET
    ),
]
Lines = Annotated[
    str | None,
    typer.Option(
        "--lines", metavar="A:B", help="Change only lines A to B, counted from 1.", rich_help_panel=TARGET
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base",
        metavar="FILE",
        help="The file as the edit's author read it: what changed since stays, and an edit that changes it too "
        "is refused.",
        rich_help_panel=TARGET,
    ),
]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="The folder that paths start from and cannot leave. [default: the current folder]",
        rich_help_panel=SEVERAL,
    ),
]
Check = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Report the outcome, for several files that of each hunk, and write nothing.",
        rich_help_panel=OUTPUT,
    ),
]
Partial = Annotated[
    bool,
    typer.Option(
        "--partial", help="Take the files that can be changed even if others cannot.", rich_help_panel=SEVERAL
    ),
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Print the diff and write nothing. A pipe gets a suspect one only with --force or --choose.",
        rich_help_panel=OUTPUT,
    ),
]
Write = Annotated[
    bool, typer.Option("--write", "--yes", "-y", help="Write without asking.", rich_help_panel=OUTPUT)
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        metavar="FILE",
        help="Write the new text to FILE; - is standard output.",
        rich_help_panel=OUTPUT,
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        JSON, callback=set_json, help="Print one JSON object instead of the diff.", rich_help_panel=OUTPUT
    ),
]
JsonLines = Annotated[bool, typer.Option(JSON, callback=set_json, help="Print one JSON object per line.")]
Force = Annotated[bool, typer.Option("--force", help="Deliver a suspect result too.", rich_help_panel=OUTPUT)]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        autocompletion=begun(rule_codes),
        metavar="CODE",
        help="Leave a rule out, so that it holds nothing back; repeatable. `fastedit rule` lists them.",
        rich_help_panel=OUTPUT,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=set_quiet,
        help="Print only problems to standard error, among them what operations leave alone.",
        rich_help_panel=OUTPUT,
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="nano or small (embedded), a folder, a hub id (owner/name), openai:NAME, anthropic:NAME, responses:NAME, "
        "completions:NAME, a server's address or a profile. [default: FASTEDIT_MODEL, then `fastedit config`, then "
        "embedded]",
        rich_help_panel=MODEL,
    ),
]
PolicyOption = Annotated[
    Policy,
    typer.Option(
        "--policy",
        help="Who decides: the model, the predicted merge, or the merge where it is sure (auto).",
        rich_help_panel=MODEL,
    ),
]
Plan = Annotated[
    PlanName,
    typer.Option(
        "--plan",
        help="How a strong model is asked: for operations, for the changed lines (sketch) or for a rewrite; auto "
        "takes the cheapest.",
        rich_help_panel=MODEL,
    ),
]
ShowPrompt = Annotated[
    bool,
    typer.Option(
        "--show-prompt",
        help="Print what a strong model would be asked, and ask nothing.",
        rich_help_panel=MODEL,
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        help="How long a model may take to choose a reading, or to fix an edit that was held back.",
        rich_help_panel=MODEL,
    ),
]
ExactnessOption = Annotated[
    Exactness,
    typer.Option(
        "--exactness",
        help="bitwise makes greedy output independent of drafts and of other edits to the last bit.",
        rich_help_panel=LOCAL,
    ),
]
WeightsOption = Annotated[
    WeightFormat,
    typer.Option("--weights", help="Quantize the model's weights, on a GPU.", rich_help_panel=LOCAL),
]
_DRAFTER_HELP = (
    "The drafters, joined by +: lookup+eagle=FOLDER adds a head. The output does not depend on them."
)
Drafter = Annotated[
    str, typer.Option("--drafter", metavar="NAMES", help=_DRAFTER_HELP, rich_help_panel=LOCAL)
]
NoSpeculation = Annotated[
    bool, typer.Option("--no-speculation", help="Decode one token per pass.", rich_help_panel=LOCAL)
]
Verify = Annotated[
    bool,
    typer.Option("--verify", help="Decode again without speculation, and compare.", rich_help_panel=LOCAL),
]
Temperature = Annotated[
    float,
    typer.Option("--temperature", metavar="T", help="Sample; 0 is greedy.", rich_help_panel=LOCAL),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Make sampling repeatable.", rich_help_panel=LOCAL),
]

# What a server leaves to its settings where no flag says it.
Host = Annotated[
    str | None,
    typer.Option(
        metavar="HOST",
        help="The address to listen on; others than loopback need a key. [default: 127.0.0.1]",
        rich_help_panel=SERVER,
    ),
]
ServedModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="The model, as in `fastedit apply`. [default: FASTEDIT_MODEL, then `fastedit config`, then embedded]",
        rich_help_panel=MODEL,
    ),
]
ServedExactness = Annotated[
    Exactness | None,
    typer.Option(
        help="bitwise makes greedy output independent of drafts and of other edits. [default: default]",
        rich_help_panel=MODEL,
    ),
]
ServedWeights = Annotated[
    WeightFormat | None,
    typer.Option(help="Quantize the model's weights, on a GPU. [default: default]", rich_help_panel=MODEL),
]
ServedDrafter = Annotated[
    str | None,
    typer.Option(
        "--drafter", metavar="NAMES", help=f"{_DRAFTER_HELP} [default: lookup]", rich_help_panel=MODEL
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="More settings, as TOML; docs/server.md lists them.", rich_help_panel=SERVER
    ),
]
