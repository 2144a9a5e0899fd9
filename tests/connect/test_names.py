"""What a model's name stands for, and that a key goes to the server that it is for and to no other."""

from __future__ import annotations

import pytest

from fastedit import Document, EditRequest, Engine
from fastedit.connect import connect, is_remote
from fastedit.connect.names import target
from fastedit.engine.models.chat import Answered, ChatRequest, chat
from fastedit.engine.models.folder import is_address
from fastedit.errors import FasteditError, ModelUnavailable, UsageError
from tests.connect.fake import refuses
from tests.connect.test_apis import ask


def key_sent(asked) -> str | None:
    return asked.headers.get("authorization") or asked.headers.get("x-api-key")


@pytest.mark.parametrize(
    ("name", "api", "url", "model"),
    [
        ("http://h:8000#m", "openai", "http://h:8000/v1", "m"),
        ("http://h:8000/", "openai", "http://h:8000/v1", ""),
        ("http://h:8000/v2/x#m", "openai", "http://h:8000/v2/x", "m"),
        ("openai:gpt-x", "openai", "https://api.openai.com/v1", "gpt-x"),
        ("responses:gpt-x", "responses", "https://api.openai.com/v1", "gpt-x"),
        ("anthropic:claude-x", "anthropic", "https://api.anthropic.com/v1", "claude-x"),
        ("anthropic:http://h/claude#m", "anthropic", "http://h/claude/v1", "m"),
        ("anthropic:http://h/v1#m", "anthropic", "http://h/v1", "m"),
        ("responses:http://h#org/m:7b", "responses", "http://h/v1", "org/m:7b"),
        ("openai:llama3:8b", "openai", "https://api.openai.com/v1", "llama3:8b"),
    ],
)
def test_a_name_is_an_api_an_address_and_a_model(name, api, url, model):
    found = target(name)
    assert (found.api, found.url, found.model) == (api, url, model)
    assert is_remote(name)


@pytest.mark.parametrize("name", ["embedded", "small", "owner/name", "./folder", "C:\\model", "gpt-x", ""])
def test_other_names_are_not_behind_an_address(name):
    assert not is_address(name)


def test_a_name_without_its_model_says_how_to_write_it():
    with pytest.raises(UsageError, match="write openai:NAME"):
        target("openai:")


def test_the_environment_says_where_openai_is(fake, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{fake.root}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret\n")
    for name in ("openai:gpt-x", "responses:gpt-x", f"{fake.root}/v1#gpt-x"):
        ask(name)
    assert [key_sent(asked) for asked in fake.asked] == ["Bearer sk-secret"] * 3
    assert {asked.body["model"] for asked in fake.asked} == {"gpt-x"}


def test_the_environment_says_where_anthropic_is(fake, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", fake.root)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant")
    ask("anthropic:claude-x")
    assert key_sent(fake.asked[0]) == "sk-ant"


def test_a_key_is_not_sent_to_a_strange_host(fake, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant")
    for name in (fake.url, f"responses:{fake.url}", f"anthropic:{fake.url}"):
        ask(name)
    assert [key_sent(asked) for asked in fake.asked] == [None] * 3


@pytest.mark.parametrize(
    "strange",
    [
        "http://api.openai.com/v1",
        "https://api.openai.com:8443/v1",
        "https://api.openai.com.evil.example/v1",
        "https://api.openai.com@evil.example/v1",
        "https://evil.example?@api.openai.com",
        "https://evil.example/@api.openai.com/v1",
    ],
)
def test_an_address_that_looks_like_the_keys_own_does_not_get_it(strange, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert target(f"{strange}#m").key is None
    assert target("https://API.openai.com:443/v1#m").key == "sk-secret"


def test_a_redirect_is_not_followed_with_the_key(fake, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", fake.root)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    fake.always = refuses(307, "moved", Location="http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match="use the address that it points to"):
        ask("openai:m")


@pytest.mark.parametrize("key", ["sk-secret", "sk-sécret", "sk-\x07secret"])
def test_no_error_and_no_receipt_tells_a_key_or_a_password(fake, monkeypatch, key):
    monkeypatch.setenv("OPENAI_BASE_URL", fake.root)
    monkeypatch.setenv("OPENAI_API_KEY", key)
    fake.always = refuses(401, f"Incorrect API key provided: {key}")
    with pytest.raises(FasteditError, match="OPENAI_API_KEY") as caught:
        ask("openai:m")
    assert "cret" not in str(caught.value)
    with pytest.raises(ModelUnavailable) as caught:
        ask("http://me:secret@127.0.0.1:9/v1#m")
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(target("http://me:secret@127.0.0.1:9/v1#m"))


def test_a_receipt_does_not_tell_the_password_of_an_address(fake):
    name = fake.url.replace("//", "//me:secret@")
    *_, last = chat(name, ChatRequest((("user", "hello"),)))
    assert isinstance(last, Answered)
    assert last.receipt.model == fake.url
    assert fake.asked[0].headers["authorization"].startswith("Basic ")


def test_a_profile_names_a_model_its_key_and_its_patience(fake, settings, monkeypatch):
    settings.write_text(
        "silence_s = 9\n"
        f"[profiles.work]\nmodel = 'anthropic:{fake.url}'\nkey_env = 'WORK_KEY'\nfirst_token_s = 3\n"
        f"[profiles.home]\nmodel = '{fake.url}'\nkey = 'sk-home'\n"
    )
    monkeypatch.setenv("WORK_KEY", "sk-work")
    for name in ("work", "home"):
        assert is_address(name)
        ask(name)
    assert [key_sent(asked) for asked in fake.asked] == ["sk-work", "Bearer sk-home"]
    assert (target("work").first_token_s, target("work").silence_s) == (3, 9)
    fake.always = refuses(401)
    for name, place in (("work", "check WORK_KEY"), ("home", "check profiles.home.key")):
        with pytest.raises(ModelUnavailable, match=place):
            ask(name)
    monkeypatch.delenv("WORK_KEY")
    with pytest.raises(ModelUnavailable, match="set WORK_KEY"):
        ask("work")


@pytest.mark.parametrize("model", ["small", "/models/m", "other"])
def test_a_profile_is_of_a_model_behind_an_address(settings, model):
    settings.write_text(f"[profiles.work]\nmodel = '{model}'\n[profiles.other]\nmodel = 'openai:m'\n")
    with pytest.raises(UsageError, match=r"profiles\.work\.model"):
        connect("work")


def test_an_edit_is_made_by_a_profiles_model(fake, settings):
    settings.write_text(f"[profiles.work]\nmodel = '{fake.url}'\n")
    fake.always = refuses(401, "who?")
    with pytest.raises(ModelUnavailable, match=r"who\?"):
        Engine.load("work").apply(
            EditRequest(Document.from_text("x = 1\n"), "make it thread-safe", policy="model")
        )
