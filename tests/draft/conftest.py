from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
