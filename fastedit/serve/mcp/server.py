"""fastedit as a tool of agents: a Model Context Protocol server that edits files inside declared folders."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from fastedit import __version__
from fastedit.check import parse_ignored
from fastedit.engine import Engine, Resulted
from fastedit.engine.changes.again import edited_again
from fastedit.errors import FasteditError, StaleFile, UsageError
from fastedit.files.conventions import conventions_near
from fastedit.files.entry import JournalEntry
from fastedit.files.journal import Journal
from fastedit.files.patch import unified_diff
from fastedit.files.save import save
from fastedit.files.tree import read_inside
from fastedit.files.undo import reversal, undo
from fastedit.files.write import links_note, rehearse
from fastedit.readings import options_of
from fastedit.request import EditRequest, LineRange, PlanName
from fastedit.result import EditResult, Status
from fastedit.retry import written
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.bodies.fields import Sha256, worded
from fastedit.serve.bodies.reports import PlaceOut, placed
from fastedit.serve.bodies.schemas import DROPS_FINAL_NEWLINE, Hashes, HunkOut, numbered
from fastedit.serve.jobs.pool import Pool
from fastedit.serve.mcp.arguments import tool_of
from fastedit.serve.mcp.changes import ChangeTools, DryRun, FilePath, Ignore, Language
from fastedit.serve.mcp.jobs import ONE_FILE, last_of, line_of
from fastedit.serve.mcp.roots import Roots
from fastedit.serve.mcp.stdio import answering_stdio
from fastedit.source.document import Document

INSTRUCTIONS = (
    "apply_operations carries out typed operations (rename, delete, add-import, ...) on names: the surest way where "
    "one says what is wanted. "
    "apply_change writes an edit of one or many files in whichever format it is written; apply_patch, "
    "str_replace_based_edit_tool and replace do so with the arguments that agents know. All of a change is written or "
    "nothing: an error says which hunk of which file is wrong, why, and what the nearest lines are. "
    "edit_file changes one file by an instruction, by changed code with '... existing code ...' comments for what "
    "stays, or by both. It is a dry run unless dry_run is false: look at the diff and the status first. A result "
    "whose status is suspect is written only with force. Where code_edit can be read in several ways, `readings` lists "
    "them: call again with choice, or with SEARCH/REPLACE blocks. edit_files does an instruction in several files, "
    "if the server has a strong model. undo_edit takes the newest written edit of a file back, in all files that it "
    "changed."
)
WORKERS = 8  # as many edits at a time as a server of the HTTP API

Instruction = Annotated[str | None, Field(description="What should change, in words.")]
CodeEdit = Annotated[
    str | None, Field(description="The changed code; '... existing code ...' comments for what stays.")
]
SymbolArgument = Annotated[str | None, Field(description="Change this function, class or method only.")]
LinesArgument = Annotated[
    list[int] | None,
    Field(description="Change lines [first, last] only, counted from 1.", min_length=2, max_length=2),
]
Choice = Annotated[
    int | None,
    Field(description="Take this reading of code_edit, by its number in `readings` of the answer before."),
]
BaseSha256 = Annotated[
    Sha256 | None,
    Field(
        description="`sha256.before` of the answer before, with choice: another text, with other readings, is refused."
    ),
]
PlanArgument = Annotated[
    PlanName,
    Field(
        description="How a strong model is asked: for operations, the changed lines (sketch) or a rewrite."
    ),
]
Force = Annotated[bool, Field(description="Write a suspect result anyway.")]


class ReadingOut(BaseModel):
    """One text that code_edit may mean."""

    number: int = Field(description="What `choice` takes it by.")
    posterior: float = Field(description="How likely it is, from 0 to 1.")
    line: int = Field(description="The first line of the new file, from 1, that differs from the result's.")
    diff: str


class EditOutcome(BaseModel):
    """What became of an edit."""

    path: str
    status: Literal["ok", "suspect", "unchanged"]
    reasons: list[str] = Field(description="Why the result is suspect.")
    way_out: str = Field(description="What to do about a suspect result; empty for any other.")
    readings: list[ReadingOut] = Field(description="What else code_edit may mean, most likely first.")
    written: bool
    diff: str
    hunks: list[HunkOut]
    drops_final_newline: bool = Field(description=DROPS_FINAL_NEWLINE)
    sha256: Hashes
    receipt: dict[str, Any] = Field(description="What it cost, without what is zero.")
    notes: list[str] = Field(description="What else you should know, such as that an edit cannot be undone.")
    left: list[PlaceOut] = Field(description="Places that may also be meant but stay as they are.")


class UndoOutcome(BaseModel):
    """The edit that was taken back, or would be."""

    path: str
    edit: str = Field(description="What it was, in the words that asked for it.")
    time: str = Field(description="When it was written, in UTC.")
    written: bool
    sha256: str | None = Field(description="Of the restored file; null where the edit had created it.")
    files: dict[str, str | None] = Field(description="The same for all files that the edit had changed.")


class McpServer(MCPServer[Any]):
    """Says in one line which argument is wrong, also one that the tool does not have."""

    async def run_stdio_async(self) -> None:
        async with answering_stdio() as (read, write):
            server = self._lowlevel_server
            await server.run(read, write, server.create_initialization_options())

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        known = {tool.name: list(tool.input_schema["properties"]) for tool in await self.list_tools()}
        for argument in arguments if name in known else ():
            if argument not in known[name]:
                raise ToolError(f"{name}: no argument {argument!r}; it takes {', '.join(known[name])}")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                where, wrong = worded(error.__cause__.errors(include_url=False, include_input=False)[0])
                raise ToolError(f"{name}: {where}: {wrong}") from error.__cause__
            if isinstance(error.__cause__, ToolError):  # ours, to which mcp adds that the tool was executed
                raise error.__cause__ from None
            raise


class Tools:
    """The tools for one file."""

    def __init__(self, engine: Engine, roots: Roots, pool: Pool) -> None:
        self._engine, self._roots, self._pool = engine, roots, pool

    async def edit_file(
        self,
        ctx: Context[Any],
        path: FilePath,
        instruction: Instruction = None,
        code_edit: CodeEdit = None,
        symbol: SymbolArgument = None,
        lines: LinesArgument = None,
        language: Language = None,
        choice: Choice = None,
        base_sha256: BaseSha256 = None,
        plan: PlanArgument = "auto",
        dry_run: DryRun = True,
        force: Force = False,
        ignore: Ignore = None,
    ) -> EditOutcome:
        """Change one file; a dry run by default."""
        try:
            target = self._roots.resolve(path)
            root = self._roots.holding([str(target)])
            document = read_inside(root, target)
            if base_sha256 not in (None, document.sha256):
                raise StaleFile(f"{path}: is not the file of that base_sha256; look at its readings again")
            if not dry_run:
                rehearse(target, 0, root, path)
            request = EditRequest(
                document,
                instruction,
                code_edit,
                symbol,
                _range(lines, document),
                choice=choice,
                language=language,
                plan=plan,
                live=False,
                ignore=parse_ignored(ignore or ()),
                conventions=conventions_near(document.path, root),
            )
            edit = partial(self._engine.stream, request)
            result = (await last_of(self._pool, edit, Resulted, ctx)).result
            held = result.status is Status.SUSPECT and not force
            notes = list(links_note(target, self._roots.name(target))) if result.is_changed else []
            written = result.is_changed and not dry_run and not held
            if written:
                # Another process may hold the journal for seconds.
                result = await to_thread(self._saved, request, result, root, notes.append)
                written = result.is_changed
            return _outcome(path, self._roots.name(target), result, written, notes)
        except (FasteditError, ApiError) as error:
            raise ToolError(line_of(error, ONE_FILE)) from None

    def _saved(
        self, request: EditRequest, result: EditResult, root: Path, warn: Callable[[str], None]
    ) -> EditResult:
        """Writes the file, also one that others wrote meanwhile; the result that it has then."""

        def write(result: EditResult) -> None:
            words, hunks = request.instruction or "code edit", len(result.hunks)
            if result.is_changed:
                save(result.document, result.data, words, hunks, warn, root=root)

        def again(result: EditResult) -> EditResult | None:
            assert request.document.path is not None, "a tool is given a path"
            read = partial(read_inside, root, request.document.path)
            return edited_again(request, result, read, self._engine.apply)

        return written(write, result, again)[1]

    async def undo_edit(
        self,
        path: FilePath,
        dry_run: Annotated[bool, Field(description="Only tell which edit it is and which files.")] = False,
    ) -> UndoOutcome:
        """Take back the newest written edit of a file, in all files it changed; only where none has changed since."""
        try:
            target = self._roots.resolve(path)
            entry = await to_thread(self._undone, target, dry_run)
        except FasteditError as error:
            raise ToolError(line_of(error, ONE_FILE)) from None
        hashes = {str(file.path): file.before_sha256 for file in entry.files}
        return UndoOutcome(
            path=path,
            edit=entry.instruction,
            time=datetime.fromtimestamp(entry.time, UTC).isoformat(timespec="seconds"),
            written=not dry_run,
            sha256=hashes[str(target)],
            files=hashes,
        )

    def _undone(self, target: Path, dry_run: bool) -> JournalEntry:
        """The newest edit of a file, taken back; for a thread, since another process may hold the journal for seconds.
        Raises FasteditError, also for an edit of files outside the roots."""
        with Journal.open() as journal:
            edit = journal.newest(target)
            for file in edit.files:
                self._roots.resolve(str(file.path))
            if dry_run:
                reversal(journal, edit)
                return edit
            return undo(journal, edit.id)


def create_mcp(engine: Engine, roots: list[Path]) -> MCPServer[Any]:
    """The server for one engine. Raises UsageError for a root that is no folder."""
    held, pool = Roots(roots), Pool(WORKERS, inf)  # agents send calls together, and wait for all of them
    tools, changes = Tools(engine, held, pool), ChangeTools(engine, held, pool)
    edits = ToolAnnotations(destructive_hint=True, idempotent_hint=False, open_world_hint=False)
    offered = (
        changes.apply_change,
        changes.apply_operations,
        tools.edit_file,
        changes.edit_files,
        changes.apply_patch,
        changes.str_replace_based_edit_tool,
        changes.replace,
        tools.undo_edit,
    )
    return McpServer(
        "fastedit",
        instructions=INSTRUCTIONS,
        version=__version__,
        tools=[tool_of(function, edits) for function in offered],
        log_level="WARNING",
    )


def _range(lines: list[int] | None, document: Document) -> LineRange | None:
    """Raises UsageError for lines that the file does not have."""
    if lines is None:
        return None
    first, last = lines
    if not 1 <= first <= last <= len(document.lines):
        raise UsageError(f"lines {lines}: the file has lines 1 to {len(document.lines)}; give [first, last]")
    return LineRange(first - 1, last)


def _outcome(path: str, name: str, result: EditResult, written: bool, notes: list[str]) -> EditOutcome:
    """`name` is what the diff calls the file."""
    readings = [
        ReadingOut(
            number=option.number,
            posterior=option.posterior or 0.0,
            line=option.line,
            diff=unified_diff(result.document, option.hunks, name),
        )
        for option in options_of(result)
        if option.number is not None
    ]
    notes = [*result.notes, *notes]
    return EditOutcome(
        path=path,
        status=result.status.value,
        reasons=list(result.reasons),
        way_out=_way_out(result, [reading.number for reading in readings]),
        readings=readings,
        written=written,
        diff=unified_diff(
            result.document, result.hunks, name, drops_final_newline=result.drops_final_newline
        ),
        hunks=numbered(result.hunks),
        drops_final_newline=result.drops_final_newline,
        sha256=Hashes(before=result.document.sha256, after=result.sha256),
        receipt={name: value for name, value in result.receipt.as_dict().items() if value},
        notes=notes,
        left=placed(result.left),
    )


def _way_out(result: EditResult, numbers: list[int]) -> str:
    if result.status is not Status.SUSPECT:
        return ""
    if numbers:
        listed = " or ".join(map(str, numbers))
        return f"pass choice={listed} for another reading, or force=true for this one, and dry_run=false to write it"
    if not result.receipt.passes:
        return "correct it, or pass force=true if it is right"
    narrower = "limit the edit with symbol, or give the changed code as code_edit"
    return f"{narrower}, or pass force=true" if result.is_changed else narrower
