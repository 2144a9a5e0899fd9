"""The corpus: what may enter it, what is left out and said, and that it is the same for everybody."""

from __future__ import annotations

import gzip
import inspect
import io
import json
import random
import tarfile
import textwrap
import zipfile
from pathlib import Path, PurePosixPath
from string import ascii_lowercase

import pytest
import typer
from typer.testing import CliRunner

from evals.outside.releases import SPLITS, packages
from fastedit.train.sources.corpus import (
    HELD_OUT,
    SourceFile,
    balanced,
    bare_name,
    by_language,
    collect,
    held_out,
    level,
    load,
    save,
)  # fmt: skip
from fastedit.train.sources.fetch import Unavailable, download, sha256
from fastedit.train.sources.files import corpus_language, is_own, is_written
from fastedit.train.sources.licence import debian_licences, licence_of, permissive
from fastedit.train.sources.pinned import PinnedPackage, in_folders, pinned, read_lock
from fastedit.train.synthesis import gather

EVALS = Path(__file__).parents[2] / "evals"
TEXT = inspect.getsource(textwrap)


def source(
    package: str = "own", text: str = TEXT, language: str = "python", path: str = "a.py"
) -> SourceFile:
    return SourceFile(package, "1", "MIT", path, language, text)


def code(seed: int, lines: int = 30) -> str:
    rng = random.Random(seed)
    return "".join("".join(rng.choices(ascii_lowercase, k=12)) + " = call()\n" for _ in range(lines))


def tarball(path: Path, files: dict[str, str], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return path


def npm_package(folder: Path, name: str = "own", licence: str = "MIT") -> PinnedPackage:
    files = {"package/package.json": json.dumps({"name": name}), "package/src/a.js": code(1)}
    path = tarball(folder / f"{name}-1.0.0.tgz", files)
    return PinnedPackage(f"npm:{name}", "1.0.0", licence, {path.name: sha256(path)})


def test_held_out_packages_never_enter_the_corpus(tmp_path):
    for name in ("flask", "fine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.py").write_text(f"# {name}\n" + code(len(name)))
    (tmp_path / "fine" / "minified.js").write_text("x" * 5000)
    path = tmp_path / "corpus.jsonl.gz"
    save(collect(in_folders([tmp_path])), path)
    assert [file.path for file in load(path)] == ["fine/code.py"]


def test_a_folder_that_bears_the_name_of_a_held_out_package_is_one_however_it_is_given(tmp_path, monkeypatch):
    for name in ("flask", "fine"):
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "src" / "code.py").write_text(code(len(name)))
    given = [tmp_path / "flask", tmp_path / "flask" / "src" / "..", tmp_path / "fine"]
    assert [(file.package, file.path) for file in in_folders(given)] == [("fine.src", "src/code.py")]
    monkeypatch.chdir(tmp_path / "flask")
    assert not list(in_folders([Path()]))


def test_every_package_that_is_evaluated_on_is_held_out():
    locks = [json.loads((EVALS / name).read_text()) for name in ("edits.lock.json", "languages.lock.json")]
    evaluated = {bare_name(e["package"]) for lock in locks for split in ("test", "dev") for e in lock[split]}
    evaluated |= {bare_name(package).lower() for split in SPLITS for package in packages(split)}
    assert evaluated <= HELD_OUT
    assert not any(held_out(entry["package"]) for lock in locks for entry in lock["train"])


def test_real_edits_to_train_on_come_from_packages_of_permissive_licence_that_do_not_validate():
    entries = json.loads((EVALS / "languages.lock.json").read_text())["train"]
    assert all(permissive(entry["licence"]) for entry in entries)
    assert not any(source(entry["package"]).validation for entry in entries)


@pytest.mark.parametrize(
    "package",
    ["flask", "pypi:Flask", "debian:node-express", "npm:@types/express", "debian:python-sqlalchemy"],
)
def test_a_held_out_package_is_known_in_every_registry(package):
    assert held_out(package)


