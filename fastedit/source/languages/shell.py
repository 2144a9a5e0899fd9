"""The shell's."""

from __future__ import annotations

from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="shell",
    suffixes=(".sh", ".bash"),
    interpreters=("sh", "bash", "dash", "zsh", "ksh"),
    editor_names=("shellscript", "console", "powershell"),
    commands=True,
    comment=("#", ""),
    corpus_share=0.5,
)
