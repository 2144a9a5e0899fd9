from __future__ import annotations

from typing import Any

import pytest

from fastedit.errors import OperationRefused
from tests.ops.keys.keyed import done, refused

PYPROJECT = """\
[build-system]
requires = ["setuptools>=61"]

[project]
dependencies = [
    "attrs>=20.1",
    # why
    "Requests [socks] >= 2, <3 ; python_version < '3.9'",  # pinned
    'twisted',
]

[project.optional-dependencies]
docs = ["sphinx", "twisted"]

[dependency-groups]
dev = [{include-group = "docs"}, "black==23.1.0"]
"""
POETRY = """\
[tool.poetry.dependencies]
python = "^3.11"
httpx = { version = "^0.27", extras = ["http2"] }

[tool.poetry.group.dev.dependencies]
black = "^23.1"
"""
CARGO = """\
[dependencies]
anyhow = "1.0"
serde = { version = "1.0.1", features = ["derive"] } # s
tokio.version = "=1.2"
tokio.features = ["full"]
local = { path = "../x" }

[dependencies.clap]
version = "^4"

[dev-dependencies]
anyhow = "1"

[target.'cfg(unix)'.dependencies]
nix = "0.2"
"""
PACKAGE = """\
{
  "dependencies": {
    "a": "^1.0.0",
    "c": "workspace:*"
  },
  "devDependencies": {
    "@types/node": "~1.0", "mocha": ">=1 <2"
  }
}
"""
REQUIREMENTS = """\
# head
-r base.txt
attrs==20.1  # why
Flask[async] >= 2 ; python_version < "3.9"
zope.interface
git+https://x/y
"""
FILES = {
    "pyproject.toml": PYPROJECT,
    "poetry.toml": POETRY,
    "Cargo.toml": CARGO,
    "package.json": PACKAGE,
    "requirements.txt": REQUIREMENTS,
}


def pinned(package: str, constraint: str, group: str | None = None) -> dict[str, Any]:
    return {"op": "set-dependency", "package": package, "constraint": constraint, "group": group}


@pytest.mark.parametrize(
    ("name", "operation", "old", "new"),
    [
        ("pyproject.toml", pinned("attrs", "22.1"), ">=20.1", ">=22.1"),
        ("pyproject.toml", pinned("attrs", ">=22.1,<23"), ">=20.1", ">=22.1,<23"),
        ("pyproject.toml", pinned("requests", ">=3"), ">= 2, <3 ;", ">=3 ;"),
        ("pyproject.toml", pinned("twisted", ">=24.7", "docs"), '"twisted"', '"twisted>=24.7"'),
        ("pyproject.toml", pinned("black", "25.1", "dev"), "==23.1.0", "==25.1"),
        ("poetry.toml", pinned("httpx", "0.28"), "^0.27", "^0.28"),
        ("poetry.toml", pinned("black", ">=25", "dev"), "^23.1", ">=25"),
        ("Cargo.toml", pinned("serde", "1.0.200"), "1.0.1", "1.0.200"),
        ("Cargo.toml", pinned("tokio", "1.3"), "=1.2", "=1.3"),
        ("Cargo.toml", pinned("clap", "4.1"), "^4", "^4.1"),
        ("Cargo.toml", pinned("anyhow", "2", "dev-dependencies"), '"1"', '"2"'),
        ("package.json", pinned("a", "2.0.0"), "^1.0.0", "^2.0.0"),
        ("package.json", pinned("@types/node", "2.0"), "~1.0", "~2.0"),
        ("package.json", pinned("mocha", "^10.2.0"), ">=1 <2", "^10.2.0"),
        ("requirements.txt", pinned("attrs", "21"), "==20.1 ", "==21 "),
        ("requirements.txt", pinned("flask", "3"), ">= 2 ;", ">= 3 ;"),
        ("requirements.txt", pinned("zope-interface", "==1"), "zope.interface", "zope.interface==1"),
    ],
)
def test_only_what_changes_is_written(name, operation, old, new):
    text = FILES[name]
    assert text.count(old) == 1
    assert done(name, text, operation) == text.replace(old, new)
    crlf = text.replace("\n", "\r\n").rstrip()
    assert done(name, crlf, operation) == text.replace(old, new).replace("\n", "\r\n").rstrip()


@pytest.mark.parametrize(
    ("name", "operation", "reason"),
    [
        (
            "pyproject.toml",
            pinned("twisted", ">=24"),
            "can mean 2 things (line 9: `project.dependencies.2`; line 13:",
        ),
        (
            "pyproject.toml",
            pinned("attrs", ">=24", "docs"),
            "there is none, but line 6: `project.dependencies.0`",
        ),
        ("pyproject.toml", pinned("requests", "3"), "3 needs an operator, such as >=3"),
        ("pyproject.toml", pinned("twisted", "24", "docs"), "24 needs an operator"),
        ("pyproject.toml", pinned("black", "25.1; x"), "would not be a requirement"),
        ("pyproject.toml", pinned("black", ">=1; python_version<'3'"), "would not be a requirement"),
        ("pyproject.toml", pinned("nothing", "1"), "is not a dependency in this file"),
        ("Cargo.toml", pinned("local", "1"), "has no version constraint"),
        ("Cargo.toml", pinned("anyhow", "2"), "can mean 2 things"),
        ("package.json", pinned("c", "^2"), "has no version constraint"),
        ("requirements.txt", pinned("git", "==1"), "is not a plain requirement"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(name, operation, reason):
    assert reason in refused(name, FILES[name], operation)


def test_requirements_with_hashes_are_refused():
    text = "a==1 \\\n    --hash=sha256:abc\nb==1\n"
    with pytest.raises(OperationRefused, match="lines that go on in the next one"):
        done("requirements.txt", text, pinned("a", "2"))


def test_the_whole_name_of_a_group_wins_over_a_part_of_another():
    text = '[dependencies]\na = "1"\n\n[target.x.dependencies]\na = "1"\n'
    new = done("Cargo.toml", text, pinned("a", "2", "dependencies"))
    assert new == text.replace('"1"', '"2"', 1)
