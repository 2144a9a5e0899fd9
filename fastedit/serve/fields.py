"""Types of fields that several bodies have."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from fastedit.errors import UsageError
from fastedit.formats.registry import FORMATS
from fastedit.formats.sketches import NAME as SKETCH
from fastedit.source.languages import check_language, names


def _encodable(text: str) -> str:
    """JSON can spell half a character, which no file and no tokenizer takes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"lone surrogate at character {error.start}") from None
    return text


def _known_format(name: str) -> str:
    if name not in _FORMAT_NAMES:
        raise ValueError(f"is none of {', '.join(_FORMAT_NAMES)}")
    return name


def _known_language(name: str) -> str:
    try:
        check_language(name)
    except UsageError as error:
        raise ValueError(str(error)) from None
    return name


_FORMAT_NAMES = (*FORMATS, SKETCH)
FormatName = Annotated[
    str, AfterValidator(_known_format), WithJsonSchema({"type": "string", "enum": list(_FORMAT_NAMES)})
]
LanguageName = Annotated[
    str, AfterValidator(_known_language), WithJsonSchema({"type": "string", "enum": list(names())})
]
Text = Annotated[str, AfterValidator(_encodable)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="Hex, of the text in UTF-8.")]


class Strict(BaseModel):
    """Wrong types and unknown fields are refused, never bent or ignored."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Span(Strict):
    start: int = Field(ge=0)
    stop: int = Field(ge=0)