def test_a_package_stands_on_one_side_of_the_split_in_every_registry():
    names = ["pypi:django", "debian:python-django", "django"]
    assert len({source(name).validation for name in names}) == 1
    assert any(source(f"package{i}").validation for i in range(200))


@pytest.mark.parametrize(
    "licence",
    [
        "MIT",
        "Expat",
        "BSD; BSD License",
        "Apache-2.0 OR GPL-2.0",
        "(MIT OR Apache-2.0) AND ISC",
        "Apache License, Version 2.0",
        "PSF-2.0",
        "public-domain",
        "MIT/X11",
        "PostgreSQL",
        "BSL-1.0",
    ],
)
def test_permissive_licences_are_known(licence):
    assert permissive(licence)


@pytest.mark.parametrize(
    "licence",
    [
        "",
        "UNKNOWN",
        "see LICENSE",
        "GPL-2.0-or-later",
        "LGPL-3+",
        "MPL-2.0",
        "MIT and GPL-3+",
        "BUSL-1.1",
        "BSD; GNU General Public License v3 (GPLv3)",
        "UNLICENSED",
        "Permitted use only",
        "CC-BY-NC-4.0",
    ],
)
def test_other_and_unknown_licences_are_not_permissive(licence):
    assert not permissive(licence)


def test_debian_says_the_licence_of_each_file():
    said = "Files: *\nLicense: Expat\n\nFiles: test/*\n gpl.c\nLicense: GPL-2+\n text\n\nLicense: Expat\n Free.\n"
    stanzas = list(debian_licences(said))
    found = [licence_of(path, stanzas) for path in ("src/a.c", "test/a/b.c", "gpl.c")]
    assert found == ["Expat", "GPL-2+", "GPL-2+"]
    assert licence_of("src/a.c", debian_licences("This package was debianized by me.")) == ""


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.h", "int f(void);", "c"),
        ("a.h", "namespace a {}", "cpp"),
        ("a.tsx", "", "tsx"),
        ("a.yml", "", "yaml"),
        ("Cargo.toml", "", "toml"),
        ("run", "#!/usr/bin/env bash\n", "shell"),
        ("configure", "#! /bin/sh\n", "shell"),
        ("README", "words", "text"),
    ],
)
def test_languages_are_told_by_name_and_first_line(path, text, language):
    assert corpus_language(PurePosixPath(path), text) == language


def test_vendored_built_and_generated_files_are_left_out():
    outside = ["node_modules/a/b.js", "pip/_vendor/x.py", "dist/a.js", "a.min.js", "src/a.d.ts", "x_pb2.py"]
    assert not any(is_own(PurePosixPath(path)) for path in outside)
    assert is_own(PurePosixPath("src/distance/a.js"))
    assert is_written(TEXT, "python")
    heads = [
        '<meta name="generator" content="x">\n',
        "# Code generated by a tool. DO NOT EDIT.\n",
        "# under the GNU General Public License\n",
    ]
    assert not any(is_written(head + TEXT, "python") for head in heads)
    assert not is_written('Object.defineProperty(exports, "__esModule", {});\n' + TEXT, "javascript")
    assert not is_written("".join(f"{i}, {i}, {i},\n" for i in range(100, 900)), "c")
    assert not is_written("x\n" * 3, "python")
    assert not is_written(TEXT + "y" * 500, "python")


