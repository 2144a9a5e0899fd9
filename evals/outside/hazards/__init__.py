"""Sketches that mean one thing to anybody who reads them and are easily laid wrongly, made from real functions."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

from evals.outside.case import Case, same_but_for_depth, same_text
from evals.outside.hazards.sketches import DATA_MAKERS, MAKERS, File, Hazard
from evals.outside.releases import Split
from evals.outside.sources import Source
from evals.outside.sources import load as texts
from fastedit.edit.language import notation_of
from fastedit.edit.syntax import has_grammar

MOST = 4  # cases of one kind in one language
_LEAST_LINES = 30


def load(split: Split) -> list[Case]:
    """The hazards of a half: of each kind at most `MOST` a language, one of a maker a file, the same at every call."""
    rng = random.Random(f"hazards {split}")
    sources = sorted(texts(split).values(), key=lambda source: source.key)
    rng.shuffle(sources)
    made: defaultdict[tuple[str, str], list[Case]] = defaultdict(list)
    for source in sources:
        language = notation_of(Path(source.key), source.old)
        if source.old.count("\n") < _LEAST_LINES or not (has_grammar(language) or language == "yaml"):
            continue
        file = File.read(source.old, language)
        makers = MAKERS if has_grammar(language) else DATA_MAKERS
        for maker in makers:
            found = [h for h in maker(file, rng) if len(made[h.kind, language]) < MOST]
            if found:
                hazard = rng.choice(found)
                made[hazard.kind, language].append(_case(split, source, language, hazard))
    return [case for cases in made.values() for case in cases]


def _case(split: Split, source: Source, language: str, hazard: Hazard) -> Case:
    text = source.old
    ends = "\n" if text.endswith("\n") else ""
    wanted = "\n".join(hazard.wanted) + ends
    return Case(
        id=f"{hazard.kind}: {source.key}",
        suite="hazards",
        split=split,
        kind=hazard.kind,
        author="generated",
        language=language,
        path=Path(source.key).name,
        old=text if hazard.old is None else "\n".join(hazard.old) + ends,
        instruction=None,
        update="\n".join(hazard.sketch) + "\n",
        judge=same_but_for_depth(wanted) if hazard.loose else same_text(wanted),
    )
