"""`turn darkMode on`, `disable the cache`: a flag that is set to the other of its two values."""

from __future__ import annotations

import re

from fastedit.edit.codemod.assign import place_of, values
from fastedit.edit.codemod.keys import DATA, keys
from fastedit.edit.codemod.parameters import default_of
from fastedit.edit.codemod.sentence import Sentences
from fastedit.edit.codemod.source import Codemod, Source
from fastedit.edit.hunks import Hunk
from fastedit.edit.request import LineRange

_KIND = "[flag|option|setting|feature|switch|]"
_SENTENCES = Sentences(
    f"[turn|switch] {{state=on|off}} {{the}}{{name}} {_KIND}{{in}}",
    f"[turn|switch|set] {{the}}{{name}} {_KIND} {{state=on|off}}{{in}}",
    f"[turn|switch|set|change] {{the}}{{name}} {_KIND} to {{state=on|off}}{{in}}",
    f"{{state=enable|disable|activate|deactivate}} {{the}}{{name}} {_KIND}{{in}}",
    f"{{the}}{{name}} {_KIND} should be [turned |switched |set to |]{{state=on|off|enabled|disabled}}{{in}}",
    f"{{state=flip|toggle}} {{the}}{{name}} {_KIND}{{in}}",
)
_DEFAULT = Sentences(
    f"{{the}}{{name}} {_KIND} should be {{state=on|off|enabled|disabled|true|false}} by default{{in}}",
    f"[turn|switch] {{the}}{{name}} {_KIND} {{state=on|off}} by default{{in}}",
    f"{{state=enable|disable}} {{the}}{{name}} {_KIND} by default{{in}}",
)
_ON = frozenset({"on", "enable", "enabled", "activate", "true"})
_OTHER = {"true": "false", "false": "true", "True": "False", "False": "True"}


def flag(text: str, source: Source) -> Codemod | None:
    """None where the name has no truth value, several, or this one already."""
    for sentences, default in ((_SENTENCES, False), (_DEFAULT, True)):
        for told in sentences.read(text):
            place = place_of(source, told.get("place"))
            if place is None:
                return None
            if source.language in DATA:
                return _key_switched(source, told["name"], told["state"].lower(), place)
            return _switched(source, told["name"], told["state"].lower(), place, default)
    return None


def _switched(source: Source, name: str, state: str, place: LineRange, default: bool) -> Codemod | None:
    if source.syntax is None or _passed(source, name, place):
        return None
    given, parameter = list(values(source, name, place)), default_of(source, name)
    of_parameter = None
    if parameter is not None and place.start <= parameter.start_point.row < place.stop:
        of_parameter = parameter.child_by_field_name("value") or parameter.child_by_field_name("right")
    nodes = [*given, *((of_parameter,) if of_parameter is not None else ())]
    new = _turned(source.syntax.text(nodes[0]), state) if len(nodes) == 1 else None
    if new is None:
        return None
    reasons = () if given or default else ("whether its default is meant is left open",)
    return Codemod((source.over(nodes[0], new),), reasons)


def _key_switched(source: Source, name: str, state: str, place: LineRange) -> Codemod | None:
    found = keys(source, name, place)
    if len(found) != 1:
        return None
    key, match = found[0], found[0].match
    quote = key.value[:1] if key.value[:1] in ("'", '"') else ""
    new = _turned(key.value.strip(quote) if quote else key.value, state)
    if new is None:
        return None
    return Codemod((Hunk(key.row, key.row + 1, (f"{match['head']}{quote}{new}{quote}{match['tail']}",)),))


def _turned(old: str, state: str) -> str | None:
    """The other truth value, where that is what is asked for."""
    on = old.lower() == "true"
    asked = state in ("flip", "toggle") or (state in _ON) != on
    return _OTHER.get(old) if asked else None


def _passed(source: Source, name: str, place: LineRange) -> bool:
    """Whether a call passes a truth value by the name, so that it may be meant."""
    if source.syntax is None or source.language != "python":
        return False
    return any(
        place.start <= node.start_point.row < place.stop
        and re.fullmatch(rf"{re.escape(name)}\s*=\s*(?:True|False)", source.syntax.text(node))
        for node in source.syntax.find("(keyword_argument) @found")
    )
