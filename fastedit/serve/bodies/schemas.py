"""The native API's bodies. Lines count from 0 and a span leaves out its `stop`, as everywhere inside fastedit."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from fastedit.model.settings import Exactness
from fastedit.readings import Option
from fastedit.request import TIME_LIMIT, PlanName, Policy
from fastedit.sampling import Acceptance
from fastedit.serve.bodies.fields import FormatName, LanguageName, Sha256, Span, Strict, Text
from fastedit.serve.bodies.operation_fields import OperationIn
from fastedit.serve.bodies.reports import PlaceOut, ReportOut
from fastedit.source.hunks import Hunk

EDIT_EXAMPLE: JsonDict = {
    "path": "settings.py",
    "content": "import json\n\n\ndef load(path):\n    return json.load(open(path))\n",
    "update": "# ... existing code ...\ndef load(path):\n    return json.loads(path.read_text())\n",
}
SAMPLED_EXAMPLE: JsonDict = {
    "content": "total = 0\nfor x in items:\n    total += x\n",
    "instruction": "rename total to sum_of_items",
    "policy": "model",
    "sampling": {"temperature": 0.7, "top_p": 0.95, "seed": 1, "acceptance": "block"},
    "drafter": "lookup",
    "tenant": "team-a",
}
CHOOSING_EXAMPLE: JsonDict = {
    "path": "caches.py",
    "content": "class Memory:\n    def load(self):\n        return self.read()\n\n    def drop(self):\n        pass\n"
    "\n\nclass Disk:\n    def load(self):\n        return self.read()\n\n    def close(self):\n        pass\n",
    "update": "    def load(self):\n        return self.read().strip()\n",
    "choice": 2,
}
OPERATIONS_EXAMPLE: JsonDict = {
    "path": "settings.py",
    "content": EDIT_EXAMPLE["content"],
    "operations": [{"op": "rename", "target": "load", "new": "read"}, {"op": "add-import", "module": "os"}],
}
REBASE_EXAMPLE: JsonDict = {
    "base": "a = 1\nb = 2\n",
    "current": "# settings\na = 1\nb = 2\n",
    "hunks": [{"old": {"start": 1, "stop": 2}, "lines": ["b = 3"]}],
}
DROPS_FINAL_NEWLINE = "The last line of the new file loses its end, which hunks cannot say."


class ScopeIn(Strict):
    """Where the edit may land; by default the whole file."""

    symbol: Text | None = Field(default=None, description="A function, class or method.")
    lines: Span | None = None


class SamplingIn(Strict):
    temperature: float = Field(default=0.0, ge=0, le=10, allow_inf_nan=False, description="0 is greedy.")
    top_p: float = Field(default=1.0, gt=0, le=1)
    top_k: int = Field(default=0, ge=0, description="0 for all.")
    seed: int = Field(default=0, ge=0, lt=1 << 63)
    acceptance: Acceptance = Field(
        default="draw",
        description="`draw`: a seed gives the same text whatever was drafted; `block` and `branches` take more of what "
        "drafters drew at random.",
    )


class EditIn(Strict):
    model_config = ConfigDict(
        json_schema_extra={"examples": [EDIT_EXAMPLE, SAMPLED_EXAMPLE, CHOOSING_EXAMPLE, OPERATIONS_EXAMPLE]}
    )

    content: Text = Field(description="The whole file. Its line ends, BOM and final newline are kept.")
    path: Text | None = Field(default=None, description="The file's name, for its language; never opened.")
    language: LanguageName | None = Field(
        default=None, description="What the file is written in, where its name and text do not tell."
    )
    base_sha256: Sha256 | None = Field(
        default=None, description="Refuse with 409 unless `content` has this hash."
    )
    base: Text | None = Field(
        default=None,
        description="The file as the edit's author read it: `scope` and `choice` are of it, what changed since stays, "
        "and an edit that changes it too is refused with 409.",
    )
    instruction: Text | None = Field(default=None, description="What should change, in words.")
    update: Text | None = Field(
        default=None,
        description="The changed code, with '... existing code ...' comments for what stays, or an edit in another "
        "format, such as a diff.",
    )
    format: FormatName | None = Field(default=None, description="Insist on one format of the update.")
    operations: list[OperationIn] = Field(
        default=[],
        description="Typed operations instead of an update, carried out in order; `GET /v1/operations` lists them.",
    )
    scope: ScopeIn = ScopeIn()
    policy: Policy = Field(
        default="auto", description="Who decides: the model, the predicted merge, or both in turn."
    )
    plan: PlanName = Field(
        default="auto",
        description="How a strong model is asked: for operations, for the changed lines (`sketch`), or for a rewrite.",
    )
    sampling: SamplingIn = SamplingIn()
    speculation: bool = Field(default=True, description="False decodes one token a pass.")
    drafter: Text | None = Field(
        default=None,
        description="Who drafts, by a name that the server's `drafters` list; 400 for others. The text is the model's.",
    )
    tenant: Text = Field(
        default="",
        max_length=256,
        description="Isolates tenants, as keys do: what drafters learn from one is never proposed to another.",
    )
    exactness: Exactness | None = Field(
        default=None,
        description="`bitwise`: refuse with 422 unless the model runs so that greedy answers are always the same bits.",
    )
    choice: int | None = Field(
        default=None,
        ge=1,
        lt=1 << 63,
        description="Take this reading of the update, by its `number` in an earlier answer; 1 is the most likely.",
    )
    ignore: list[Text] = Field(
        default=[],
        description="Codes of rules that hold nothing back (docs/checks.md); 400 for one that there is not.",
    )
    time_limit: float = Field(
        default=TIME_LIMIT,
        gt=0,
        allow_inf_nan=False,
        description="Seconds that a model may take to choose between two readings, or to fix an edit that "
        "the checks hold back.",
    )
    deadline_ms: int | None = Field(
        default=None, ge=1, lt=1 << 63, description="408 after this time; the server has a limit too."
    )
    model: Text | None = None


class PlainHunk(Strict):
    """Replaces the lines `old` by `lines`, which have no line ends."""

    old: Span
    lines: list[Text]

    @classmethod
    def of(cls, hunk: Hunk) -> PlainHunk:
        return PlainHunk(old=Span(start=hunk.start, stop=hunk.stop), lines=list(hunk.lines))


class HunkIn(PlainHunk):
    id: int | None = Field(default=None, description="As answers have it; changes nothing.")
    new: Span | None = Field(default=None, description="As answers have it; changes nothing.")


class HunkOut(PlainHunk):
    id: int = Field(description="Counts the hunks of one edit from 0.")
    new: Span = Field(description="Where the lines stand in the new file.")


class Hashes(Strict):
    before: Sha256
    after: Sha256


class AlternativeOut(Strict):
    """Another text that may be meant: a reading of the update, or another opinion, which has no number."""

    number: int | None = Field(description="What `choice` takes it by.")
    posterior: float | None = Field(description="From 0 to 1.")
    line: int = Field(
        ge=1, description="The first line of the new file, from 1, that differs from the result's."
    )
    hunks: list[HunkOut] = Field(description="Of `content`, instead of the result's.")

    @classmethod
    def of(cls, option: Option) -> AlternativeOut:
        hunks = numbered(option.hunks)
        return cls(number=option.number, posterior=option.posterior, line=option.line, hunks=hunks)


class EditSummary(Strict):
    """How an edit ended. `suspect` results are delivered with their reasons; do not write them unseen."""

    id: str
    model: str
    status: Literal["ok", "suspect", "unchanged"]
    reasons: list[str]
    sha256: Hashes
    receipt: dict[str, Any]
    alternatives: list[AlternativeOut] = Field(description="What else may be meant, most likely first.")
    notes: list[str] = Field(
        description="What else you should know: of operations, and what of the update is no edit."
    )
    left: list[PlaceOut] = Field(description="Places that operations may also refer to and leave alone.")
    drops_final_newline: bool = Field(description=DROPS_FINAL_NEWLINE)


class EditOut(EditSummary):
    hunks: list[HunkOut]
    content: str = Field(description="The whole new file.")


class RebaseIn(Strict):
    model_config = ConfigDict(json_schema_extra={"examples": [REBASE_EXAMPLE]})

    base: Text = Field(description="The text that the hunks are for.")
    current: Text = Field(description="What it has become.")
    hunks: list[HunkIn] = Field(description="Sorted and disjoint.")
    base_sha256: Sha256 | None = Field(
        default=None, description="Refuse with 409 unless `base` has this hash."
    )


class RebaseOut(Strict):
    """`content` and `sha256` are of `current` with the hunks applied that could be carried over."""

    hunks: list[HunkOut]
    conflicts: list[PlainHunk] = Field(description="Hunks of the base that meet other changes; not applied.")
    content: str
    sha256: Hashes


class ErrorBody(Strict):
    message: str
    type: str
    param: str | None
    code: str
    current_sha256: Sha256 | None = None
    ways_out: list[str] | None = Field(
        default=None, description="The fields that the way out is taken by, or the path of another endpoint."
    )
    reports: list[ReportOut] | None = Field(
        default=None, description="Of the update's hunks, where one has no place."
    )
    candidates: list[PlaceOut] | None = Field(
        default=None, description="What the target of an operation can mean, where that is not one thing."
    )


class ErrorOut(Strict):
    error: ErrorBody


def numbered(hunks: tuple[Hunk, ...]) -> list[HunkOut]:
    """Hunks in file order with the places they get in the new file."""
    numbers = Numbering()
    return [numbers.next(hunk) for hunk in hunks]


class Numbering:
    """Gives the hunks of one edit, as they come, their ids and new places."""

    def __init__(self) -> None:
        self._count = self._shift = 0

    def next(self, hunk: Hunk) -> HunkOut:
        start = hunk.start + self._shift
        new = Span(start=start, stop=start + len(hunk.lines))
        out = HunkOut(
            id=self._count, old=Span(start=hunk.start, stop=hunk.stop), new=new, lines=list(hunk.lines)
        )
        self._count += 1
        self._shift += len(hunk.lines) - (hunk.stop - hunk.start)
        return out
