"""The options of `fastedit apply`, with the help that the README quotes, and those that several servers have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fastedit.edit.request import Policy
from fastedit.model.settings import Exactness, Weights

PathArgument = Annotated[str, typer.Argument(help="The file to edit; - reads it from standard input.")]
Instruction = Annotated[
    str | None, typer.Option("--instruction", "-i", metavar="TEXT", help="What should change, in words.")
]
Update = Annotated[
    str | None,
    typer.Option(
        "--update",
        "-u",
        metavar="FILE",
        help="The changed code, '... existing code ...' comments for what stays; - for standard input.",
    ),
]
Symbol = Annotated[
    str | None, typer.Option("--symbol", metavar="NAME", help="Change this function, class or method only.")
]
Lines = Annotated[
    str | None,
    typer.Option("--lines", metavar="A:B", help="Change lines A to B only, counted from 1."),
]
Diff = Annotated[bool, typer.Option("--diff", help="Print the diff and write nothing.")]
Write = Annotated[bool, typer.Option("--write", help="Write the file without asking.")]
Output = Annotated[
    str | None,
    typer.Option("--output", metavar="FILE", help="Write the new text there; - for standard output."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the diff.")]
Model = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="'embedded' ('small' beside a GPU or on 8 cores, else 'nano'), a folder, a hub id (owner/name), or a "
        "server's address.",
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
    Weights, typer.Option("--weights", help="Keep the model's weights narrower, on a GPU, through torchao.")
]
Drafter = Annotated[
    str,
    typer.Option(
        "--drafter",
        metavar="NAMES",
        help="Who drafts, joined by +: 'lookup+eagle=FOLDER' adds a head. The text is the model's either way.",
    ),
]
NoSpeculation = Annotated[bool, typer.Option("--no-speculation", help="Decode one token a pass.")]
Verify = Annotated[bool, typer.Option("--verify", help="Decode again without speculation and compare.")]
Temperature = Annotated[float, typer.Option("--temperature", metavar="T", help="Sample; 0 is greedy.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Make sampling repeatable.")]
Force = Annotated[bool, typer.Option("--force", help="Deliver a suspect result all the same.")]

# What a server leaves to its settings where no flag says it.
Host = Annotated[str | None, typer.Option(help="Address to listen on (127.0.0.1); others need a key.")]
ServedExactness = Annotated[
    Exactness | None,
    typer.Option(help="'bitwise': greedy answers never depend on drafts or on other edits (default)."),
]
ServedWeights = Annotated[
    Weights | None, typer.Option(help="Keep the model's weights narrower, on a GPU (default).")
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
