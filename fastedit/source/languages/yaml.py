"""YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, repeat

from fastedit.source.languages.base import Keys, Language

_MOST = 1_000_000  # characters, a fifth of a second


def _error(text: str) -> str | None:
    """Of its structure and keys alone, without recursion: what its tags and anchors mean is the reader's matter."""
    import yaml  # only now: most texts are others

    if len(text) > _MOST:
        return None
    # By mapping or list that is open its keys, and whether one is next.
    around: list[tuple[set[str], Iterator[bool]]] = [(set(), repeat(False))]
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionEndEvent):
                around.pop()
            if not isinstance(event, yaml.NodeEvent):
                continue
            keys, is_key = around[-1]
            if next(is_key) and isinstance(event, yaml.ScalarEvent):
                if event.value in keys:
                    return f"the key {event.value} is there twice (line {event.start_mark.line + 1})"
                keys.add(event.value)
            if isinstance(event, yaml.CollectionStartEvent):
                around.append((set(), cycle((isinstance(event, yaml.MappingStartEvent), False))))
    except yaml.MarkedYAMLError as error:
        place = "" if error.problem_mark is None else f" (line {error.problem_mark.line + 1})"
        return f"{error.problem or error.context}{place}"
    except yaml.YAMLError as error:
        return " ".join(str(error).split())
    return None


LANGUAGE = Language(
    name="yaml",
    suffixes=(".yaml", ".yml"),
    grammar=("tree_sitter_yaml", "language"),
    error=_error,
    part=re.compile(r"(?P<level>)---(?:\s.*)?$"),  # a document
    parts_follow=True,
    comment=("#", ""),
    keys=Keys(reader="yaml:Yaml"),
    corpus_share=0.5,
)
