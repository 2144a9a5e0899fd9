"""Families of instructions: forms of the grammar, each with an instruction for a region and the one change that its
operation makes there."""

from fastedit.english.forms import forms
from fastedit.ops import operation_named
from fastedit.source.languages import languages
from fastedit.train.families.family import AskedChange, Family, Scene
from fastedit.train.families.wording import commands


def _families() -> dict[str, Family]:
    learned, known = {each.name for each in languages() if each.corpus_share}, forms()
    return {
        text: Family(known[text], tuple(sorted(operation_named(known[text].operation).languages & learned)))
        for text in commands()
    }


FAMILIES = _families()

__all__ = ["FAMILIES", "AskedChange", "Family", "Scene"]
