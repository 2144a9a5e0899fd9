"""INI: sections of options, as configparser, EditorConfig and systemd read them."""

from __future__ import annotations

import re

from fastedit.source.languages.base import Language

LANGUAGE = Language(
    name="ini",
    suffixes=(".ini", ".cfg", ".editorconfig", ".service", ".desktop"),
    file_name=re.compile(r"\.(?:editorconfig|gitconfig|npmrc|flake8|coveragerc|pylintrc)"),
    part=re.compile(r"(?P<level>)\[(?P<name>[^\]]+)\]\s*$"),
    parts_follow=True,
    comment=("#", ""),
)
