"""Files that hold data: whether a text is valid JSON, TOML or YAML. Their parsers are imported when first asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_MOST_YAML = 1_000_000  # characters, a fifth of a second


class Format(NamedTuple):
    """`error` says what is wrong with a text, and None where it is valid."""

    name: str
    error: Callable[[str], str | None]


def data_format(path: Path | None, text: str) -> Format | None:
    """What a file of this name holds; without a name, JSON where it begins like an object or a list."""
    if path is None:
        return _JSON if text.lstrip()[:1] in ("{", "[") else None
    return _BY_SUFFIX.get(path.suffix.lower())


def _json_error(text: str) -> str | None:
    import json

    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"{error.msg} (line {error.lineno})"
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _json_lines_error(text: str) -> str | None:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and (error := _json_error(line)) is not None:
            return error.replace("(line 1)", f"(line {number})")
    return None


def _toml_error(text: str) -> str | None:
    import tomllib

    try:
        tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _yaml_error(text: str) -> str | None:
    """Of its structure alone, without recursion: what its tags and anchors mean is the reader's matter."""
    import yaml

    if len(text) > _MOST_YAML:
        return None
    try:
        for _ in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    except yaml.MarkedYAMLError as error:
        place = "" if error.problem_mark is None else f" (line {error.problem_mark.line + 1})"
        return f"{error.problem or error.context}{place}"
    except yaml.YAMLError as error:
        return " ".join(str(error).split())
    return None


_JSON = Format("JSON", _json_error)
_BY_SUFFIX = {
    **dict.fromkeys((".json", ".ipynb", ".geojson", ".webmanifest"), _JSON),
    **dict.fromkeys((".jsonl", ".ndjson"), Format("JSON", _json_lines_error)),
    ".toml": Format("TOML", _toml_error),
    **dict.fromkeys((".yaml", ".yml"), Format("YAML", _yaml_error)),
}
