"""The bundled scripts of the pages fit their sources, as far as that can be told without npm."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUNDLE, WEB = ROOT / "fastedit/serve/static/bundle", ROOT / "web"
MANIFEST = json.loads((BUNDLE / "manifest.json").read_text())
RUN = "run make pages"


def hashed(folder: Path, names: list[str]) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def test_the_bundle_was_made_from_the_sources_as_they_are():
    scripts = [f"src/{path.name}" for path in (WEB / "src").iterdir()]
    names = ["build.mjs", "package-lock.json", "tsconfig.json", *scripts]
    assert hashed(WEB, names) == MANIFEST["sources"], RUN


def test_the_bundle_is_what_was_made():
    names = [path.name for path in BUNDLE.iterdir() if path.name != "manifest.json"]
    assert hashed(BUNDLE, names) == MANIFEST["files"], RUN


def test_every_bundled_package_has_its_license():
    packages = json.loads((WEB / "package.json").read_text())["dependencies"]
    text = (BUNDLE / "LICENSES.txt").read_text()
    assert [name for name in packages if f"{name} " not in text] == []


def test_the_bundle_stays_well_below_a_mebibyte():
    assert sum(path.stat().st_size for path in BUNDLE.iterdir()) < 800_000
