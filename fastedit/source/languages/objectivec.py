"""Objective-C, of which nothing is known but that it is neither C nor C++, whose suffix its headers have."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="objectivec",
    suffixes=(".h",),
    signs=re.compile(r"^[^\S\n]*+@(?:import|interface|protocol|class|property|end)\b", re.MULTILINE),
    open_parameters=True,
)
