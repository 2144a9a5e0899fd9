from __future__ import annotations

from typing import Any

import pytest

from fastedit.errors import OperationRefused
from tests.ops.keyed import done, outcome

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


def added(package: str, constraint: str | None = None, group: str | None = None) -> dict[str, Any]:
    return {"op": "add-dependency", "package": package, "constraint": constraint, "group": group}


def removed(package: str, group: str | None = None) -> dict[str, Any]:
    return {"op": "remove-dependency", "package": package, "group": group}


@pytest.mark.parametrize(
    ("name", "operation", "old", "new"),
    [
        ("pyproject.toml", pinned("attrs", "22.1"), ">=20.1", ">=22.1"),
        ("pyproject.toml", pinned("attrs", ">=22.1,<23"), ">=20.1", ">=22.1,<23"),
        ("pyproject.toml", pinned("requests", ">=3"), ">= 2, <3 ;", ">=3 ;"),
        ("pyproject.toml", pinned("twisted", ">=24.7", "docs"), '"twisted"', '"twisted>=24.7"'),
        (
            "pyproject.toml",
            pinned("Twisted", ">=24.7", "project.dependencies"),
            "'twisted'",
            "'twisted>=24.7'",
        ),
        ("pyproject.toml", pinned("black", "25.1", "dev"), "==23.1.0", "==25.1"),
        ("pyproject.toml", added("httpx[http2]", ">=1"), '20.1",\n', '20.1",\n    "httpx[http2]>=1",\n'),
        ("pyproject.toml", added("furo", None, "docs"), '["sphinx"', '["furo", "sphinx"'),
        ("pyproject.toml", added("mypy", ">=1", "dev"), '.1.0"]', '.1.0", "mypy>=1"]'),
        ("pyproject.toml", removed("attrs"), '    "attrs>=20.1",\n', ""),
        ("pyproject.toml", removed("black"), ', "black==23.1.0"', ""),
        ("poetry.toml", pinned("httpx", "0.28"), "^0.27", "^0.28"),
        ("poetry.toml", pinned("black", ">=25", "dev"), "^23.1", ">=25"),
        ("poetry.toml", added("rich", "^13"), '["http2"] }\n', '["http2"] }\nrich = "^13"\n'),
        ("Cargo.toml", pinned("serde", "1.0.200"), "1.0.1", "1.0.200"),
        ("Cargo.toml", pinned("tokio", "1.3"), "=1.2", "=1.3"),
        ("Cargo.toml", pinned("clap", "4.1"), "^4", "^4.1"),
        ("Cargo.toml", pinned("anyhow", "2", "dev-dependencies"), '"1"', '"2"'),
        ("Cargo.toml", added("bytes", "1"), '"../x" }\n', '"../x" }\nbytes = "1"\n'),
        ("Cargo.toml", removed("tokio"), 'tokio.version = "=1.2"\ntokio.features = ["full"]\n', ""),
        ("Cargo.toml", removed("clap"), '[dependencies.clap]\nversion = "^4"\n\n', ""),
        ("package.json", pinned("a", "2.0.0"), "^1.0.0", "^2.0.0"),
        ("package.json", pinned("@types/node", "2.0"), "~1.0", "~2.0"),
        ("package.json", pinned("mocha", "^10.2.0"), ">=1 <2", "^10.2.0"),
        ("package.json", added("b", "^1"), '1.0.0",\n', '1.0.0",\n    "b": "^1",\n'),
        ("package.json", added("b", "^1", "devDependencies"), '1.0", ', '1.0", "b": "^1", '),
        ("package.json", removed("mocha"), ', "mocha": ">=1 <2"', ""),
        ("requirements.txt", pinned("attrs", "21"), "==20.1 ", "==21 "),
        ("requirements.txt", pinned("flask", "3"), ">= 2 ;", ">= 3 ;"),
        ("requirements.txt", pinned("zope-interface", "==1"), "zope.interface", "zope.interface==1"),
        ("requirements.txt", removed("attrs"), "attrs==20.1  # why\n", ""),
        ("requirements.txt", added("bar", ">1"), "x/y\n", "x/y\nbar>1\n"),
    ],
)
def test_only_what_changes_is_written(name, operation, old, new):
    text = FILES[name]
    assert text.count(old) == 1
    assert done(name, text, operation) == text.replace(old, new)
    crlf = text.replace("\n", "\r\n").rstrip()
    assert done(name, crlf, operation) == text.replace(old, new).replace("\n", "\r\n").rstrip()


def test_a_dependency_moves_by_two_operations():
    new = done("package.json", PACKAGE, removed("a"), added("a", "^1.0.0", "devDependencies"))
    assert new == PACKAGE.replace('    "a": "^1.0.0",\n', "").replace('1.0", ', '1.0", "a": "^1.0.0", ')


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
        ("pyproject.toml", added("Black", ">=1", "dev"), "`black` is there on line 16"),
        ("pyproject.toml", added("x", "1"), "1 needs an operator"),
        ("pyproject.toml", added("x", ">=1", "lint"), "group lint: is not in this file; set-key creates it"),
        ("Cargo.toml", pinned("local", "1"), "has no version constraint"),
        ("Cargo.toml", pinned("anyhow", "2"), "can mean 2 things"),
        ("package.json", pinned("c", "^2"), "has no version constraint"),
        ("package.json", added("b"), "give a constraint"),
        ("package.json", added("b", "^1", "peerDependencies"), "group peerDependencies: is not in this file"),
        ("requirements.txt", pinned("git", "==1"), "is not a plain requirement"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(name, operation, reason):
    with pytest.raises(OperationRefused) as error:
        done(name, FILES[name], operation)
    assert reason in str(error.value)


def test_requirements_with_hashes_are_refused():
    text = "a==1 \\\n    --hash=sha256:abc\nb==1\n"
    for operation in (pinned("a", "2"), removed("a"), added("c")):
        with pytest.raises(OperationRefused, match="lines that go on in the next one"):
            done("requirements.txt", text, operation)


@pytest.mark.parametrize(
    ("name", "text", "operation", "new"),
    [
        ("requirements-dev.txt", "", added("a", ">=1"), "a>=1\n"),
        ("requirements.txt", "b\nc==1\n", added("a"), "a\nb\nc==1\n"),
        ("pyproject.toml", "[project]\ndependencies = []\n", added("a"), '[project]\ndependencies = ["a"]\n'),
        ("package.json", '{"dependencies": {}}', added("a", "1"), '{"dependencies": {"a": "1"}}'),
    ],
)
def test_the_first_dependency_is_added(name, text, operation, new):
    assert done(name, text, operation) == new


def test_a_comment_above_a_dependency_of_a_list_is_said_to_stay():
    text = '[project]\ndependencies = [\n    "a",\n    # b\n    "b",\n]\n'
    _, found = outcome("pyproject.toml", text, removed("b"))
    assert found.notes == ("the comment on line 4 stays",)
