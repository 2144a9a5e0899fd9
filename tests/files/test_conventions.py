"""The project's conventions, which a strong model is told."""

from __future__ import annotations

import os

from fastedit.files.conventions import MOST, conventions_near


def test_the_nearest_conventions_of_the_project_are_found_up_to_a_limit(tmp_path):
    project, inner = tmp_path / "project", tmp_path / "project" / "app" / "core"
    inner.mkdir(parents=True)
    (project / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text("not ours")
    assert conventions_near(inner / "a.py") == ""
    (project / "CLAUDE.md").write_text("Use tabs.\n")
    assert conventions_near(inner / "a.py") == "Use tabs."
    (inner / "AGENTS.md").write_text("Use four blanks.\n" * 1000)
    text = conventions_near(inner / "a.py")
    assert text.startswith("Use four blanks.")
    assert len(text) <= MOST
    assert conventions_near(inner / "a.py", inner) == text


def test_conventions_are_not_read_through_a_link_or_from_a_pipe(tmp_path):
    (tmp_path / "secret").write_text("key")
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "CLAUDE.md")
    assert conventions_near(tmp_path / "a.py") == ""
    assert conventions_near(None) == ""
