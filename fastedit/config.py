"""The user's configuration file: the default model, how long a server may be silent, and profiles of models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fastedit.errors import UsageError

_RESERVED = ("embedded", "nano", "small")
_SECONDS = ("first_token_s", "silence_s")
FIRST_TOKEN_S, SILENCE_S = 120.0, 60.0


@dataclass(frozen=True, slots=True)
class Profile:
    """A model behind an address. `key` is the key itself, `key_env` the environment variable that holds it."""

    model: str
    key_env: str | None = None
    key: str | None = field(default=None, repr=False)
    first_token_s: float | None = None
    silence_s: float | None = None


@dataclass(frozen=True, slots=True)
class Config:
    """None is what the file leaves open. Seconds are how long a server may take to begin an answer, and how long it may
    be silent within one."""

    model: str | None = None
    first_token_s: float | None = None
    silence_s: float | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)


def config_path() -> Path:
    """`FASTEDIT_CONFIG`, else the file in the platform's place."""
    if path := os.environ.get("FASTEDIT_CONFIG"):
        return Path(path)
    import platformdirs

    return Path(platformdirs.user_config_dir("fastedit", appauthor=False)) / "config.toml"


def load() -> Config:
    """The file's settings, the defaults where there is none. Raises UsageError for one that cannot be read."""
    path = config_path()
    try:
        return _parsed(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Config()
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"{path}: cannot be read ({reason}); correct the file or set FASTEDIT_CONFIG"
        ) from None


def default_model() -> str:
    """The model where nobody names one: `FASTEDIT_MODEL`, the file's, or the embedded one. Raises UsageError."""
    return os.environ.get("FASTEDIT_MODEL") or load().model or "embedded"


def put(key: str, value: str | None) -> None:
    """Writes one setting, such as `profiles.work.model`, and leaves the rest of the file alone; None removes it.

    The file is its owner's alone, since it may hold keys. Raises UsageError for a setting that there is not or a value
    that it cannot have; then nothing is written.
    """
    import tomlkit

    path = config_path().resolve()  # where the file is a link, what it leads to is replaced
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: is not a file; set FASTEDIT_CONFIG to one")
    load()
    document = tomlkit.parse(path.read_text("utf-8") if path.exists() else "")
    *tables, name = key.split(".")
    table: Any = document
    for part in tables:
        if not isinstance(table.setdefault(part, tomlkit.table(is_super_table=part == "profiles")), dict):
            raise UsageError(f"{key}: {part} is not a table; `fastedit config` shows what there is")
        table = table[part]
    if value is not None:
        table[name] = _number(value) if name in _SECONDS else value
    elif name in table:
        del table[name]
    else:
        raise UsageError(f"{key}: is not set; `fastedit config` shows what is")
    text = tomlkit.dumps(document)
    _parsed(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}; set FASTEDIT_CONFIG to another file") from None


def _parsed(text: str) -> Config:
    import tomllib

    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{error}; correct the file") from None
    profiles = given.pop("profiles", {})
    if not isinstance(profiles, dict):
        raise UsageError("profiles: is not a table; write [profiles.NAME]")
    made = {name: _profile(name, values) for name, values in profiles.items()}
    return Config(**_checked(Config, given, ""), profiles=made)


def _profile(name: str, values: Any) -> Profile:
    at = f"profiles.{name}"
    if name in _RESERVED or not name.replace("-", "").replace("_", "").isalnum():
        raise UsageError(f"{at}: choose a name of letters and digits other than {', '.join(_RESERVED)}")
    if not isinstance(values, dict) or "model" not in values:
        raise UsageError(f"{at}: set {at}.model first, to an address or to openai:NAME or the like")
    return Profile(**_checked(Profile, values, f"{at}."))


def _checked(kind: type, given: dict[str, Any], at: str) -> dict[str, Any]:
    """Raises UsageError for a name that `kind` does not have and for a value of another type."""
    known = [field.name for field in fields(kind)]
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, 1) or [", ".join(known)]
            raise UsageError(f"there is no setting {at + name!r}; did you mean {at}{near[0]}?")
        if name in _SECONDS and not (type(value) in (int, float) and 0 < value < 86_400):
            raise UsageError(f"{at}{name}: {value!r} is not a number of seconds; write one above 0")
        # What stands in place of these may be a key: it is not told.
        if name not in _SECONDS and not (isinstance(value, str) and value):
            raise UsageError(f"{at}{name}: is not text; put it in quotes")
        if name == "key_env" and not value.isidentifier():
            raise UsageError(f"{at}key_env: is not a variable's name; a key itself goes to {at}key")
    return given


def _number(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:
        return value
