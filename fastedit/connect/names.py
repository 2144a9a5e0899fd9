"""Which server a model's name stands for, and whose key it may be sent."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace

from fastedit import config
from fastedit.connect.base import Api
from fastedit.connect.chat_completions import ChatCompletions
from fastedit.connect.completions import Completions
from fastedit.connect.messages import Messages
from fastedit.connect.responses import Responses
from fastedit.errors import ModelUnavailable, UsageError

APIS: dict[str, type[Api]] = {
    "openai": ChatCompletions,
    "responses": Responses,
    "anthropic": Messages,
    "completions": Completions,
}
_HTTP = ("http://", "https://")
# Where a company's models are, and the variables that give another place and the key.
_OPENAI = ("https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY")
_ANTHROPIC = ("https://api.anthropic.com/v1", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` may hold a password and is for connecting only; `shown` is for people. `model` may be empty.

    `key_name` is where a key comes from: a variable or a setting. A `company`'s own server takes nothing without one.
    """

    api: str
    url: str = field(repr=False)
    shown: str
    model: str
    key: str | None = field(repr=False)
    key_name: str
    first_token_s: float
    silence_s: float
    company: bool = False

    @property
    def lacks_key(self) -> bool:
        return self.company and not self.key

    def failure(self, said: str, way_out: str) -> ModelUnavailable:
        return ModelUnavailable(f"{self.shown}: {said}; nothing was changed: {way_out}")


def is_remote(name: str) -> bool:
    """Whether a model of this name is behind an address. Raises UsageError for a broken configuration file."""
    if name.startswith(_HTTP) or name.partition(":")[0] in APIS:
        return True
    return re.fullmatch(r"[\w-]+", name) is not None and name in config.load().profiles


def target(name: str) -> Endpoint:
    """What `API:MODEL`, an address `http://HOST/v1#MODEL`, `API:ADDRESS#MODEL` or a profile's name means.

    Raises UsageError, ModelUnavailable for an address that none can be.
    """
    known = config.load()
    profile = known.profiles.get(name)
    if profile is None:
        return _named(name, known)
    if not is_remote(profile.model) or profile.model in known.profiles:
        raise UsageError(
            f"profiles.{name}.model: {profile.model} is not an address; write one, or openai:NAME"
        )
    found = _named(profile.model, known)
    if place := profile.key_env or (profile.key and f"profiles.{name}.key"):
        key = os.environ.get(profile.key_env) if profile.key_env else profile.key
        found = replace(found, key=_key(key, place), key_name=place)
    return replace(
        found,
        first_token_s=profile.first_token_s or found.first_token_s,
        silence_s=profile.silence_s or found.silence_s,
    )


def _named(name: str, known: config.Config) -> Endpoint:
    api, _, rest = ("openai", "", name) if name.startswith(_HTTP) else name.partition(":")
    standard, base_variable, key_variable = _ANTHROPIC if api == "anthropic" else _OPENAI
    home = _with_version(os.environ.get(base_variable) or standard, api)
    address, _, model = rest.partition("#") if rest.startswith(_HTTP) else (home, "", rest)
    if not model and not rest.startswith(_HTTP):
        raise UsageError(f"{name}: names no model; write {api}:NAME")
    url = _with_version(address, api)
    # A key goes to the server that it is for and to no other.
    ours = _origin(url) == _origin(home)
    key = _key(os.environ.get(key_variable), key_variable) if ours else None
    key_name = key_variable if ours else f"{key_variable} with {base_variable}, or a profile's key_env"
    return Endpoint(
        api,
        url,
        _shown(url),
        model,
        key,
        key_name,
        known.first_token_s or config.FIRST_TOKEN_S,
        known.silence_s or config.SILENCE_S,
        url == standard,
    )


def _shown(url: str) -> str:
    """Errors reach clients, who must not learn a password in the address."""
    return re.sub(r"(?<=//)[^/]*@", "", url)


def _with_version(address: str, api: str) -> str:
    """An address as people give it, with the path that a server has its API under."""
    address = address.rstrip("/")
    path = address.partition("//")[2].partition("/")[2]
    bare = not path if api != "anthropic" else not re.search(r"(^|/)v\d+$", path)
    return f"{address}/v1" if bare else address


def _origin(url: str) -> tuple[str, str, int | None]:
    """As the client reads it: what another parser takes for the host may not be the one that gets the key."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise ModelUnavailable(f"{_shown(url)}: {error}; correct the model's address") from None
    return parsed.scheme, parsed.host, parsed.port


def _key(value: str | None, place: str) -> str | None:
    """Raises UsageError, which does not tell the key, for one that cannot be sent."""
    key = (value or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"{place}: holds characters that no key has; copy the key again")
    return key or None
