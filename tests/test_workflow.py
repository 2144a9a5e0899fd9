"""CI outside runs what the Makefile has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[1]


def test_the_workflow_calls_only_targets_that_there_are():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    called = set(jobs["python"]["strategy"]["matrix"]["target"])
    for job in jobs.values():
        for step in job["steps"]:
            called |= set(re.findall(r"make ([a-z][a-z-]*)", step.get("run", "")))
    assert {"check", "test-all", "demo", "docs", "package", "editor-test"} <= called <= targets
