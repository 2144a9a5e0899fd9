"""The shell's."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="shell",
    suffixes=(".sh", ".bash", ".zsh", ".ksh", ".bats"),
    interpreters=("sh", "bash", "dash", "zsh", "ksh"),
    editor_names=("shellscript", "console", "powershell"),
    commands=True,
    comment=("#", ""),
    paired="[]{}",  # an arm of `case` closes a bracket that nothing opens
    raw_quotes=('"', "'"),
    heredoc=re.compile(r"""(?<!<)<<-?\s*(?P<quote>["']?)\\?(?P<end>[A-Za-z_]\w*)(?P=quote)"""),
    corpus_share=0.5,
)
