"""The configuration file: read, checked, changed one setting at a time, and private."""

from __future__ import annotations

import os

import pytest

from fastedit import config
from fastedit.config import Config, Profile
from fastedit.errors import UsageError


def test_without_a_file_there_are_defaults(settings):
    assert config.load() == Config()
    assert config.default_model() == "embedded"


def test_the_environment_goes_before_the_file_for_the_default_model(settings, monkeypatch):
    settings.write_text("model = 'openai:a'")
    assert config.default_model() == "openai:a"
    monkeypatch.setenv("FASTEDIT_MODEL", "openai:b")
    assert config.default_model() == "openai:b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("modle = 'x'", "there is no setting 'modle'; did you mean model?"),
        ("zzz = 'x'", "did you mean model, first_token_s"),
        ("model = 5", "model: is not text"),
        ("silence_s = 'soon'", "silence_s: 'soon' is not a number of seconds"),
        ("silence_s = 0", "silence_s: 0 is not a number of seconds"),
        ("silence_s = true", "silence_s: True is not a number"),
        ("silence_s = nan", "not a number of seconds"),
        ("profiles = 5", "profiles: is not a table"),
        ("[profiles.work]\nkey_env = 'X'", "set profiles.work.model first"),
        (
            "[profiles.work]\nmodel = 'x'\nkee = 'x'",
            "there is no setting 'profiles.work.kee'; did you mean profiles.work.key",
        ),
        ("[profiles.work]\nmodel = 'x'\nkey_env = 'sk-secret'", "a key itself goes to profiles.work.key"),
        ("[profiles.work]\nmodel = 'x'\nkey = ['sk-secret']", "profiles.work.key: is not text"),
        ("[profiles.small]\nmodel = 'x'", "choose a name"),
        ("[profiles.'a b']\nmodel = 'x'", "choose a name"),
        ("model = ", "Invalid value"),
        ("model = 'x'\nmodel = 'y'", "overwrite"),
    ],
)
def test_what_a_file_cannot_say_is_refused_by_name(settings, text, said):
    settings.write_text(text)
    with pytest.raises(UsageError) as caught:
        config.load()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)
    assert str(settings) in str(caught.value)


def test_a_file_that_is_no_text_is_refused(settings):
    settings.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        config.load()
    settings.unlink()
    settings.mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        config.load()


def test_one_setting_is_written_and_the_rest_of_the_file_stays(settings):
    settings.write_text("# mine\nmodel = 'openai:a'  # for now\n")
    config.put("profiles.work.model", "anthropic:b")
    config.put("profiles.work.silence_s", "5")
    config.put("model", "work")
    assert settings.read_text().startswith('# mine\nmodel = "work"  # for now\n')
    assert config.load() == Config("work", profiles={"work": Profile("anthropic:b", silence_s=5.0)})
    config.put("model", None)
    assert config.load().model is None


def test_a_setting_makes_the_file_and_its_folder_for_its_owner_alone(settings):
    settings.parent.rmdir()
    config.put("profiles.work.model", "openai:a")
    config.put("profiles.work.key", "sk-secret")
    assert settings.stat().st_mode & 0o777 == 0o600
    assert "sk-secret" not in repr(config.load())
    assert os.listdir(settings.parent) == [settings.name]


def test_what_is_no_file_is_not_written_over(monkeypatch):
    monkeypatch.setenv("FASTEDIT_CONFIG", os.devnull)
    with pytest.raises(UsageError, match="is not a file"):
        config.put("model", "openai:a")


def test_a_link_to_the_file_stays_one(settings, tmp_path):
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("")
    settings.symlink_to(kept)
    config.put("model", "openai:a")
    assert settings.is_symlink()
    assert "openai:a" in kept.read_text()


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("modle", "x", "there is no setting 'modle'; did you mean model?"),
        ("silence_s", "soon", "silence_s: 'soon' is not a number of seconds; write one above 0"),
        ("profiles.work.key_env", "X", "profiles.work: set profiles.work.model first"),
        ("profiles.work", "x", "profiles.work: set profiles.work.model first"),
        ("model.x", "y", "model.x: model is not a table"),
        ("a.b.c", "y", "there is no setting 'a'"),
        ("", "y", "there is no setting ''"),
        ("first_token_s", None, "first_token_s: is not set"),
    ],
)
def test_a_setting_that_cannot_be_is_not_written_and_the_reason_said_once(settings, key, value, said):
    settings.write_text("model = 'openai:a'\n")
    with pytest.raises(UsageError) as caught:
        config.put(key, value)
    assert str(caught.value).startswith(said)
    assert settings.read_text() == "model = 'openai:a'\n"
