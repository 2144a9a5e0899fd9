"""``add a parameter `encoding="utf-8"` to load``, and what else concerns one parameter or a return type."""

from __future__ import annotations

import re

from fastedit.edit.codemod.parameters import (
    default_of,
    parameter_of,
    signature_of,
    with_default,
    with_parameter,
    with_return,
    with_type,
    with_variable_type,
    without_parameter,
)
from fastedit.edit.codemod.sentence import Sentences, Told
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.codemod.types import fits_type, is_type

_F = "{the}{function}"
_PARAMETER = "[parameter|argument|keyword argument]"
_DROP = "[remove|delete|drop|get rid of]"
_ADDED = Sentences(
    f"[add|append] [a|an|the|another|a new] {_PARAMETER} {{new:code}} to {_F}",
    f"[add|append] {{new:code}} [to the signature of|to the parameters of|as a parameter to|as an argument to] {_F}",
    f"give {_F} [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"[make|let|have] {_F} [take|accept|have] [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"{_F} [should|must] [take|accept|have] [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"{_F} [needs|takes] [a|an|another|a new] {_PARAMETER} {{new:code}}",
    f"extend the signature of {_F} [with|by] {{new:code}}",
)
_DROPPED = Sentences(
    f"{_DROP} {{the}}{{name}} [from|in] the [signature|parameters|parameter list|arguments] of {_F}",
    f"{_DROP} [the|its|a] {_PARAMETER} {{name}} [from|of|in] {_F}",
    f"{_DROP} {{the}}{{name}} {_PARAMETER} [from|of|in] {_F}",
    f"take [the|its] {_PARAMETER} {{name}} out of {_F}",
    f"take {{the}}{{name}} out of the signature of {_F}",
    f"[the signature of |]{_F} [does not need|no longer needs] the {_PARAMETER} {{name}}[, drop it|, remove it|]",
)
_DEFAULTED = Sentences(
    f"[make|set|change] {{the}}[default|default value] [of|for] {{the}}{{name}} [in|of|for] {_F} {{value:code}}",
    f"[set|change] {{the}}default {{the}}{{name}} [in|of|for] {_F} to {{value:code}}",
    f"add {{the}}[default|default value] of {{value:code}} [for|to] {{the}}{{name}} [in|of] {_F}",
    f"[make|let] {{the}}{{name}} default to {{value:code}} in {_F}",
    f"let {{the}}{{name}} [in|of] {_F} default to {{value:code}}",
    f"[give|set|change] {{the}}[default|default value] [of|for] {{the}}{{name}} [in|of] {_F} to {{value:code}}",
    f"[give|set] {{the}}{{name}} [in|of] {_F} {{the}}[default|default value][ of|] {{value:code}}",
    f"give {{the}}{{name}} a [default|default value] of {{value:code}} in {_F}",
    f"[make|let] {{the}}{{name}} [in|of] {_F} default to {{value:code}}",
    f"{{the}}{{name}} [in|of] {_F} should default to {{value:code}}[ instead| now|]",
    f"default {{the}}{{name}} to {{value:code}} in {_F}",
    f"{{the}}[default of|default value of] {{the}}{{name}} [in|of] {_F} should be {{value:code}}",
    f"[make|use] {{value:code}} [the|as the] default [of|for] {{the}}{{name}} in {_F}",
)
_DEFAULTED_ANYWHERE = Sentences(
    "[give|set|change|make] {the}[default|default value] [of|for] {the}{name} to {value:code}",
    "[set|change] {the}default {the}{name} to {value:code}",
    "default {the}{name} to {value:code}",
    "{the}{name} [defaults to|should have the default|gets the default|has the default] {value:code}",
    "{the}{name} [=|is|should be] {value:code} [by default|as default]",
    "{the}{name} [should start|starts] [at|with|from] {value:code}",
    "[make|use] {value:code} [the|as the] default [of|for] {the}{name}",
    "[make|let] {the}{name} default to {value:code}",
    "{the}{name} should default to {value:code}",
)
_ANNOTATED = Sentences(
    f"annotate {{the}}{{name}} [in|of] {_F} [as|with|by] {{type:code}}",
    f"annotate {{the}}{{name}} [as|with] {{type:code}} in {_F}",
    f"add {{the}}[type|annotation|type annotation|type hint] {{type:code}} to {{the}}{{name}} [in|of] {_F}",
    f"add {{the}}[type|annotation|type annotation|type hint] to {{the}}{{name}} [in|of] {_F}[:|] {{type:code}}",
    f"give {{the}}{{name}} [in|of] {_F} {{the}}[type|annotation|type annotation|type hint] {{type:code}}",
)
_AS = "[as|with|to be|to|:|of|=]"
_ANNOTATED_ANYWHERE = Sentences(
    "{the}{name} [should be|is] [a|an] {type:code}{in}",
    "{the}{name} [should be|is] [typed as|annotated as|of type] {type:code}{in}",
    "[make|let] {the}{name} [a|an|be a|be an] {type:code}{in}",
    f"[annotate|type|typehint|type-hint|hint] {{the}}{{name}} [{_AS[1:-1]}|] [a|an|] {{type:code}}{{in}}",
    f"[add|put] [the|a|an|] [type-hint|type|annotation] [for|to|on] {{the}}{{name}} [{_AS[1:-1]}|] {{type:code}}{{in}}",
    "[add|put] [the|a|an|] [type-hint|type|annotation|] {type:code} [for|to|on] {the}{name}{in}",
    "give {the}{name} [the|a|an] {type:code} [type-hint|type|annotation]{in}",
    "give {the}{name} [the|a|an] [type-hint|type|annotation] {type:code}{in}",
)
_RETURNS_TYPE = Sentences(
    "{the}{function} returns [a|an|] {type:code} [add|annotate] [that|the|this|it]"
    " [annotation|type-hint|type|return type|]",
    "{the}{function} -> {type:code}",
    "{the}{function} should be typed -> {type:code}",
)
_RETURNED = Sentences(
    f"add {{the}}{{type:code}} [return type|return annotation|return type annotation|return type hint] to {_F}",
    f"add {{the}}[type hint|type annotation] {{type:code}} as {{the}}return type of {_F}",
    f"add {{type:code}} as {{the}}return type [of|to] {_F}",
    f"[set|make] {{the}}return type of {_F}[ to|] {{type:code}}",
    f"annotate {_F} [as returning|to return|with the return type] {{type:code}}",
    f"add {{the}}[return type|return annotation|return type annotation|return type hint][ of|] {{type:code}} to {_F}",
    f"give {_F} {{the}}[return type|return annotation] {{type:code}}",
    f"[make|let|have] {_F} be annotated as returning {{type:code}}",
)


def signature(text: str, source: Source) -> Codemod | None:
    """None where the sentence speaks of no signature, or of one that the file has not or has twice."""
    return next((made for kind in _KINDS if (made := kind(text, source)) is not None), None)


def _added(text: str, source: Source) -> Codemod | None:
    for told in _ADDED.read(text):
        if "new" in told.quoted and (found := signature_of(source, told["function"])):
            return with_parameter(source, found, told["new"])
    return None


def _dropped(text: str, source: Source) -> Codemod | None:
    for told in _DROPPED.read(text):
        found = signature_of(source, told["function"])
        if found and (at := found.parameter(told["name"])):
            return without_parameter(source, found, at)
    return None


def _defaulted(text: str, source: Source) -> Codemod | None:
    for told in _DEFAULTED.read(text):
        found = signature_of(source, told["function"])
        if told.is_code("value") and found and (at := found.parameter(told["name"])):
            return with_default(source, at, told["value"], told.literals.get("value"))
    for told in _DEFAULTED_ANYWHERE.read(text):
        at = default_of(source, told["name"])
        if told.is_code("value") and at is not None:
            return with_default(source, at, told["value"], told.literals.get("value"))
    return None


def _annotated(text: str, source: Source) -> Codemod | None:
    if source.language != "python":
        return None
    for told in _ANNOTATED.read(text):
        if (found := signature_of(source, told["function"])) and (at := found.parameter(told["name"])):
            return with_type(source, at, told["type"])
    for told in _ANNOTATED_ANYWHERE.read(text):
        if is_type(source, told["type"]) and (made := _typed(source, told)) is not None:
            return made
    for told in _RETURNS_TYPE.read(text):
        if is_type(source, told["type"]) and (found := signature_of(source, told["function"])):
            return with_return(source, found, told["type"], adding=True)
    for told in _RETURNED.read(text):
        if found := signature_of(source, told["function"]):
            return with_return(source, found, told["type"], adding=_ADDS.match(text) is not None)
    return None


def _typed(source: Source, told: Told) -> Codemod | None:
    """The one parameter of the name, within the place that is said, with a type where it has none."""
    at = parameter_of(source, told["name"], source.place(told.get("place")))
    if at is None and told.get("place") is None:
        return with_variable_type(source, told["name"], told["type"])
    made = None if at is None else with_type(source, at, told["type"])
    if at is None or made is None or source.syntax is None:
        return None
    reasons = []
    if at.child_by_field_name("type") is not None:
        reasons.append(f"`{told['name']}` has a type already")
    value = at.child_by_field_name("value")
    if value is not None and not fits_type(source.syntax.text(value), told["type"]):
        reasons.append("its default is of another type")
    return Codemod(made.hunks, (*made.reasons, *reasons))


_ADDS = re.compile(r"\W*(?:please\s+)?add\b", re.IGNORECASE)
_KINDS = (_added, _dropped, _defaulted, _annotated)
