"""The commands that the documentation shows do what it says."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import typer

from fastedit.cli.app import app
from fastedit.engine import Engine
from fastedit.serve.mcp.server import create_mcp
from fastedit.serve.settings import ServerSettings
from fastedit.serve.surfaces.code_apply import ApplyIn
from tests.cli.document import opened

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "server.md").read_text()
AGENTS = (ROOT / "docs" / "agents.md").read_text()
COMMANDS = re.findall(r"```sh\n(curl .*?)```", (ROOT / "README.md").read_text() + TEXT, re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[2].rsplit("/", 1)[-1])
def test_every_curl_command_succeeds(server, command):
    command = command.replace("http://127.0.0.1:8765", server.url).replace(
        "curl -s", "curl --noproxy '*' -f -s"
    )
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    if "text/event-stream" in command:
        assert ended.stdout.startswith("event: located\n")
        assert "\nevent: result\n" in ended.stdout
    else:
        assert json.loads(ended.stdout)


def test_the_settings_that_have_no_flag_are_named():
    (told,) = re.findall(r"No flag sets (.*)\.", TEXT)
    flags = typer.main.get_command(app).get_command(None, "serve").make_context("serve", []).params
    without = [name for name in ServerSettings.model_fields if name not in {"drafters", *flags}]
    assert re.findall(r"`(\w+)`", told) == without


def test_the_configuration_for_agents_starts_a_command_that_there_is():
    (text,) = re.findall(r"```json\n(.*?)```", AGENTS, re.DOTALL)
    started = json.loads(text)["mcpServers"]["fastedit"]
    group = opened(typer.main.get_command(app), started["command"])
    command = group.command.get_command(group, started["args"][0])
    assert command.make_context("mcp", started["args"][1:]).params["root"] == [Path()]


def test_the_tools_for_agents_are_documented_with_all_their_arguments(copier):
    tools = {
        tool.name: list(tool.input_schema["properties"])
        for tool in asyncio.run(create_mcp(Engine(copier.model), []).list_tools())
    }
    told = {name: text.split(", ") for name, text in re.findall(r"`(\w+)\(([\w, ]+)\)`", AGENTS)}
    for name, text in re.findall(r"^\| `(\w+)` \| (.*) \|$", AGENTS, re.MULTILINE):
        named = re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", text))
        told[name] = [*named, "force"]  # as the line above the table says
    assert {name: sorted(arguments) for name, arguments in told.items()} == {
        name: sorted(arguments) for name, arguments in tools.items()
    }


def test_every_field_of_code_apply_is_documented():
    (line,) = (line for line in TEXT.splitlines() if line.startswith("- `POST /v1/code/apply`"))
    assert not [name for name in ApplyIn.model_fields if f"`{name}`" not in line]


def test_every_setting_is_documented():
    for name in ServerSettings.model_fields:
        assert f"`{name}`" in TEXT, name


@pytest.mark.parametrize("path", ["/", "/playground", "/docs"])
def test_a_page_loads_nothing_from_another_host(server, path):
    page = server.http.get(path)
    loaded = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    policy = r"default-src 'self'; style-src 'self' 'nonce-[\w-]{22}'"
    assert re.fullmatch(policy, page.headers["content-security-policy"])
    assert server.http.get(path).headers["content-security-policy"] != page.headers["content-security-policy"]
    assert all(address.startswith("/") for address in loaded)
    assert {server.http.get(address).status_code for address in loaded} == {200}
