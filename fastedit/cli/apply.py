"""`fastedit apply`: one edit of one file, or a change of several."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastedit.cli import inputs, options
from fastedit.cli.output.report import show_chat
from fastedit.config import default_model
from fastedit.console import reported, watch_cancelling
from fastedit.errors import UsageError
from fastedit.files.conventions import conventions_near
from fastedit.request import TIME_LIMIT, EditRequest

if TYPE_CHECKING:
    from fastedit.engine import Engine
    from fastedit.model.settings import Exactness, WeightFormat


@reported
def apply(
    paths: options.Paths = None,
    instruction: options.Instruction = None,
    context: options.Context = None,
    update: options.Update = None,
    format: options.Format = None,
    language: options.Language = None,
    stdin_filename: options.StdinFilename = None,
    symbol: options.Symbol = None,
    lines: options.Lines = None,
    base: options.Base = None,
    diff: options.Diff = False,
    write: options.Write = False,
    output: options.Output = None,
    json: options.Json = False,
    model: options.Model = None,
    policy: options.PolicyOption = "auto",
    plan: options.Plan = "auto",
    show_prompt: options.ShowPrompt = False,
    exactness: options.ExactnessOption = "default",
    weights: options.WeightsOption = "default",
    drafter: options.Drafter = "lookup",
    no_speculation: options.NoSpeculation = False,
    verify: options.Verify = False,
    temperature: options.Temperature = 0.0,
    seed: options.Seed = None,
    choose: options.Choose = None,
    time_limit: options.TimeLimit = TIME_LIMIT,
    force: options.Force = False,
    ignore: options.Ignore = None,
    root: options.Root = None,
    check: options.Check = False,
    partial: options.Partial = False,
    quiet: options.Quiet = False,
) -> None:
    """Apply an edit to a file, or to the files that it names.

    The edit is an update in any format, an instruction, or both. A terminal shows the diff and asks before it writes;
    a pipe gets the diff. An ambiguous update is held back: a terminal shows its readings and asks for a number.

    Without PATH the update says which files it edits, creates, deletes and renames. With several, or with --context, a
    strong model carries the instruction out in them and may create files. All of them are written or none.

    Examples:
        fastedit apply settings.py -u sketch.txt
        fastedit apply settings.py -i "rename load to read" --write
        fastedit apply -u answer.md --check
        fastedit apply store.py app.py -i "make the limit a setting" --model openai:MODEL
        git diff HEAD~1 | fastedit apply -u - --root ../other
        cat a.py | fastedit apply - --stdin-filename a.py -i "add import os" --output -
    """
    watch_cancelling()
    model = default_model() if model is None else model
    load = functools.partial(_engine, model, exactness, weights)
    if "TORCHELASTIC_RUN_ID" in os.environ:
        # Only one of the processes that torchrun starts gets past this: the others would edit the same file.
        load().join()
    if format is not None and update is None:
        raise UsageError("--format is for an update; give one with --update or leave --format out")
    ignored = inputs.parse_ignore(ignore)
    paths, context = paths or [], context or []
    several = len(paths) != 1 or bool(context)
    path = "" if several else paths[0]
    wanted = inputs.Delivery(path, diff, write, output, json, force, stdin_filename, check)
    if show_prompt:
        inputs.check_shown_prompt(wanted)
    if several:
        from fastedit.cli import change

        for_one = {
            "--stdin-filename": stdin_filename is not None,
            "--symbol": symbol is not None,
            "--lines": lines is not None,
            "--base": base is not None,
            "--output": output is not None,
            "--verify": verify,
            "--no-speculation": no_speculation,
        }
        for_models = {
            "--plan": plan != "auto",
            "--show-prompt": show_prompt,
            "--temperature": temperature != 0,
            "--seed": seed is not None,
        }
        change.check_options(wanted, paths, context, update, for_one, for_models)
        inputs.check_drafter(drafter, model)
        from fastedit.engine.changes.change import ChangeRequest

        instruction, message = inputs.read_texts("", instruction, update, None)
        request = ChangeRequest(
            message,
            format=format,
            instruction=instruction,
            partial=partial,
            policy=policy,
            drafter=drafter,
            time_limit=time_limit,
            language=language,
            ignore=ignored,
            paths=tuple(paths),
            context=tuple(context),
            plan=plan,
            sampling=inputs.parse_sampling(temperature, seed),
            choices=inputs.parse_choices(choose),
        )
        if show_prompt:
            change.show_prompt(request, root or ".", load(), as_json=json)
        else:
            with inputs.naming_update(update):
                change.apply_change(request, update, root or ".", wanted, load())
        return
    inputs.check_for_one({"--root": root is not None, "--partial": partial})
    inputs.check_delivery(wanted, update)
    sampling = inputs.parse_sampling(temperature, seed)
    if verify:
        inputs.check_verify(no_speculation, policy, sampling, choose, base)
    inputs.check_drafter(drafter, model)
    instruction, text = inputs.read_texts(path, instruction, update, symbol)
    inputs.check_there(path, update)
    document = inputs.read_document(path, language, stdin_filename)
    read = None if base is None else inputs.read_base(base, language)
    where, choice = inputs.parse_lines(lines, read or document), inputs.parse_choice(choose, document)
    inputs.check_writable(wanted, document)
    speculation = not no_speculation
    edit = EditRequest(
        document,
        instruction,
        text,
        symbol,
        where,
        policy,
        sampling,
        speculation,
        drafter,
        choice=choice,
        time_limit=time_limit,
        format=format,
        plan=plan,
        conventions=conventions_near(document.path),
        ignore=ignored,
        base=read,
    )
    with inputs.naming_update(update):
        if show_prompt:
            _show_prompt(edit, load(), as_json=json)
        else:
            _run(edit, wanted, load, verify)


def _engine(model: str, exactness: Exactness, weights: WeightFormat) -> Engine:
    from fastedit.engine import Engine  # only now: whatever is wrong with the arguments is said at once

    return Engine.load(model, exactness=exactness, weights=weights)


def _show_prompt(request: EditRequest, engine: Engine, *, as_json: bool) -> None:
    asked = engine.prompt(request)
    if asked is None:
        raise UsageError("no model is asked for this edit; --policy model asks one")
    show_chat(asked, as_json=as_json)


def _run(request: EditRequest, wanted: inputs.Delivery, load: Callable[[], Engine], verify: bool) -> None:
    from fastedit.cli.output.deliver import deliver
    from fastedit.cli.output.progress import shown_progress
    from fastedit.engine.events import Resulted

    with shown_progress(f"finding the place in {len(request.document.lines):,} lines") as show:
        engine = load()
        for event in engine.stream(request):
            if show is not None:
                show(event)
        assert isinstance(event, Resulted), "a stream always ends with its result"
        result = event.result
        verification = engine.verify(request) if verify else None
    deliver(wanted, request, result, verification, engine.apply)
