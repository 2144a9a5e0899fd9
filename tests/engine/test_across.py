"""What files of one change take from each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.changes.across import hold_back
from fastedit.engine.changes.change import ChangeResult
from fastedit.engine.changes.file_change import FileChange
from fastedit.source.document import Document

STORE = "MOST = 10\n\n\ndef load(path):\n    return path\n"
# The file that gives a name and its text, the file that takes it, its text, and what is said of it.
JS, GO, RS = "export function load() {}\n", "package store\n\nfunc Load() {}\n", "pub fn load() {}\n"
MODULE, PACKAGE = "module.exports = { load };\n", "package com.x;\n\nclass load {}\n"
LOST = [
    ("store.py", STORE, "app.py", "import store\n\nstore.load(1)\n", "uses load"),
    ("a/store.py", STORE, "app.py", "import a.store\n\na.store.load(1)\n", "uses load"),
    ("a/store.py", STORE, "app.py", "from a import store as s\n\ns.load(1)\n", "uses load"),
    ("src/store.js", JS, "src/app.js", 'import { load as l } from "./store.js";\n', "imports load"),
    ("store/index.ts", JS, "app.tsx", 'import { load } from "./store";\n', "imports load"),
    ("store.js", JS, "app.js", 'import * as s from "./store";\ns.load();\n', "uses load"),
    ("store.js", JS.replace(" f", " default f"), "app.js", 'import run from "./store";\n', "imports default"),
    (
        "store.js",
        f"function load() {{}}\n{MODULE}",
        "app.js",
        'const { load } = require("./store");\n',
        "imports load",
    ),
    ("store.js", JS, "index.js", 'export { load } from "./store";\n', "imports load"),
    (
        "s/s.go",
        GO,
        "main.go",
        'package main\n\nimport "ex.com/m/s"\n\nfunc main() { s.Load() }\n',
        "uses Load",
    ),
    ("s/s.go", GO, "main.go", 'package main\n\nimport t "ex.com/m/s"\n\nvar x t.Load\n', "uses Load"),
    ("s/s.go", GO.lower(), "s/use.go", "package store\n\nfunc use() { load() }\n", "uses load"),
    ("src/store.rs", RS, "src/main.rs", "mod store;\nuse crate::store::{load, self};\n", "imports load"),
    ("src/store/mod.rs", RS, "src/main.rs", "mod store;\n\nfn main() { store::load() }\n", "uses load"),
    ("src/store.rs", RS, "src/app.rs", "use super::store::*;\n\nfn main() { load() }\n", "uses load"),
    ("src/store.rs", "pub struct load;\n", "src/app.rs", "use super::store::load;\n", "imports load"),
    ("com/x/S.java", PACKAGE, "com/y/A.java", "import com.x.load;\n\nclass A {}\n", "imports load"),
    ("com/x/S.java", PACKAGE, "com/x/A.java", "package com.x;\n\nclass A { load it; }\n", "uses load"),
]


def held(files: dict[str, str], after: dict[str, str | None]) -> list[str]:
    """Why a change is held back that gives files these texts."""
    documents = {path: Document.from_text(text, Path(path)) for path, text in files.items()}
    changes = []
    for path, text in after.items():
        new = None if text is None else Document.from_text(text, Path(path))
        old = documents.get(path)
        changes.append(FileChange(path if old else None, path if new else None, old, new))
    result = ChangeResult((), tuple(changes))
    hold_back(result, documents)
    return [reason for change in result.files for reason in change.reasons]


@pytest.mark.parametrize(("giver", "gives", "taker", "takes", "said"), LOST)
def test_a_name_that_another_file_takes_cannot_go(giver, gives, taker, takes, said):
    files, name = {giver: gives, taker: takes}, said.split()[-1]
    kept = {giver: gives.replace(name, "gone" if name != "default" else "")}
    (reason,) = held(files, kept)
    assert reason == f"{taker} {said} from {giver}, which does not have it"
    both = kept | {taker: takes.replace(name, "gone")}
    assert name == "default" or held(files, both) == []
    assert held(files, {giver: gives + "\n"}) == []


@pytest.mark.parametrize(
    ("giver", "gives", "taker", "takes", "said"),
    [
        ("store.py", STORE, "app.py", "import store\n\nstore.LEAST\n", "uses LEAST"),
        ("b.ts", "export const a = 1;\n", "c.ts", 'import { d } from "./b";\n', "imports d"),
        ("b.ts", "export const a = 1;\n", "c.ts", 'import b from "./b";\n', "imports default"),
        ("src/b.rs", "fn a() {}\n", "src/lib.rs", "use crate::b::d;\n", "imports d"),
    ],
)
def test_a_name_that_another_file_never_had_cannot_be_taken(giver, gives, taker, takes, said):
    files = {giver: gives, taker: ""}
    assert held(files, {taker: takes}) == [f"{taker} {said} from {giver}, which does not have it"]
    assert held(files | {taker: takes}, {taker: f"{takes}\n"}) == []  # nor could it be before


@pytest.mark.parametrize(
    ("files", "path", "text"),
    [
        ({"store.py": STORE}, "app.py", "import store\n\nprint(store.__name__, store.__dict__)\n"),
        ({"store.py": STORE}, "app.py", "import store\n\n\ndef main(store):\n    store.close()\n"),
        ({"store.py": STORE}, "app.py", "import store\n\nstore = store.load(1)\nstore.close()\n"),
        ({"a/__init__.py": ""}, "app.py", "import a\n\na.other.load(1)\n"),
        ({"a/abc.py": STORE}, "app.py", "from abc import ABC\n"),
        ({"store.css": "a {}\n"}, "c.ts", 'import { d } from "./store";\n'),
        ({"b.ts": 'export * from "./z";\n'}, "c.ts", 'import { d } from "./b";\n'),
        ({"b.js": "exports.d = 1;\n"}, "c.js", 'import { d } from "./b";\n'),
        ({"b.js": "module.exports = f;\n"}, "c.js", 'import d from "./b";\n'),
        ({"lib/b.ts": "export const a = 1;\n"}, "c.ts", 'import { d } from "lib/b";\n'),
        ({"src/b.rs": "bits! { struct d; }\n"}, "src/lib.rs", "use crate::b::d;\n"),
        ({"a/__init__.py": "", "a/store.py": STORE}, "app.py", "from a import store\n\nstore.close()\n"),
        (
            {"a/b/zarr.py": STORE, "a/c.py": "from a.b.zarr import load\n"},
            "a/c.py",
            "import zarr\n\nfrom a.b.zarr import load\n\nzarr.open()\n",
        ),
        (
            {"p/b.go": "package p\n\nconst load = 1\n", "p/c.go": "package p\n\nvar x = load\n"},
            "p/b.go",
            "package p\n\nconst (\n\tfirst = iota\n\tload\n)\n",
        ),
        (
            {"p/b.go": "package p\n", "p/c.go": "package p\n"},
            "p/c.go",
            "package p\n\nfunc f() { elsewhere() }\n",
        ),
        (
            {
                "p/b.go": "package p\n\nfunc f() { x := 1; _ = x }\n",
                "p/c.go": "package p\n\nfunc g() { x() }\n",
            },
            "p/b.go",
            "package p\n\nfunc f() {}\n",
        ),
        (
            {"com/x/B.java": "class B {}\n", "com/x/C.java": "class C {}\n"},
            "com/x/C.java",
            "class C { Elsewhere it; }\n",
        ),
    ],
)
def test_what_may_come_from_elsewhere_is_no_reason(files, path, text):
    assert held({path: ""} | files, {path: text}) == []


def test_a_name_that_moves_within_a_package_of_go_is_still_given():
    files = {"p/b.go": "package p\n\nfunc load() {}\n", "p/c.go": "package p\n\nfunc g() { load() }\n"}
    moved = {"p/b.go": "package p\n", "p/d.go": files["p/b.go"]}
    assert held(files, moved) == []
    assert held(files, {"p/b.go": None}) == ["p/c.go uses load from p/b.go, which does not have it"]
    assert held(files, {"p/b.go": None, "p/d.go": files["p/b.go"]}) == []
