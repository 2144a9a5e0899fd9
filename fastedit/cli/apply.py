"""`fastedit apply`: one edit of one file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fastedit.cli import inputs, options
from fastedit.cli.console import reported, watch_cancelling
from fastedit.edit.request import EditRequest
from fastedit.model.settings import Settings

if TYPE_CHECKING:
    from fastedit.engine import Engine


@reported
def apply(
    path: options.PathArgument,
    instruction: options.Instruction = None,
    update: options.Update = None,
    symbol: options.Symbol = None,
    lines: options.Lines = None,
    diff: options.Diff = False,
    write: options.Write = False,
    output: options.Output = None,
    json: options.Json = False,
    model: options.Model = "embedded",
    policy: options.PolicyOption = "auto",
    exactness: options.ExactnessOption = "default",
    weights: options.WeightsOption = "default",
    drafter: options.Drafter = "lookup",
    no_speculation: options.NoSpeculation = False,
    verify: options.Verify = False,
    temperature: options.Temperature = 0.0,
    seed: options.Seed = None,
    force: options.Force = False,
) -> None:
    """Apply an edit to a file, given as an instruction, as changed code, or as both.

    On a terminal the diff is shown and a question asked before the file is written; a pipe gets the diff.
    """
    watch_cancelling()
    settings = Settings(exactness, weights)
    if "TORCHELASTIC_RUN_ID" in os.environ:
        # Only one of the processes that torchrun starts gets past this: the others would edit the same file.
        _engine(model, settings).join()
    wanted = inputs.Delivery(path, diff, write, output, json, force)
    inputs.check_delivery(wanted, update)
    sampling = inputs.parse_sampling(temperature, seed)
    if verify:
        inputs.check_verify(no_speculation, policy, sampling)
    inputs.check_drafter(drafter, model)
    instruction, update = inputs.read_wish(path, instruction, update, symbol)
    document = inputs.read_document(path)
    where = inputs.parse_lines(lines, document)
    inputs.check_writable(wanted, document)
    speculation = not no_speculation
    request = EditRequest(
        document, instruction, update, symbol, where, policy, sampling, speculation, drafter
    )
    _run(request, wanted, model, settings, verify)


def _engine(model: str, settings: Settings) -> Engine:
    from fastedit.engine import Engine

    return Engine.load(model, exactness=settings.exactness, weights=settings.weights)


def _run(request: EditRequest, wanted: inputs.Delivery, model: str, settings: Settings, verify: bool) -> None:
    # Only now: whatever is wrong with the arguments is said at once.
    from fastedit.cli.deliver import deliver
    from fastedit.cli.progress import shown_progress

    engine = _engine(model, settings)
    with shown_progress() as progress:
        result = engine.apply(request, progress)
        verification = engine.verify(request) if verify else None
    deliver(wanted, request, result, verification)
