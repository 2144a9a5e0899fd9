"""What the server can be told: by flag, by environment (`FASTEDIT_SERVE_PORT=...`) or in a TOML file, in that order."""

from __future__ import annotations

import ipaddress
import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from fastedit.config import default_model
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.draft.registry import parse
from fastedit.engine import Engine
from fastedit.engine.models.folder import is_address
from fastedit.errors import UsageError
from fastedit.model.settings import Exactness, WeightFormat
from fastedit.serve.bodies.fields import worded


class _Environment(EnvSettingsSource):
    def __call__(self) -> dict[str, Any]:
        return _left(super().__call__(), self.current_state)


class _TomlFile(TomlConfigSettingsSource):
    def __call__(self) -> dict[str, Any]:
        return _left(super().__call__(), self.current_state)


def _left(found: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """What no source before this one gives. Else pydantic would mix the tables of both."""
    return {name: value for name, value in found.items() if name not in before}


class ServerSettings(BaseSettings):
    """One running server's settings. `ServerSettings.load` is the way to make one from outside."""

    model_config = SettingsConfigDict(env_prefix="FASTEDIT_SERVE_", extra="forbid", frozen=True)

    host: str = Field(
        default="127.0.0.1", description="Address to listen on; other than loopback needs a key."
    )
    port: int = Field(default=8765, ge=0, le=65535, description="0 takes any free port.")
    model: str = Field(
        default_factory=default_model,
        description="`embedded`, a model folder, or a model at an address: docs/models.md.",
    )
    exactness: Exactness = Field(
        default="default",
        description="`bitwise`: greedy answers do not depend on drafts or on other edits to the last bit.",
    )
    weights: WeightFormat = Field(
        default="default", description="Keep the model's weights narrower, on a GPU: fp8 or int4."
    )
    drafters: dict[str, str] = Field(
        default={LOOKUP: LOOKUP},
        min_length=1,
        description="Who may draft, by the name that requests give; the first drafts where they give none.",
    )
    aliases: tuple[str, ...] = Field(
        default=("auto", "morph-v3-fast", "morph-v3-large", "relace-apply-3"),
        description="Further model names that clients of other services send; the one model answers to them.",
    )
    keys: tuple[SecretStr, ...] = Field(default=(), description="API keys; any of them opens the server.")
    cors_origins: tuple[str, ...] = Field(
        default=(), description="Web pages that may call the server: origins such as https://example.org."
    )
    suspect: Literal["refuse", "deliver"] = Field(
        default="refuse",
        description="What the drop-in surfaces, which know no status, do with a suspect result.",
    )
    workers: int = Field(default=8, ge=1, le=256, description="Edits that run at a time.")
    queue: int = Field(default=128, ge=0, description="Edits that may wait; one more is answered 429.")
    deadline_s: float = Field(default=120.0, gt=0, le=3600, description="The longest any request may take.")
    max_body_bytes: int = Field(default=8 << 20, ge=1024, description="The largest request body.")
    max_content_chars: int = Field(
        default=1_000_000, ge=1, description="The longest file, and the longest edit of one or many."
    )
    rate: float = Field(
        default=0.0, ge=0, description="Requests a second and key on average; 0 for no limit."
    )
    burst: int = Field(default=20, ge=1, description="Requests a key may make at once where there is a rate.")
    drain_s: float = Field(default=30.0, ge=0, description="How long SIGTERM waits for running edits.")
    otlp: str | None = Field(
        default=None, description="Address of an OpenTelemetry collector (OTLP over HTTP) that gets spans."
    )
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    @classmethod
    def load(cls, flags: dict[str, Any], config: Path | None = None) -> Self:
        """Flags over environment over file. Raises UsageError with one line that names what is wrong."""
        if config is not None and not config.is_file():
            raise UsageError(f"{config}: no such file; check --config")

        class Sourced(cls):  # type: ignore[valid-type, misc]  # the file is known only now
            @classmethod
            def settings_customise_sources(
                cls, settings_cls: type[BaseSettings], **sources: PydanticBaseSettingsSource
            ) -> tuple[PydanticBaseSettingsSource, ...]:
                return sources["init_settings"], _Environment(settings_cls), _TomlFile(settings_cls, config)

        try:
            settings: Self = Sourced(**flags)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            name, said = worded(first)
            if first["type"] == "extra_forbidden":
                near = get_close_matches(name, cls.model_fields, 1)
                said = f"is no setting; {f'did you mean {near[0]}?' if near else 'leave it out'}"
            raise UsageError(f"{name}: {said}" if name else said) from None
        except SettingsError as error:
            name = str(error).partition('field "')[2].partition('"')[0]
            said = 'is not JSON, as lists and tables are written: ["a", "b"], {"a": "b"}'
            raise UsageError(f"{name}: {said}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"{config}: {error}; correct the file") from None
        return settings

    def engine(self) -> Engine:
        """The engine that these settings mean. Raises UsageError for a remote model that is told how to run."""
        return Engine.load(self.model, exactness=self.exactness, weights=self.weights)

    @field_validator("otlp")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError(f"{value} is not an address; begin it with http:// or https://")
        return value

    @field_validator("cors_origins")
    @classmethod
    def _are_origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            if not re.fullmatch(r"https?://[^/\s*]+|\*", origin):
                raise ValueError(
                    f"{origin} is not an origin; write it as https://example.org, without a path"
                )
        return value

    @field_validator("drafters")
    @classmethod
    def _are_drafters(cls, value: dict[str, str]) -> dict[str, str]:
        for setting in value.values():
            try:
                parse(setting)
            except UsageError as error:
                raise ValueError(str(error)) from None
        return value

    @model_validator(mode="after")
    def _a_server_drafts_itself(self) -> Self:
        if self.drafters != {LOOKUP: LOOKUP} and is_address(self.model):
            raise ValueError("drafters: cannot be configured for a remote server; leave them out")
        return self

    @model_validator(mode="after")
    def _reachable_only_with_a_key(self) -> Self:
        if not self.keys and not self.on_loopback:
            raise ValueError(
                f"{self.host} can be reached from other machines: set FASTEDIT_SERVE_KEYS='[\"...\"]' "
                "or listen on 127.0.0.1"
            )
        if not self.keys and "*" in self.cors_origins:
            raise ValueError(
                "cors_origins: * lets every web page in; set FASTEDIT_SERVE_KEYS or name the pages"
            )
        if any(not key.get_secret_value() for key in self.keys):
            raise ValueError("an empty key would open the server to everyone")
        return self

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can connect."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False
