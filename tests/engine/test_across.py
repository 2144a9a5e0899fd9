"""What files of one change take from each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.changes.across import hold_back
from fastedit.engine.changes.change import ChangeResult
from fastedit.engine.changes.file_change import FileChange
from fastedit.source.document import Document

# Files before, as "path: text", and what becomes of the first one or of the one that is named.
STORE = "MOST = 10\n\n\ndef load(path):\n    return path\n"
LOST = [
    ("python module", {"store.py": STORE, "app.py": "import store\n\nstore.load(1)\n"}, "app.py uses load"),
    (
        "python module of a package",
        {"a/store.py": STORE, "app.py": "import a.store\n\na.store.load(1)\n"},
        "app.py uses load",
    ),
    (
        "python module under another name",
        {"a/store.py": STORE, "app.py": "from a import store as s\n\ns.load(1)\n"},
        "app.py uses load",
    ),
    (
        "javascript names",
        {
            "src/store.js": "export function load() {}\n",
            "src/app.js": 'import { load as l } from "./store.js";\n',
        },
        "src/app.js imports load",
    ),
    (
        "typescript names of an index",
        {
            "src/store/index.ts": "export const load = 1;\n",
            "src/app.tsx": 'import { load } from "./store";\n',
        },
        "src/app.tsx imports load",
    ),
    (
        "javascript namespace",
        {"store.js": "export function load() {}\n", "app.js": 'import * as s from "./store";\ns.load();\n'},
        "app.js uses load",
    ),
    (
        "javascript default",
        {"store.js": "export default function load() {}\n", "app.js": 'import run from "./store";\n'},
        "app.js imports default",
    ),
    (
        "commonjs",
        {
            "store.js": "function load() {}\nmodule.exports = { load };\n",
            "app.js": 'const { load } = require("./store");\n',
        },
        "app.js imports load",
    ),
    (
        "passed on by another",
        {"store.js": "export function load() {}\n", "index.js": 'export { load } from "./store";\n'},
        "index.js imports load",
    ),
    (
        "go package",
        {
            "store/store.go": "package store\n\nfunc Load() {}\n",
            "main.go": 'package main\n\nimport "example.com/m/store"\n\nfunc main() { store.Load() }\n',
        },
        "main.go uses Load",
    ),
    (
        "go type of a package",
        {
            "store/store.go": "package store\n\ntype Load struct{}\n",
            "main.go": 'package main\n\nimport s "example.com/m/store"\n\nvar x s.Load\n',
        },
        "main.go uses Load",
    ),
    (
        "go file of the same package",
        {
            "store/store.go": "package store\n\nfunc load() {}\n",
            "store/use.go": "package store\n\nfunc use() { load() }\n",
        },
        "store/use.go uses load",
    ),
    (
        "rust names",
        {
            "src/store.rs": "pub fn load() {}\n",
            "src/main.rs": "mod store;\nuse crate::store::{load, self};\n\nfn main() { load() }\n",
        },
        "src/main.rs imports load",
    ),
    (
        "rust path",
        {
            "src/store/mod.rs": "pub fn load() {}\n",
            "src/main.rs": "mod store;\n\nfn main() { store::load() }\n",
        },
        "src/main.rs uses load",
    ),
    (
        "rust names without a list",
        {
            "src/store.rs": "pub fn load() {}\n",
            "src/app.rs": "use super::store::*;\n\nfn main() { load() }\n",
        },
        "src/app.rs uses load",
    ),
    (
        "rust neighbour",
        {"src/store.rs": "pub struct load;\n", "src/app.rs": "use super::store::load;\n"},
        "src/app.rs imports load",
    ),
    (
        "java class",
        {
            "com/x/Store.java": "package com.x;\n\nclass load {}\n",
            "com/y/App.java": "import com.x.load;\n\nclass App {}\n",
        },
        "com/y/App.java imports load",
    ),
    (
        "java class of the same package",
        {
            "com/x/Store.java": "package com.x;\n\nclass load {}\n",
            "com/x/App.java": "package com.x;\n\nclass App { load it; }\n",
        },
        "com/x/App.java uses load",
    ),
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


@pytest.mark.parametrize(("files", "said"), [case[1:] for case in LOST], ids=[case[0] for case in LOST])
def test_a_name_that_another_file_takes_cannot_go(files, said):
    giver, taker = files
    name = "default" if "default" in said else "Load" if "Load" in said else "load"
    kept = {giver: files[giver].replace(name, "gone" if name != "default" else "")}
    (reason,) = held(files, kept)
    assert reason == f"{said} from {giver}, which does not have it"
    both = kept | {taker: files[taker].replace(name, "gone")}
    assert name == "default" or held(files, both) == []
    assert held(files, {giver: files[giver] + "\n"}) == []


@pytest.mark.parametrize(
    ("files", "path", "text", "said"),
    [
        (
            {"store.py": STORE, "app.py": ""},
            "app.py",
            "import store\n\nstore.LEAST\n",
            "app.py uses LEAST from store.py",
        ),
        (
            {"b.ts": "export const a = 1;\n", "c.ts": ""},
            "c.ts",
            'import { d } from "./b";\n',
            "c.ts imports d from b.ts",
        ),
        (
            {"b.ts": "export const a = 1;\n", "c.ts": ""},
            "c.ts",
            'import b from "./b";\n',
            "c.ts imports default from b.ts",
        ),
        (
            {"src/b.rs": "fn a() {}\n", "src/lib.rs": ""},
            "src/lib.rs",
            "use crate::b::d;\n",
            "src/lib.rs imports d from src/b.rs",
        ),
    ],
)
def test_a_name_that_another_file_never_had_cannot_be_taken(files, path, text, said):
    assert held(files, {path: text}) == [f"{said}, which does not have it"]
    assert held(files | {path: text}, {path: f"{text}\n"}) == []  # nor could it be before


@pytest.mark.parametrize(
    ("files", "path", "text"),
    [
        (
            {"store.py": STORE, "app.py": ""},
            "app.py",
            "import store\n\nprint(store.__name__, store.__dict__)\n",
        ),
        (
            {"store.py": STORE, "app.py": ""},
            "app.py",
            "import store\n\n\ndef main(store):\n    store.close()\n",
        ),
        (
            {"store.py": STORE, "app.py": ""},
            "app.py",
            "import store\n\nstore = store.load(1)\nstore.close()\n",
        ),
        (
            {"a/__init__.py": "", "a/store.py": STORE, "app.py": ""},
            "app.py",
            "from a import store\n\nstore.close()\n",
        ),
        ({"a/__init__.py": "", "app.py": ""}, "app.py", "import a\n\na.other.load(1)\n"),
        ({"a/abc.py": STORE, "app.py": ""}, "app.py", "from abc import ABC\n"),
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
        ({"store.css": "a {}\n", "c.ts": ""}, "c.ts", 'import { d } from "./store";\n'),
        ({"b.ts": 'export * from "./z";\n', "c.ts": ""}, "c.ts", 'import { d } from "./b";\n'),
        ({"b.js": "exports.d = 1;\n", "c.js": ""}, "c.js", 'import { d } from "./b";\n'),
        ({"b.js": "module.exports = f;\n", "c.js": ""}, "c.js", 'import d from "./b";\n'),
        ({"lib/b.ts": "export const a = 1;\n", "c.ts": ""}, "c.ts", 'import { d } from "lib/b";\n'),
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
        ({"src/b.rs": "bits! { struct d; }\n", "src/lib.rs": ""}, "src/lib.rs", "use crate::b::d;\n"),
        (
            {"com/x/B.java": "class B {}\n", "com/x/C.java": "class C {}\n"},
            "com/x/C.java",
            "class C { Elsewhere it; }\n",
        ),
    ],
)
def test_what_may_come_from_elsewhere_is_no_reason(files, path, text):
    assert held(files, {path: text}) == []


def test_a_name_that_moves_within_a_package_of_go_is_still_given():
    files = {"p/b.go": "package p\n\nfunc load() {}\n", "p/c.go": "package p\n\nfunc g() { load() }\n"}
    moved = {"p/b.go": "package p\n", "p/d.go": files["p/b.go"]}
    assert held(files, moved) == []
    assert held(files, {"p/b.go": None}) == ["p/c.go uses load from p/b.go, which does not have it"]
    assert held(files, {"p/b.go": None, "p/d.go": files["p/b.go"]}) == []
