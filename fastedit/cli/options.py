"""The options of `fastedit apply`, and those that several servers have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fastedit.console import set_quiet
from fastedit.model.settings import Exactness, Weights
from fastedit.request import PlanName, Policy

PathArgument = Annotated[str, typer.Argument(help="The file to edit; - reads it from standard input.")]
OptionalPath = Annotated[
    str | None,
    typer.Argument(
        help="The file to edit; - reads it from standard input. Without it, the update says which files it changes."
    ),
]
Instruction = Annotated[
    str | None, typer.Option("--instruction", "-i", metavar="TEXT", help="What should change, in words.")
]
Update = Annotated[
    str | None,
    typer.Option(
        "--update",
        "-u",
        metavar="FILE",
        help="The changed code, '... existing code ...' comments for what stays, or an edit in another format: a diff, "
        "a patch envelope, SEARCH/REPLACE blocks, a tool call. - for standard input.",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Insist on a format of the update: search_replace, edit_tags, hashline, udiff, v4a, str_replace, "
        "workspace_edit, json_patch, operations, whole or sketch.",
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="NAME",
        help="The language of the file, if its name and first line do not tell it: python, go, ...; text for none.",
    ),
]
StdinFilename = Annotated[
    str | None,
    typer.Option(
        "--stdin-filename",
        metavar="FILE",
        help="What standard input is called: it tells the language and heads the diff. Nothing is read from there.",
    ),
]
Root = Annotated[
    str | None,
    typer.Option(
        "--root",
        metavar="DIR",
        help="Without PATH: the folder that the update's paths start from and cannot leave (.).",
    ),
]
Check = Annotated[
    bool,
    typer.Option("--check", help="Without PATH: report the outcome for each file and hunk; write nothing."),
]
Partial = Annotated[
    bool,
    typer.Option("--partial", help="Without PATH: take the files that can be changed even if others cannot."),
]
Symbol = Annotated[
    str | None, typer.Option("--symbol", metavar="NAME", help="Change this function, class or method only.")
]
Lines = Annotated[
    str | None,
    typer.Option("--lines", metavar="A:B", help="Change lines A to B only, counted from 1."),
]
Diff = Annotated[
    bool,
    typer.Option(
        "--diff",
        help="Print the diff and write nothing. A suspect one is for a terminal only: a pipe, such as to `git apply`, "
        "gets it with --force.",
    ),
]
Write = Annotated[bool, typer.Option("--write", "--yes", "-y", help="Write without asking.")]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", callback=set_quiet, help="Print only problems to standard error."),
]
Output = Annotated[
    str | None,
    typer.Option("--output", metavar="FILE", help="Write the new text there; - for standard output."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the diff.")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="'embedded' ('small' with a GPU or on 8 cores, else 'nano'), a folder, a hub id (owner/name), "
        "openai:NAME, anthropic:NAME, a server's address or a profile. By default FASTEDIT_MODEL or what "
        "`fastedit config` says, else embedded.",
    ),
]
PolicyOption = Annotated[
    Policy, typer.Option("--policy", help="Who decides: the model, the predicted merge, or both in turn.")
]
ExactnessOption = Annotated[
    Exactness,
    typer.Option(
        "--exactness",
        help="'bitwise': greedy answers do not depend on drafts or on other edits to the last bit.",
    ),
]
WeightsOption = Annotated[
    Weights, typer.Option("--weights", help="Quantize the model's weights, on a GPU, through torchao.")
]
Drafter = Annotated[
    str,
    typer.Option(
        "--drafter",
        metavar="NAMES",
        help="Who drafts, joined by +: 'lookup+eagle=FOLDER' adds a head. The text is the model's either way.",
    ),
]
NoSpeculation = Annotated[bool, typer.Option("--no-speculation", help="Decode one token per pass.")]
Verify = Annotated[bool, typer.Option("--verify", help="Decode again without speculation and compare.")]
Temperature = Annotated[float, typer.Option("--temperature", metavar="T", help="Sample; 0 is greedy.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Make sampling repeatable.")]
Plan = Annotated[
    PlanName,
    typer.Option(
        "--plan",
        help="How a strong model is asked: for operations, for the changed lines (sketch), or for a rewrite; auto "
        "takes what costs least.",
    ),
]
ShowPrompt = Annotated[
    bool, typer.Option("--show-prompt", help="Print what a strong model would be asked, and ask nothing.")
]
Choose = Annotated[
    int | None,
    typer.Option(
        "--choose", metavar="N", help="Take reading N of the update, as a suspect result lists them."
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        help="What a model may take to settle which reading is meant, or to fix an edit that was held back.",
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="CODE",
        help="A rule that holds nothing back; repeatable. `fastedit rule` lists them.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Deliver a suspect result anyway.")]

# What a server leaves to its settings where no flag says it.
Host = Annotated[str | None, typer.Option(help="Address to listen on (127.0.0.1); others need a key.")]
ServedExactness = Annotated[
    Exactness | None,
    typer.Option(help="'bitwise': greedy answers never depend on drafts or on other edits (default)."),
]
ServedWeights = Annotated[
    Weights | None, typer.Option(help="Quantize the model's weights, on a GPU (default).")
]
ServedDrafter = Annotated[
    str | None,
    typer.Option(
        "--drafter",
        metavar="NAMES",
        help="Who drafts (lookup), joined by +: 'lookup+eagle=FOLDER' adds a head. The text is the model's either way.",
    ),
]
Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="More settings, as TOML; docs/server.md lists them.")
]
