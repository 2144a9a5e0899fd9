from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.connect.fake import Fake, running


@pytest.fixture
def fake() -> Iterator[Fake]:
    with running() as fake:
        yield fake


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """The user's configuration file, to be written as text."""
    path = tmp_path / "settings" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("FASTEDIT_CONFIG", str(path))
    return path