def test_duplicates_and_near_duplicates_enter_once():
    lines = TEXT.split("\n")
    near = "\n".join(["# another head", *lines[:90], "    added = True", *lines[92:]])
    half = "\n".join(lines[: len(lines) // 3]) + code(1, 300)
    files = [source("a"), source("b"), source("c", near), source("d", half)]
    assert [file.package for file in collect(files)] == ["a", "d"]


def test_no_language_and_no_package_drowns_the_others():
    files = [source("large", code(i), path=f"{i}.py") for i in range(60)]
    files += [source("small", code(100 + i), path=f"{i}.py") for i in range(3)]
    files += [source("go", code(200 + i), "go", f"{i}.go") for i in range(60)]
    size = len(files[0].text)
    taken = balanced(files, most=40 * size)
    sizes = {package: sum(file.package == package for file in taken) for package in ("large", "small", "go")}
    assert sizes["small"] == 3
    assert 0 < sizes["large"] < 10
    assert 0 < sizes["go"] <= sizes["large"] + sizes["small"]
    assert sum(len(file.text) for file in taken) <= 40 * size
    assert balanced(reversed(files), most=40 * size) == taken


def test_the_limit_of_a_package_uses_the_budget_up():
    assert level([10, 2, 6], 12) == 5
    assert level([1, 2, 3], 6) == float("inf")


@pytest.mark.parametrize("name", ["corpus.jsonl.gz", "corpus.jsonl.xz"])
def test_a_corpus_comes_back_as_it_was_saved(name, tmp_path):
    files = [source(text="grüße\n" * 9), source("npm:a.b", "x\n" * 9, "tsx")]
    save(files, tmp_path / name)
    assert load(tmp_path / name) == files


def test_a_corpus_whose_making_stops_half_way_is_not_there(tmp_path):
    def files():
        yield source()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(files(), tmp_path / "corpus.jsonl.gz")
    assert not (tmp_path / "corpus.jsonl.gz").exists()


def test_packages_of_each_registry_are_read_without_unpacking_them(tmp_path):
    npm = npm_package(tmp_path)
    wheel = tmp_path / "own-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("own/a.py", code(2).replace("\n", "\r\n"))
        archive.writestr("own-1.dist-info/METADATA", "Name: own\nVersion: 1\n")
    rules = "Format: x\n\nFiles: *\nLicense: Expat\n\nFiles: gpl/*\nLicense: GPL-3+\n"
    orig = tarball(tmp_path / "own_1.orig.tar.xz", {"own-1/a.c": code(3), "own-1/gpl/b.c": code(4)}, "w:xz")
    debian = tarball(
        tmp_path / "own_1-1.debian.tar.xz", {"debian/copyright": rules, "debian/run.sh": code(5)}, "w:xz"
    )
    sources = [npm]
    for package, licence, paths in (("pypi:own", "ISC", [wheel]), ("debian:own", "Expat", [debian, orig])):
        sources.append(PinnedPackage(package, "1", licence, {path.name: sha256(path) for path in paths}))
    skipped: list[str] = []
    files = list(pinned(sources, tmp_path, skipped))
    assert [(f.package, f.licence, f.path, f.language) for f in files] == [
        ("npm:own", "MIT", "package.json", "json"),
        ("npm:own", "MIT", "src/a.js", "javascript"),
        ("pypi:own", "ISC", "own/a.py", "python"),
        ("debian:own", "Expat", "a.c", "c"),
    ]
    assert skipped == []
    assert files[2].text == code(2)


def test_nothing_of_a_debian_package_enters_that_does_not_say_the_licence_of_its_files(tmp_path):
    orig = tarball(tmp_path / "own_1.orig.tar.xz", {"own-1/a.c": code(3)}, "w:xz")
    entry = PinnedPackage("debian:own", "1", "Expat", {orig.name: sha256(orig)})
    assert list(pinned([entry], tmp_path, [])) == []


def test_a_crate_is_read_out_of_its_debian_package(tmp_path):
    inside = {
        "./usr/share/cargo/registry/own-1.0/src/lib.rs": code(1),
        "./usr/share/cargo/registry/own-1.0/gpl.rs": code(2),
        "./usr/share/doc/librust-own-dev/copyright": "Files: *\nLicense: MIT\n\nFiles: gpl.rs\nLicense: GPL-2\n",
    }
    data = tarball(tmp_path / "data.tar.xz", inside, "w:xz").read_bytes()
    members = (("debian-binary", b"2.0\n"), ("control.tar.xz", b"odd"), ("data.tar.xz", data))
    headers = (f"{name:16}{'0':12}{'0':6}{'0':6}{'100644':8}{len(body):<10}`\n" for name, body in members)
    path = tmp_path / "librust-own-dev_1.0-1_amd64.deb"
    padded = (body + b"\n" * (len(body) % 2) for _, body in members)
    path.write_bytes(b"!<arch>\n" + b"".join(h.encode() + b for h, b in zip(headers, padded, strict=True)))
    entry = PinnedPackage("crate:own", "1.0-1", "MIT", {path.name: sha256(path)})
    assert [(f.path, f.licence, f.language) for f in pinned([entry], tmp_path, [])] == [
        ("src/lib.rs", "MIT", "rust")
    ]


def test_packages_missing_changed_or_damaged_are_listed_and_those_that_may_not_be_learned_left_out(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("PATH", str(tmp_path))
    good = npm_package(tmp_path)
    gone = PinnedPackage("npm:gone", "1.0.0", "MIT", {"gone-1.0.0.tgz": "0" * 64})
    changed = PinnedPackage("npm:own", "1.0.0", "MIT", dict.fromkeys(good.files, "0" * 64))
    unknown = npm_package(tmp_path, "unknown", licence="SEE LICENSE IN x")
    copied = PinnedPackage("npm:express", "1.0.0", "MIT", good.files)
    broken = tmp_path / "broken-1.0.0.tgz"
    broken.write_bytes(gzip.compress(b"no tar"))
    damaged = PinnedPackage("npm:broken", "1.0.0", "MIT", {broken.name: sha256(broken)})
    skipped: list[str] = []
    files = list(pinned([gone, changed, unknown, copied, damaged, good], tmp_path, skipped))
    assert {file.package for file in files} == {"npm:own"}
    for line, words in zip(
        skipped,
        [
            "npm:gone 1.0.0: npm is not installed",
            "differs from the lock file",
            "cannot be read",
        ],
        strict=True,
    ):
        assert words in line


def test_a_package_of_no_registry_is_refused_with_how_to_name_one(tmp_path):
    with pytest.raises(Unavailable, match="pypi:NAME"):
        download("rxjs", "1.0.0", tmp_path)


def test_the_lock_file_names_permissive_packages_with_their_hashes():
    sources = read_lock()
    assert len({source.package for source in sources}) == len(sources) > 0
    for entry in sources:
        assert permissive(entry.licence)
        assert not held_out(entry.package)
        assert entry.files
        assert all(len(digest) == 64 for digest in entry.files.values())


def test_a_corpus_that_exists_is_never_overwritten(tmp_path):
    app = typer.Typer()
    app.command()(gather.corpus)
    out = tmp_path / "corpus.jsonl.gz"
    out.write_bytes(b"precious")
    result = CliRunner().invoke(app, ["--folder", str(tmp_path), "--out", str(out)])
    assert result.exit_code == 2
    assert "choose another --out" in result.stderr
    assert out.read_bytes() == b"precious"


def test_without_any_package_no_corpus_is_written_and_the_way_out_is_said(tmp_path, monkeypatch):
    app = typer.Typer()
    app.command()(gather.corpus)
    monkeypatch.setenv("PATH", str(tmp_path))
    lock = [PinnedPackage("npm:gone", "1.0.0", "MIT", {"gone-1.0.0.tgz": "0" * 64})]
    monkeypatch.setattr(gather, "read_lock", lambda: lock)
    monkeypatch.setattr(gather, "DOWNLOADS", tmp_path / "downloads")
    result = CliRunner().invoke(app, ["--out", str(tmp_path / "corpus.jsonl.xz")])
    assert result.exit_code == 2
    assert "skipped npm:gone 1.0.0: npm is not installed" in result.stderr
    assert "--folder" in result.stderr
    assert not (tmp_path / "corpus.jsonl.xz").exists()


def test_files_and_characters_are_counted_by_language():
    files = [
        source(text="x" * 150_000),
        source(text="y" * 60_000),
        source(language="go", text="z" * 1_000_000),
    ]
    counted = [[cell.strip() for cell in row.split("|")[1:-1]] for row in by_language(files).splitlines()[2:]]
    assert counted == [["go", "1", "1.0"], ["python", "2", "0.2"]]
