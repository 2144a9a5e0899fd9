from __future__ import annotations

import pytest

from fastedit.errors import FileUnreadable
from fastedit.files.paths import inside, real_root


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root" / "src").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    return real_root(tmp_path / "root")


@pytest.mark.parametrize(
    "path", ["src/a.py", "./src/a.py", "src//a.py", "src/./a.py", "src\\a.py", ".\\src/a.py", "src\\\\a.py"]
)
def test_a_relative_path_is_looked_up_in_the_root(root, path):
    assert inside(root, path) == root / "src" / "a.py"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../a.py", r"paths with \.\. are refused"),
        ("src/../../a.py", r"paths with \.\. are refused"),
        ("src/..", r"paths with \.\. are refused"),
        ("/etc/passwd", "absolute paths are refused"),
        ("//server/share", "absolute paths are refused"),
        ("C:/a.py", "absolute paths are refused"),
        ("c:a.py", "absolute paths are refused"),
        ("..\\a.py", r"paths with \.\. are refused"),
        ("src\\..\\..\\a.py", r"paths with \.\. are refused"),
        ("src/..\\..\\a.py", r"paths with \.\. are refused"),
        ("\\\\server\\share\\a.py", "absolute paths are refused"),
        ("\\a.py", "absolute paths are refused"),
        ("C:\\a.py", "absolute paths are refused"),
        ("c:a\\b.py", "absolute paths are refused"),
        ("~", "absolute paths are refused"),
        ("~/a.py", "absolute paths are refused"),
        ("file:///etc/passwd", "absolute paths are refused"),
        ("https://example.org/a.py", "absolute paths are refused"),
        (".git/config", "lies in .git"),
        (".GIT/hooks/pre-commit", "lies in .git"),
        ("src\\.git\\config", "lies in .git"),
        (".git", "lies in .git"),
        (".git. /config", "lies in .git"),
        (".git::$INDEX_ALLOCATION/config", "lies in .git"),
        ("git~1/config", "lies in .git"),
        ("src\\", "names no file"),
        ("src\\.", "names no file"),
        ("\\", "absolute paths are refused"),
        ("a\0.py", "NUL"),
        ("a\ud800.py", "half a character"),
        ("a/" * 3000 + "b.py", "no system takes more than 4096"),
        ("", "names no file"),
        (".", "names no file"),
        ("src/", "names no file"),
        ("src/.", "names no file"),
    ],
)
def test_a_path_that_could_leave_the_root_or_names_no_file_is_one_line(root, path, problem):
    with pytest.raises(FileUnreadable, match=problem) as caught:
        inside(root, path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "path"),
    [("src\\a.py", "src\\a.py"), ("sub\\src/a.py", "sub\\src/a.py"), ("sub\\src/a.py", "sub\\src\\a.py")],
)
def test_a_backslash_that_a_name_has_is_not_guessed_at(root, name, path):
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).touch()
    if path.count("\\") > name.count("\\"):
        assert inside(root, path) == root / "sub" / "src" / "a.py"
        return
    with pytest.raises(FileUnreadable, match=r"may mean .*, which stands there, or .*; rename"):
        inside(root, path)
    assert inside(root, "src/a.py") == root / "src" / "a.py"


def test_a_link_into_the_folder_of_git_is_refused(root):
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / "hooks").symlink_to(root / ".git" / "hooks")
    with pytest.raises(FileUnreadable, match=r"hooks/pre-commit: lies in \.git"):
        inside(root, "hooks/pre-commit")


@pytest.mark.parametrize(
    "path",
    [
        ".github/ci.yml",
        ".gitignore",
        "a.git/b",
        "git/a",
        "~a.py",
        "a~/b",
        "src/~/a.py",
        "std::a",
        "..a/b...py",
    ],
)
def test_a_name_that_is_like_one_that_is_refused_is_a_name(root, path):
    assert inside(root, path) == root / path


def test_a_root_may_lie_in_the_folder_of_git(root):
    (root / ".git" / "tree").mkdir(parents=True)
    assert inside(root / ".git" / "tree", "a.py") == root / ".git" / "tree" / "a.py"


@pytest.mark.parametrize("path", ["link/a.py", "file", "src/deep/a.py", "dangling"])
def test_a_link_out_of_the_root_is_refused_in_any_part_of_the_path(root, path):
    outside = root.parent / "outside"
    (root / "link").symlink_to(outside)
    (root / "file").symlink_to("../outside/a.py")
    (root / "src" / "deep").symlink_to("../link")
    (root / "dangling").symlink_to(outside / "nowhere")
    with pytest.raises(FileUnreadable, match="symbolic link"):
        inside(root, path)


def test_a_link_to_the_root_itself_names_no_file(root):
    (root / "self").symlink_to(root)
    assert inside(root, "self/a.py") == root / "a.py"
    with pytest.raises(FileUnreadable):
        inside(root, "self")


def test_a_root_has_to_be_a_folder(tmp_path):
    (tmp_path / "a").touch()
    for path in (tmp_path / "a", tmp_path / "nowhere"):
        with pytest.raises(FileUnreadable, match="is not a folder"):
            real_root(path)
