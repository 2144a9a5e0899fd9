"""Files that the examples of the grammar can be carried out on."""

from __future__ import annotations

from pathlib import Path

from fastedit.source.document import Document

SETTINGS = '''\
"""Reads settings from a file."""

import functools
import json
from os.path import join, split

from store import clean


LIMIT = 20
NAMES = ["a", "b"]


class Settings(dict):  # of settings
    pass


class Store:
    size: list = []

    def load(self):
        return split(join("a", "b"))


def check(path):
    json.loads(path)


@functools.cache
def load(path, timeout: int = 2, mode=None) -> dict:
    path = clean(path)
    with lock:
        check(path)
    if timeout:
        return {}
    else:
        check(path)
    # As it is.
    print(path)
    return path


async def fetch(path):
    """Get it."""


def main():
    return load("settings.json", 3, mode=None)
'''
PACKAGE = """\
{
  "name": "settings",
  "files": [
    "index.js"
  ],
  "scripts": {
    "prepare": "npm run build"
  },
  "devDependencies": {
    "eslint": "^9.0.0"
  }
}
"""
PROJECT = """\
[project]
name = "settings"

[tool.ruff]
line-length = 79
"""
CLIENT = """\
export class Client {
  base = "";
}
"""
STYLE = """\
html {
  color: red;
  line-height: 1.15;
}

button, input {
  margin: 0;
}
"""
FILES = {
    "settings.py": SETTINGS,
    "package.json": PACKAGE,
    "pyproject.toml": PROJECT,
    "client.ts": CLIENT,
    "site.css": STYLE,
}
SAMPLES = tuple(Document.from_text(text, Path(name)) for name, text in FILES.items())
