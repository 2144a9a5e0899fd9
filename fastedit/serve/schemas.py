"""The native API's bodies. Lines count from 0 and a span leaves out its `stop`, as everywhere inside fastedit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from fastedit.edit.hunks import Hunk
from fastedit.edit.request import Acceptance, Policy
from fastedit.model.settings import Exactness


def _encodable(text: str) -> str:
    """JSON can spell half a character, which no file and no tokenizer takes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"lone surrogate at character {error.start}") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="Hex, of the text in UTF-8.")]
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
REBASE_EXAMPLE: JsonDict = {
    "base": "a = 1\nb = 2\n",
    "current": "# settings\na = 1\nb = 2\n",
    "hunks": [{"old": {"start": 1, "stop": 2}, "lines": ["b = 3"]}],
}


class Strict(BaseModel):
    """Wrong types and unknown fields are refused, never bent or ignored."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Span(Strict):
    start: int = Field(ge=0)
    stop: int = Field(ge=0)


class Scope(Strict):
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
    model_config = ConfigDict(json_schema_extra={"examples": [EDIT_EXAMPLE, SAMPLED_EXAMPLE]})

    content: Text = Field(description="The whole file. Its line ends, BOM and final newline are kept.")
    path: Text | None = Field(default=None, description="The file's name, for its language; never opened.")
    base_sha256: Sha256 | None = Field(
        default=None, description="Refuse with 409 unless `content` has this hash."
    )
    instruction: Text | None = Field(default=None, description="What should change, in words.")
    update: Text | None = Field(
        default=None, description="The changed code, with '... existing code ...' comments for what stays."
    )
    scope: Scope = Scope()
    policy: Policy = Field(
        default="auto", description="Who decides: the model, the predicted merge, or both in turn."
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
        description="For whom: what drafters remember of one tenant is never proposed to another; keys are apart.",
    )
    exactness: Exactness | None = Field(
        default=None,
        description="`bitwise`: refuse with 422 unless the model runs so that greedy answers are always the same bits.",
    )
    deadline_ms: int | None = Field(
        default=None, ge=1, lt=1 << 63, description="408 after this time; the server has a limit too."
    )
    model: Text | None = None


class HunkIn(Strict):
    """Replaces the lines `old` by `lines`, which have no line ends."""

    old: Span
    lines: list[Text]


class HunkOut(HunkIn):
    id: int = Field(description="Counts the hunks of one edit from 0.")
    new: Span = Field(description="Where the lines stand in the new file.")


class Hashes(Strict):
    before: Sha256
    after: Sha256


class Outcome(Strict):
    """How an edit ended. `suspect` results are delivered with their reasons; do not write them unseen."""

    id: str
    model: str
    status: Literal["ok", "suspect", "unchanged"]
    reasons: list[str]
    sha256: Hashes
    receipt: dict[str, Any]
    alternative: list[HunkOut] | None = Field(
        description="The other opinion, where model and merge disagree."
    )


class EditOut(Outcome):
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
    conflicts: list[HunkIn] = Field(description="Hunks of the base that meet other changes; not applied.")
    content: str
    sha256: Hashes


class ErrorBody(Strict):
    message: str
    type: str
    param: str | None
    code: str
    current_sha256: Sha256 | None = None


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
