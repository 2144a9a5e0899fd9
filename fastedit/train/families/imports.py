"""Imports that come, go and change."""

from __future__ import annotations

import re

from fastedit.edit.instruction import first_imports
from fastedit.train.change import Change, revised
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import SCRIPTS

# A whole import statement of Python's on one line.
IMPORT = re.compile(r"^(?:import\s+[\w.]+|from\s+[\w.]+\s+import\s+[^(\\]+)$")
_MODULES = (
    "os",
    "sys",
    "re",
    "json",
    "time",
    "math",
    "logging",
    "random",
    "itertools",
    "functools",
    "collections",
    "pathlib",
    "typing",
    "dataclasses",
    "asyncio",
    "threading",
    "subprocess",
    "hashlib",
    "base64",
    "shutil",
    "tempfile",
    "warnings",
    "copy",
    "uuid",
    "datetime",
    "contextlib",
    "enum",
    "abc",
    "io",
)
_SPELLED = {
    "javascript": ("import {n} from './{m}';", "const {n} = require('{m}');", "import {{ {n} }} from '{m}';"),
    "typescript": (
        "import {{ {n} }} from './{m}';",
        "import {n} from '{m}';",
        "import type {{ {n} }} from './{m}';",
    ),
    "tsx": ("import {{ {n} }} from './{m}';", "import {n} from '{m}';"),
    "rust": ("use {m}::{n};", "use crate::{m}::{n};", "use std::{n};"),
    "java": ("import {m}.{n};", "import java.util.{n};", "import static {m}.{n};"),
    "c": ("#include <{m}.h>", '#include "{m}.h"', '#include "{m}/{n}.h"'),
    "cpp": ("#include <{m}>", '#include "{m}.h"', "using {m}::{n};"),
}
_NAMES = {
    "python": re.compile(r"(?P<head>from (?P<module>[\w.]+) import )(?P<names>[\w, ]+)(?P<tail>)$"),
    "rust": re.compile(r"(?P<head>(?:pub )?use (?P<module>[\w:]+)::\{)(?P<names>[\w, ]+)(?P<tail>\};)$"),
    **dict.fromkeys(
        SCRIPTS,
        re.compile(
            r"(?P<head>import (?:type )?\{ ?)(?P<names>[\w, ]+?)(?P<tail> ?\} from ['\"](?P<module>[^'\"]+)['\"];?)$"
        ),
    ),
}


def _new_import(scene: Scene) -> str:
    if scene.language == "python":
        module = scene.rng.choice(_MODULES)
        return scene.rng.choice((f"import {module}", f"from {module} import {scene.name()}"))
    spelled = scene.rng.choice(_SPELLED[scene.language])
    return spelled.format(n=scene.name(), m=scene.name().lower())


@family(
    languages=("python", *_SPELLED),
    near=("import ", "#include ", "use ", "require("),
    anchored=False,
)
def add_import(scene: Scene) -> tuple[Parts, Change] | None:
    lines = scene.lines
    imports = first_imports(lines)
    if not imports:
        return None
    last, new = lines[imports[-1]], _new_import(scene)
    whole = IMPORT.match(last) if scene.language == "python" else last.rstrip().endswith((";", ">", '"', "'"))
    if not whole or new in lines or last != last.lstrip():
        return None
    plain = re.fullmatch(r"import [\w.]+|from [\w.]+ import \w+", new) and scene.chance(0.3)
    return {"a": new if plain else f"`{new}`"}, revised(lines, insert={imports.stop: [new]})


@family(
    languages=("python", "java"),
    near=("import ",),
)
def remove_import(scene: Scene) -> tuple[Parts, Change] | None:
    pattern = re.compile(r"import (?P<module>[\w.]+);?$|from (?P<source>[\w.]+) import (?P<name>\w+)$")
    found = scene.matches(pattern)
    picked = scene.pick(found)
    if picked is None or len(scene.lines) < 3:
        return None
    at, match = picked
    name = match["module"] or match["name"]
    said = name.rsplit(".", 1)[-1] if scene.language == "java" and scene.chance(0.5) else name
    alike = [m for _, m in found if said in (m["name"], m["module"], (m["module"] or "").rsplit(".", 1)[-1])]
    if len(alike) != 1:
        return None
    return {"m": scene.quoted(said)}, revised(scene.lines, drop={at})


@family(
    languages=tuple(_NAMES),
    near=("from ", "import {", "::{"),
)
def add_imported_name(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _imported(scene)
    if picked is None:
        return None
    at, match = picked
    new = scene.name()
    put = f"{match['head']}{match['names'].rstrip()}, {new}{match['tail']}"
    return {"n": scene.quoted(new), "m": scene.quoted(match["module"])}, revised(scene.lines, {at: put})


def _imported(scene: Scene) -> tuple[int, re.Match[str]] | None:
    """A line that imports names from a module that no other line imports from."""
    pattern = _NAMES[scene.language]
    found = scene.matches(pattern)
    found = [(i, m) for i, m in found if not m["names"].rstrip().endswith(",") and " as " not in m["names"]]
    return scene.pick([(i, m) for i, m in found if sum(n["module"] == m["module"] for _, n in found) == 1])


@family(
    languages=tuple(_NAMES),
    near=("from ", "import {", "::{"),
)
def remove_imported_name(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _imported(scene)
    if picked is None:
        return None
    at, match = picked
    names = [name.strip() for name in match["names"].split(",")]
    if len(names) < 2 or not all(names) or any(" " in name for name in names):
        return None
    gone = scene.rng.choice(names)
    put = match["head"] + ", ".join(name for name in names if name != gone) + match["tail"]
    return {"n": scene.quoted(gone), "m": scene.quoted(match["module"])}, revised(scene.lines, {at: put})


@family(
    languages=tuple(_NAMES),
    near=("from ", "import {", "::{"),
)
def change_import(scene: Scene) -> tuple[Parts, Change] | None:
    picked = _imported(scene)
    if picked is None:
        return None
    at, match = picked
    glue = {"python": ".", "rust": "::"}.get(scene.language, "/")
    new = (
        glue.join((scene.name().lower(), scene.name().lower())) if scene.chance(0.5) else scene.name().lower()
    )
    line = scene.lines[at]
    put = line[: match.start("module")] + new + line[match.end("module") :]
    return {"a": scene.quoted(match["module"]), "b": scene.quoted(new)}, revised(scene.lines, {at: put})
