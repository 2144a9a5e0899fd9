from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_journal(tmp_path_factory, monkeypatch):
    """No test may touch the journal of whoever runs it."""
    monkeypatch.setenv("FASTEDIT_STATE", str(tmp_path_factory.mktemp("state")))
