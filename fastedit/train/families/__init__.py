"""Families of instructions: the forms of the grammar, each with an instruction for a region and the one change that
its operation makes there."""

from fastedit.english.forms import forms
from fastedit.ops import operation_named
from fastedit.source.languages import languages
from fastedit.train.families.family import Asked, Family
from fastedit.train.families.scene import Scene

# What depends on a whole file is no change of a region.
_OF_FILES = frozenset({"package", "item"})


def _families() -> dict[str, Family]:
    found = {}
    learned = {each.name for each in languages() if each.corpus_share}
    for form in forms().values():
        spoken = tuple(sorted(operation_named(form.operation).languages & learned))
        if spoken and not form.fields & _OF_FILES:
            found[form.text] = Family(form, spoken)
    return found


FAMILIES = _families()

__all__ = ["FAMILIES", "Asked", "Family", "Scene"]
