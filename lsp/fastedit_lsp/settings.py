"""What a client sets once, in its initialization options."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import Any, get_args
from urllib.parse import urlsplit

from fastedit.errors import UsageError
from fastedit.request import Policy


@dataclass(frozen=True, slots=True)
class ClientSettings:
    """`model` is `embedded` or a model's folder. With a `server_url` edits run on that server instead of here. A client
    that `asks` has a command `fastedit.operation`, which has the person fill in an operation."""

    model: str = "embedded"
    server_url: str = ""
    api_key: str = ""
    policy: Policy = "auto"
    asks: bool = False

    def updated(self, options: Any) -> ClientSettings:
        """These settings with the client's `model`, `serverUrl`, `apiKey`, `policy` and `asks`. Raises UsageError."""
        if options is None:
            return self
        if not isinstance(options, dict):
            raise UsageError("initialization options must be an object; see docs/editors.md for its fields")
        names = {_camel(field.name): field.name for field in fields(self)}
        for name, value in options.items():
            if name not in names:
                raise UsageError(f"unknown option {name!r}; there are {', '.join(names)}")
            kind = type(getattr(self, names[name]))
            if not isinstance(value, kind):
                raise UsageError(f"option {name!r} must be {'true or false' if kind is bool else 'a string'}")
        chosen = {names[name]: value for name, value in options.items() if value}
        settings = replace(self, **chosen)
        settings.check()
        return settings

    def check(self) -> None:
        """Raises UsageError where a value is none of those there are."""
        if self.policy not in get_args(Policy):
            raise UsageError(f"policy {self.policy!r}: choose one of {', '.join(get_args(Policy))}")
        try:
            scheme = urlsplit(self.server_url or "http:").scheme
        except ValueError:
            scheme = ""
        if scheme not in ("http", "https"):
            raise UsageError(f"server {self.server_url!r}: is not an http:// or https:// address")

    @property
    def key(self) -> str:
        """The server's key; `FASTEDIT_API_KEY` keeps it out of configuration files."""
        return self.api_key or os.environ.get("FASTEDIT_API_KEY", "")


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
