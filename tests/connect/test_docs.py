"""docs/models.md names every setting, variable and API that there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from fastedit import config
from fastedit.connect import names
from tests.connect.conftest import settings

__all__ = ["settings"]

TEXT = (
    (Path(__file__).parents[2] / "docs" / "models.md")
    .read_text()
    .split("\n## Connections\n")[1]
    .split("\n## ")[0]
)


def test_every_setting_variable_and_api_is_documented():
    known = {field.name for kind in (config.Config, config.Profile) for field in fields(kind)}
    known |= {f"{api}:NAME" for api in names.APIS} | {*names._OPENAI[1:], *names._ANTHROPIC[1:]}
    assert [name for name in sorted(known) if name not in TEXT] == []


def test_the_file_that_is_shown_can_be_read(settings):
    settings.write_text(re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)[0])
    assert config.load().profiles["work"].key_env == "WORK_KEY"


@pytest.mark.parametrize("name", re.findall(r"--model (\S+:\S+)", TEXT))
def test_every_name_that_is_shown_is_one(name):
    assert names.target(name).model
