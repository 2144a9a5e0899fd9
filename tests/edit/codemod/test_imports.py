"""Imports that come, go and change, in whatever words and with or without quotes."""

from __future__ import annotations

import pytest

from .reading import doubted, surely

SOURCE = """\
import json
import os
from typing import Any, Iterator
from app.models import User, Group

LIMIT = 10


def load(path: Any) -> Iterator[User]:
    return json.loads(path), Group
"""
_LAST = "from app.models import User, Group\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "want from re import compile in here too, next to the other imports but last",
            "from re import compile",
        ),
        ("new import: import random.", "import random"),
        ("there should be an extra import line, from math import pi", "from math import pi"),
        ("imports: + from dataclasses import dataclass", "from dataclasses import dataclass"),
        ("the following import is missing: `import shutil`", "import shutil"),
        ("there's no `import enum` yet, add one", "import enum"),
        ("it won't run without import time", "import time"),
        ("throw in `import abc` along with the other imports", "import abc"),
        ("drop `import asyncio` in below the other imports", "import asyncio"),
        ("pull in from uuid import uuid4 too", "from uuid import uuid4"),
        ("the import section lacks `import csv`", "import csv"),
    ],
)
def test_an_import_is_added_whether_it_is_quoted_or_not(text, line):
    assert surely(text, SOURCE, "python") == SOURCE.replace(_LAST, f"{_LAST}{line}\n")


@pytest.mark.parametrize(
    "text",
    [
        "why is `os` imported, remove that",
        "unused import: os",
        "- import of `os`",
        "importing os is no longer necessary",
        "the `os` import should go",
        "the statement importing 'os' has to go",
        "os was left behind in the imports, take it out",
        "imports: drop os",
        "the linter says the import of `os` is unused, so it can go",
        "do not import os",
        "unimport os",
        "needless import of os",
        "free the file of the `os` import",
        "the import of os is dead weight, out with it",
        "could the import of `os` be removed?",
        "flake8 says `os` is imported but unused",
    ],
)
def test_an_unused_import_goes_in_whatever_way_it_is_said(text):
    assert surely(text, SOURCE, "python") == SOURCE.replace("import os\n", "")


@pytest.mark.parametrize(
    "text",
    [
        "take `Field` from `app.models` along with the others",
        "grab Field from `app.models` too while we're at it",
        "`Field` must be part of the import from app.models",
        "also grab Field out of app.models",
        "when importing from `app.models`, also take `Field`",
        "pull in `Field` from 'app.models' as well",
        "throw `Field` into the import from app.models",
        "the import from app.models lacks `Field`",
        "'app.models' import: add Field",
        "from app.models: + `Field`",
        "besides the current names, `app.models` should give us `Field`",
        "make the import from `app.models` bring in `Field` as well",
        "we need `Field` from app.models",
        "`Field` has to come from `app.models`",
        "have Field imported from `app.models`",
        "make `Field` available from `app.models`",
        "`Field` is needed as well from `app.models`",
        "while importing from `app.models`, get Field too",
        "from `app.models`, import Field in addition",
        "could `Field` be imported from `app.models` as well?",
        "we also need to import `Field`, which lives in `app.models`",
    ],
)
def test_a_name_joins_those_that_are_imported(text):
    assert surely(text, SOURCE, "python") == SOURCE.replace("User, Group", "User, Group, Field", 1)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("everything imported from app.models now lives in `app.core`, change the import", "app.core"),
        ("`app.core` is the right module to import from, `app.models` is wrong", "app.core"),
        ("`app.models` is the wrong module to import from, `app.core` is right", "app.core"),
        ("the source of the import should be `app.core` and not app.models", "app.core"),
        ("`app.core` should replace `app.models` in the import", "app.core"),
        ("in the import line, `app.models` should be `app.core`", "app.core"),
        ("keep the imported names but change the module from app.models to core", "core"),
        ("same names, but imported from core instead of `app.models`", "core"),
        ("app.models -> core in the import", "core"),
        ("`app.core` is where we should import from, not `app.models`", "app.core"),
        ("make the `app.models` import a `app.core` import", "app.core"),
        ("the `app.models` import has to read `core`", "core"),
        ("the names from `app.models` should come from `app.core`", "app.core"),
        ("the module `app.models` is called `core` now, update the import", "core"),
        ("'app.models' moved to core, fix the import", "core"),
        ("review comment: `app.models` is the wrong module, we should import from `app.core`", "app.core"),
        ("point the import of `app.models` at `app.core`", "app.core"),
        ("take these from `app.core`, not from `app.models`", "app.core"),
        ("our import of `app.models` is outdated, the module is `core` now", "core"),
        ("the things imported from `app.models` live in core now", "core"),
    ],
)
def test_names_are_imported_from_another_module(text, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace("app.models", new)


@pytest.mark.parametrize(
    "text",
    [
        "from typing: `Any` not needed",
        "typing import: - Any",
        "don't pull `Any` in from typing",
        "leave Any out of the import from `typing`",
        "`Any` can go from the import from typing",
        "skip `Any` when importing from typing",
        "shorten the typing import by `Any`",
        "Any from typing is unused, remove it from the import",
    ],
)
def test_a_name_that_is_still_used_goes_from_an_import_with_a_doubt(text):
    assert doubted(text, SOURCE, "python")
    assert surely(text, SOURCE.replace("path: Any", "path"), "python") == SOURCE.replace(
        "path: Any", "path"
    ).replace("Any, ", "")


@pytest.mark.parametrize(
    "text",
    [
        "do not import random",
        "never import `random`",
        "stop importing random",
        "don't throw in `import random`",
        "do not drop the import of os",
        "the import of `os` should stay",
        "import os goes to the top",
        "import random only if os is there",
        "don't take `Field` from app.models",
        "is `Field` imported from app.models?",
        "use `Field` from app.models",
        "`app.models` should not be replaced by `app.core` in the import",
        "import random instead of os in load",
        "never unimport os",
        "don't free the file of the `os` import",
        "feel free to use the import of os",
        "do not skip `Any` when importing from typing",
        "`Field` should not come from `app.models`",
        "the names from `app.models` should not come from `app.core`",
        "no need to remove the import of `os`",
        "the linter says not to remove the import of `os`",
        "do not point the import of `app.models` at `app.core`",
        "the import of `app.models` is not outdated, the module is `app.core` now",
        "take `Field` from `app.core` and `app.models`",
        "do not import `Field`, which lives in `app.models`",
    ],
)
def test_what_forbids_or_limits_an_import_is_left_to_the_model(text):
    assert doubted(text, SOURCE, "python")
