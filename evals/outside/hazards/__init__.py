"""Sketches that mean one thing to anybody who reads them and are easily laid wrongly, made from real functions."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

from evals.outside.case import Case, same_but_for_depth, same_text
from evals.outside.hazards.sketches import DATA_MAKERS, MAKERS, File, Hazard
from evals.outside.releases import Split
from evals.outside.sources import load as texts
from fastedit.source.languages import notation_of
from fastedit.source.syntax import has_grammar

MOST = 4  # cases of one kind in one language
_LEAST_LINES = 30


def load(split: Split) -> list[Case]:
    """The hazards of a half: of each kind at most `MOST` a language, one of a maker a file, the same at every call."""
    sources = sorted((source.key, source.old) for source in texts(split).values())
    return [_case(*made) for made in hazards_of(sources, f"hazards {split}", MOST)]


def hazards_of(files: list[tuple[str, str]], seed: str, most: int) -> list[tuple[str, str, Hazard]]:
    """Hazards of files that are given by key and text, each with those: of a kind at most `most` a language."""
    rng = random.Random(seed)
    rng.shuffle(files)
    made: defaultdict[tuple[str, str], list[tuple[str, str, Hazard]]] = defaultdict(list)
    for key, text in files:
        language = notation_of(Path(key), text)
        if text.count("\n") < _LEAST_LINES or not (has_grammar(language) or language == "yaml"):
            continue
        file = File.read(text, language)
        for maker in MAKERS if has_grammar(language) else DATA_MAKERS:
            found = [h for h in maker(file, rng) if len(made[h.kind, language]) < most]
            if found:
                hazard = rng.choice(found)
                made[hazard.kind, language].append((key, text, hazard))
    return [one for found in made.values() for one in found]


def _case(key: str, text: str, hazard: Hazard) -> Case:
    old, wanted = texts_of(text, hazard)
    return Case(
        id=f"{hazard.kind}: {key}",
        kind=hazard.kind,
        author="generated",
        language=notation_of(Path(key), text),
        path=Path(key).name,
        old=old,
        judge=same_but_for_depth(wanted) if hazard.loose else same_text(wanted),
        update="\n".join(hazard.sketch) + "\n",
    )


def texts_of(text: str, hazard: Hazard) -> tuple[str, str]:
    """A file before and after; `text` is what the hazard was made of."""
    end = "\n" if text.endswith("\n") else ""
    old = text if hazard.old is None else "\n".join(hazard.old) + end
    return old, "\n".join(hazard.wanted) + end
