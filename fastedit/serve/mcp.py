"""fastedit as a tool of agents: a Model Context Protocol server that edits files inside declared folders."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from fastedit import __version__
from fastedit.edit.document import Document
from fastedit.edit.journal import Journal
from fastedit.edit.patch import unified_diff
from fastedit.edit.request import EditRequest
from fastedit.edit.result import EditResult, Progress, Status
from fastedit.edit.save import save
from fastedit.engine import Engine, Progressed, Resulted
from fastedit.errors import FasteditError
from fastedit.serve.errors import ApiError
from fastedit.serve.pool import Pool
from fastedit.serve.roots import Roots
from fastedit.serve.schemas import Hashes, HunkOut, numbered

INSTRUCTIONS = (
    "edit_file changes one file by an instruction, by changed code with '... existing code ...' comments for what "
    "stays, or by both. It is a dry run unless dry_run is false: look at the diff and the status first. A result "
    "whose status is suspect is written only with force. undo_edit takes the newest written edit of a file back."
)
WORKERS, QUEUE, DEADLINE_S = 2, 32, 600.0

PathArgument = Annotated[str, Field(description="The file, relative to the first root or absolute.")]
Instruction = Annotated[str | None, Field(description="What should change, in words.")]
CodeEdit = Annotated[
    str | None, Field(description="The changed code; '... existing code ...' comments for what stays.")
]
SymbolArgument = Annotated[str | None, Field(description="Change this function, class or method only.")]
DryRun = Annotated[bool, Field(description="Only show what would change; false writes the file.")]
Force = Annotated[bool, Field(description="Write a suspect result all the same.")]


class EditOutcome(BaseModel):
    """What became of an edit."""

    path: str
    status: Literal["ok", "suspect", "unchanged"]
    reasons: list[str] = Field(description="Why the result is suspect.")
    written: bool
    diff: str
    hunks: list[HunkOut]
    sha256: Hashes
    receipt: dict[str, Any]
    notes: list[str] = Field(
        description="What went otherwise than planned, such as an edit that cannot be undone."
    )


class UndoOutcome(BaseModel):
    """The edit that was taken back."""

    path: str
    sha256: str = Field(description="Of the restored file.")


class Tools:
    """The tools' work. Edits run on threads of their own, so that the protocol stays awake and can cancel them."""

    def __init__(self, engine: Engine, roots: Roots) -> None:
        self._engine, self._roots = engine, roots
        self._pool = Pool(WORKERS, QUEUE)

    async def edit_file(
        self,
        ctx: Context[Any],
        path: PathArgument,
        instruction: Instruction = None,
        code_edit: CodeEdit = None,
        symbol: SymbolArgument = None,
        dry_run: DryRun = True,
        force: Force = False,
    ) -> EditOutcome:
        """Change one file; a dry run by default."""
        try:
            document = Document.read(self._roots.resolve(path))
            request = EditRequest(document, instruction, code_edit, symbol)
            result = await self._result(request, ctx)
            held = result.status is Status.SUSPECT and not force
            notes: list[str] = []
            written = bool(result.hunks) and not dry_run and not held
            if written:
                save(document, result.data, instruction or "code edit", len(result.hunks), notes.append)
            return _outcome(path, result, written, notes)
        except (FasteditError, ApiError) as error:
            raise ToolError(_line(error)) from None

    async def undo_edit(self, path: PathArgument) -> UndoOutcome:
        """Take back the newest written edit of a file; only where the file has not changed since."""
        try:
            with Journal.open() as journal:
                entry = journal.undo(self._roots.resolve(path))
        except FasteditError as error:
            raise ToolError(_line(error)) from None
        return UndoOutcome(path=path, sha256=entry.before_sha256)

    async def _result(self, request: EditRequest, ctx: Context[Any]) -> EditResult:
        job = self._pool.submit(lambda: self._steps(request), DEADLINE_S)
        try:
            async for item in job:
                if isinstance(item, EditResult):
                    return item
                await ctx.report_progress(item.fraction, 1.0, f"{item.output_tokens} tokens")
        finally:
            job.cancel()
        raise AssertionError("a stream always ends with its result")

    def _steps(self, request: EditRequest) -> Generator[list[EditResult | Progress], None, None]:
        for event in self._engine.stream(request):
            if isinstance(event, Resulted):
                yield [event.result]
            else:
                yield [event.progress] if isinstance(event, Progressed) else []


def create_mcp(engine: Engine, roots: list[Path]) -> MCPServer[Any]:
    """The server for one engine. Raises UsageError for a root that is no folder."""
    tools = Tools(engine, Roots(roots))
    server: MCPServer[Any] = MCPServer(
        "fastedit", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    edits = ToolAnnotations(destructive_hint=True, idempotent_hint=False, open_world_hint=False)
    server.add_tool(tools.edit_file, annotations=edits)
    server.add_tool(tools.undo_edit, annotations=edits)
    return server


def _outcome(path: str, result: EditResult, written: bool, notes: list[str]) -> EditOutcome:
    return EditOutcome(
        path=path,
        status=result.status.value,
        reasons=list(result.reasons),
        written=written,
        diff=unified_diff(result.document, result.hunks, path.lstrip("/")),
        hunks=numbered(result.hunks),
        sha256=Hashes(before=result.document.sha256, after=result.sha256),
        receipt=result.receipt.as_dict(),
        notes=notes,
    )


def _line(error: Exception) -> str:
    return " ".join((error.detail if isinstance(error, ApiError) else str(error)).split())
