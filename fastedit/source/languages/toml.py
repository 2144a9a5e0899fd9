"""TOML."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Keys, Language


def _error(text: str) -> str | None:
    import tomllib  # only now: most texts are others

    try:
        tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


LANGUAGE = Language(
    name="toml",
    suffixes=(".toml",),
    grammar=("tree_sitter_toml", "language"),
    error=_error,
    # One of an array of tables has no name of its own.
    part=re.compile(r"(?P<level>)\[(?:\[[\w.\-\"' ]+\]|(?P<name>[\w.\-\"' ]+))\]\s*(?:#.*)?$"),
    parts_follow=True,
    comment=("#", ""),
    keys=Keys(
        reader="toml:Toml",
        dependencies=(
            "project.dependencies.#",
            "tool.poetry.dependencies.=",
            "dependencies.=",
            "project.optional-dependencies.*.#",
            "dependency-groups.*.#",
            "build-system.requires.#",
            "tool.uv.dev-dependencies.#",
            "tool.poetry.dev-dependencies.=",
            "tool.poetry.group.*.dependencies.=",
            "dev-dependencies.=",
            "build-dependencies.=",
            "workspace.dependencies.=",
            "target.*.dependencies.=",
        ),
        folds_names=True,  # PEP 503, which fits Cargo's crates too
    ),
    corpus_share=0.25,
)
