"""The tools for edits of many files, under fastedit's own name and under those that agents know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from fastedit.check import parse_ignored
from fastedit.connect import Hangup
from fastedit.engine import Engine
from fastedit.engine.changes.again import changed_again
from fastedit.engine.changes.change import ChangeRequest, ChangeResult, hunk_count, stream
from fastedit.engine.changes.files import read_edit
from fastedit.errors import FasteditError
from fastedit.files import transaction
from fastedit.files.conventions import conventions_of
from fastedit.files.plan import make_plan
from fastedit.files.tree import Tree
from fastedit.formats.base import Edit
from fastedit.formats.diffs import v4a
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.message import read_message
from fastedit.formats.registry import FORMATS
from fastedit.formats.tools import operations as typed
from fastedit.formats.tools import str_replace
from fastedit.request import PlanName
from fastedit.retry import written
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.bodies.fields import LanguageName
from fastedit.serve.jobs.pool import Pool
from fastedit.serve.mcp.jobs import SEVERAL_FILES, last_of, line_of
from fastedit.serve.mcp.operations import ToldOperation
from fastedit.serve.mcp.outcomes import ChangeOutcome, objections
from fastedit.serve.mcp.roots import Roots

_VIEW = "view is not offered here; read the file with another tool, then send str_replace, insert or create"
_UNDO = "undo_edit is a tool of its own here; call that with the path"
_TAKEN = {
    "str_replace": ("old_str", "new_str"),
    "insert": ("insert_line", "insert_text"),
    "create": ("file_text",),
}

Message = Annotated[
    str,
    Field(
        description="The whole edit in any format, with the path of each file: a V4A patch, a unified diff, "
        "search/replace blocks, tool arguments as JSON, or whole files."
    ),
]
Root = Annotated[
    str | None,
    Field(description="The folder that paths start from, within the server's; its first one by default."),
]
FormatArgument = Annotated[
    str | None, Field(description=f"Insist on one format: {', '.join([*FORMATS, SKETCH])}.")
]
Check = Annotated[bool, Field(description="Report what would happen; nothing is written.")]
Partial = Annotated[bool, Field(description="Write the files that can be changed even if others cannot.")]
Force = Annotated[bool, Field(description="Write suspect files too. Files that are refused stay refused.")]
Operations = Annotated[
    list[ToldOperation],
    Field(
        min_length=1, description="Each with the path of its file; those of a file are carried out in order."
    ),
]
Language = Annotated[
    LanguageName | None,
    Field(description="What files are written in whose name and text do not tell."),
]
Choices = Annotated[
    dict[str, str] | None,
    Field(
        description="For a sketch that was held back, by its path, the reading to take, such as 2@3f9c21ab."
    ),
]
Input = Annotated[str, Field(description="The patch, from *** Begin Patch to *** End Patch.")]
Command = Annotated[
    Literal["str_replace", "insert", "create", "view", "undo_edit"],
    # What agents may send all the same is answered with the tool for it.
    Field(json_schema_extra={"enum": list(_TAKEN)}),
]
FilePath = Annotated[str, Field(description="The file, relative to the first root or absolute.")]
Old = Annotated[
    str, Field(description="The text to replace, exactly as it stands in the file, with enough around it.")
]
New = Annotated[str, Field(description="The text to put in its place.")]
Paths = Annotated[
    list[str], Field(min_length=1, description="The files that may change, and that the model is shown.")
]
Shown = Annotated[
    list[str] | None, Field(description="Files that the model is shown besides, and may not change.")
]
Plan = Annotated[
    PlanName, Field(description="How a strong model is asked: for operations or for blocks (sketch).")
]
DryRun = Annotated[bool, Field(description="Only show what would change; false writes it.")]
Ignore = Annotated[
    list[str] | None, Field(description="Codes of rules that hold nothing back, such as FE107.")
]


@dataclass(frozen=True, slots=True)
class _Asked:
    """How a call wants its change applied."""

    root: str | None = None
    check: bool = False
    partial: bool = False
    force: bool = False
    language: str | None = None
    ignore: Sequence[str] = ()
    choices: Mapping[str, str] = field(default_factory=dict)


class ChangeTools:
    """Every tool reads its arguments into one normal form, which is then applied in one way."""

    def __init__(self, engine: Engine, roots: Roots, pool: Pool) -> None:
        self._engine, self._roots, self._pool = engine, roots, pool
        self._writing = Lock()  # while one change holds it, no other one writes

    async def apply_change(
        self,
        ctx: Context[Any],
        message: Message,
        root: Root = None,
        format: FormatArgument = None,
        check: Check = False,
        partial: Partial = False,
        force: Force = False,
        ignore: Ignore = None,
        choices: Choices = None,
    ) -> ChangeOutcome:
        """Apply an edit of one or many files: edit, create, delete, rename. All of it is written or nothing, unless
        partial. Each hunk is reported: how it was placed, or why not and what the nearest lines are."""
        asked = _Asked(root, check, partial, force, ignore=ignore or (), choices=choices or {})

        def read() -> Edit:
            return read_edit(message, Tree(self._folder(ChangeRequest(None), asked)), format)

        return await self._run(read, asked, ctx)

    async def edit_files(
        self,
        ctx: Context[Any],
        instruction: Annotated[str, Field(min_length=1, description="What should change, in words.")],
        paths: Paths,
        context: Shown = None,
        root: Root = None,
        language: Language = None,
        plan: Plan = "auto",
        dry_run: DryRun = True,
        partial: Partial = False,
        force: Force = False,
        ignore: Ignore = None,
    ) -> ChangeOutcome:
        """Have the server's strong model carry an instruction out in several files, new ones among them; a dry run by
        default. All of it is written or nothing, unless partial."""
        asked = _Asked(root, dry_run, partial, force, language, ignore or ())

        def request() -> ChangeRequest:
            return ChangeRequest(
                None, instruction=instruction, paths=tuple(paths), context=tuple(context or ()), plan=plan
            )

        return await self._run(request, asked, ctx)

    async def apply_operations(
        self,
        ctx: Context[Any],
        operations: Operations,
        language: Language = None,
        root: Root = None,
        check: Check = False,
        partial: Partial = False,
        force: Force = False,
    ) -> ChangeOutcome:
        """Rename, delete, add imports and parameters, ... by name: exactly, in one or many files, all of it or nothing.
        A target is a name such as load, Store.load or load@12. One that is missing or can mean several things is
        refused with what there is. Places that may be another's stay as they are, and are listed in `left`."""
        asked = _Asked(root, check, partial, force, language)

        def read() -> Edit:
            return Edit((typed.NAME,), typed.modifications(operations, read_one=typed.named))

        return await self._run(read, asked, ctx)

    async def apply_patch(self, ctx: Context[Any], input: Input, force: Force = False) -> ChangeOutcome:
        """Apply a V4A patch: *** Add File, *** Update File, *** Delete File, *** Move to."""
        return await self._run(lambda: read_message(input, v4a.FORMAT.name), _Asked(force=force), ctx)

    async def str_replace_based_edit_tool(
        self,
        ctx: Context[Any],
        command: Command,
        path: FilePath,
        old_str: Old | None = None,
        new_str: New | None = None,
        file_text: Annotated[str | None, Field(description="The whole new file, for create.")] = None,
        insert_line: Annotated[
            int | None, Field(description="Insert after this line, from 1; 0 for the beginning.")
        ] = None,
        insert_text: Annotated[str | None, Field(description="The lines to insert.")] = None,
        force: Force = False,
    ) -> ChangeOutcome:
        """Replace a text that stands once in a file, insert lines, or create a file."""
        if command in ("view", "undo_edit"):
            raise ToolError(_VIEW if command == "view" else _UNDO)
        texts: dict[str, object] = {
            "old_str": old_str,
            "new_str": new_str,
            "file_text": file_text,
            "insert_line": insert_line,
            "insert_text": insert_text,
        }
        # One that the command takes is handed on as None too: an error names it as it is spelled here.
        given = {name: value for name, value in texts.items() if value is not None or name in _TAKEN[command]}
        arguments = {"command": command, "path": path, **given}
        return await self._call("str_replace_based_edit_tool", arguments, force, ctx)

    async def replace(
        self,
        ctx: Context[Any],
        file_path: FilePath,
        old_string: Old,
        new_string: New,
        instruction: Annotated[str | None, Field(description="What the change is for.")] = None,
        allow_multiple: Annotated[bool | None, Field(description="Replace every occurrence.")] = None,
        expected_replacements: Annotated[int | None, Field(description="How many there must be.")] = None,
        force: Force = False,
    ) -> ChangeOutcome:
        """Replace a text that stands once in a file; an empty old_string creates the file."""
        arguments: dict[str, object] = {
            "file_path": file_path,
            "old_string": old_string,
            "new_string": new_string,
            "instruction": instruction,
            "allow_multiple": allow_multiple,
            "expected_replacements": expected_replacements,
        }
        return await self._call("replace", arguments, force, ctx)

    async def _call(
        self, tool: str, arguments: dict[str, object], force: bool, ctx: Context[Any]
    ) -> ChangeOutcome:
        def read() -> Edit:
            return Edit((str_replace.NAME,), str_replace.read_value(arguments, tool))

        return await self._run(read, _Asked(force=force), ctx)

    async def _run(
        self, read: Callable[[], Edit | ChangeRequest], asked: _Asked, ctx: Context[Any]
    ) -> ChangeOutcome:
        try:
            return await last_of(
                self._pool, lambda hangup: self._events(read, asked, hangup), ChangeOutcome, ctx
            )
        except (FasteditError, ApiError) as error:
            raise ToolError(line_of(error, SEVERAL_FILES)) from None

    def _events(
        self, read: Callable[[], Edit | ChangeRequest], asked: _Asked, hangup: Hangup
    ) -> Iterator[object]:
        """One change from its reading to the disk, on a worker's thread; a ChangeOutcome is the last event. Raises
        ToolError where something holds all of the change back."""
        edit = read()
        wanted = edit if isinstance(edit, ChangeRequest) else ChangeRequest(edit)
        tree = Tree(self._folder(wanted, asked))
        request = replace(
            wanted,
            partial=asked.partial,
            roots=(str(tree.root), *self._roots.spelled(tree.root)),
            language=asked.language,
            ignore=parse_ignored(asked.ignore),
            conventions=conventions_of(wanted.paths, tree.root),
            choices=asked.choices,
        )
        tree.rehearse(wanted.paths)  # what a check would refuse, too
        for event in stream(self._engine, request, tree, hangup):
            if not isinstance(event, ChangeResult):
                yield event
        assert isinstance(event, ChangeResult), "a stream always ends with its result"
        write = partial(self._outcome, asked, tree.root, wanted.instruction)
        again = partial(changed_again, self._engine, request, files=tree)
        # Agents send several calls for one file side by side: this one may find it written meanwhile.
        with self._writing:
            outcome, _ = written(write, event, again)
        yield outcome

    def _folder(self, request: ChangeRequest, asked: _Asked) -> Path:
        if asked.root is not None:
            return self._roots.folder(asked.root)
        operations = request.message.operations if isinstance(request.message, Edit) else ()
        named = (operation.path for operation in operations if operation.path)
        return self._roots.holding((*request.paths, *named))

    def _outcome(
        self, asked: _Asked, root: Path, instruction: str | None, result: ChangeResult
    ) -> ChangeOutcome:
        delivered = result.deliverable(force=asked.force)
        left = objections(result, delivered)
        if left and not delivered and not asked.check:
            raise ToolError(f"nothing was written\n{left}")
        effects = result.effects(force=asked.force)
        plan = make_plan(root, effects)
        actions = plan.lines()
        entry = None
        if not asked.check:
            words = instruction or ", ".join(actions)
            entry = transaction.commit(root, effects, words, hunk_count(delivered))
        return ChangeOutcome.of(result, [*actions, *plan.notes()], left, written=entry is not None)
