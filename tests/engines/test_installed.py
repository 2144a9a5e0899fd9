"""Where an engine is installed, it makes of settings, heads and our drafter what is recorded."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.engines.record.documented import ROOT
from tests.engines.test_settings import table


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["vllm", "sglang"])
def test_the_installed_release_takes_what_is_recorded(engine, tmp_path):
    if find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    command = [sys.executable, "-m", "tests.engines.record", engine, "--out", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True)
    made = json.loads((tmp_path / f"{engine}.json").read_text())
    assert made | {"version": None} == table(engine) | {"version": None}
