"""Types of fields that several bodies have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from fastedit.errors import UsageError
from fastedit.formats.files.sketches import NAME as SKETCH
from fastedit.formats.registry import FORMATS
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


def _sha256(text: str) -> str:
    if not re.fullmatch(_HASH, text):
        raise ValueError("must be a SHA-256 hash: 64 digits of 0-9 and a-f")
    return text


def _shape(value: object) -> str:
    return LIST if isinstance(value, list) else TEXT


# What a text or a list is told by, so that an error is about the one that was sent.
TEXT, LIST = "<text>", "<list>"
by_shape = Discriminator(_shape)
_NO_FIELDS = ("body", "query", TEXT, LIST)  # of the places that pydantic names
_NO_OBJECT = ("model_type", "model_attributes_type")
_HASH = "^[0-9a-f]{64}$"
_FORMAT_NAMES = (*FORMATS, SKETCH)
FormatName = Annotated[
    str, AfterValidator(_known_format), WithJsonSchema({"type": "string", "enum": list(_FORMAT_NAMES)})
]
LanguageName = Annotated[
    str, AfterValidator(_known_language), WithJsonSchema({"type": "string", "enum": list(names())})
]
Text = Annotated[str, AfterValidator(_encodable)]
Sha256 = Annotated[
    str,
    AfterValidator(_sha256),
    Field(description="Hex, of the text in UTF-8.", json_schema_extra={"pattern": _HASH}),
]


def worded(error: Mapping[str, Any]) -> tuple[str, str]:
    """The field that an error of pydantic's is about, and what is wrong with it, in our words."""
    where = [str(part) for part in error["loc"] if part not in _NO_FIELDS]
    context, said = error.get("ctx", {}), error["msg"].removeprefix("Value error, ")
    match error["type"]:
        case "refused_field":
            return ".".join([*where, context["name"]]), context["said"]
        case "missing":
            said = "is missing; send it"
        case "too_short":
            least = context["min_length"]
            said = "is empty; send at least one" if least == 1 else f"has fewer than {least} items; send more"
        case "too_long":
            said = f"has more than {context['max_length']} items; send fewer"
        case "tuple_type" | "list_type":
            said = "must be a list"
        case "dict_type":
            said = "must be an object"
        case _:
            said = re.sub(r"^\w+ should", "must", said.partition(", unable to")[0])
    return ".".join(where), said


class Strict(BaseModel):
    """Wrong types and unknown fields are refused, never bent or ignored."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="wrap")
    @classmethod
    def _known(cls, value: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        """Says of an unknown field which one may be meant, of a second spelling that it is one, and of what is no
        object which fields it has."""
        try:
            return handler(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            if first["type"] in _NO_OBJECT and not first["loc"]:
                fields = ", ".join(cls.model_fields)
                raise PydanticCustomError(
                    "no_object", "must be an object with {fields}", {"fields": fields}
                ) from None
            if first["type"] != "extra_forbidden" or len(first["loc"]) != 1:
                raise
            name = str(first["loc"][0])
            raise PydanticCustomError(
                "refused_field", "{name}: {said}", {"name": name, "said": cls._refused(name)}
            ) from None

    @classmethod
    def _refused(cls, name: str) -> str:
        spelled: dict[str, str] = {}
        for own, field in cls.model_fields.items():
            alias = field.validation_alias
            choices = alias.choices if isinstance(alias, AliasChoices) else (own,)
            spelled |= {str(choice): own for choice in choices}
        if name in spelled:
            return f"is the same field as {spelled[name]}; send one of them"
        near = get_close_matches(name, spelled, 1)
        return f"is not supported; did you mean {near[0]}?" if near else "is not supported; leave it out"


class Span(Strict):
    start: int = Field(ge=0)
    stop: int = Field(ge=0)
