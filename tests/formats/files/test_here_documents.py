"""Files that a fence of commands writes."""

from __future__ import annotations

import pytest

from fastedit.errors import UnreadableEdit
from fastedit.formats.base import Beside, FileOperation, ModifyFile, Replacement, WriteFile
from fastedit.formats.detect import read_edit
from fastedit.formats.registry import FORMATS

BLOCK = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n\n"


def read(commands: str, info: str = "bash") -> tuple[FileOperation, ...]:
    edit = read_edit(f"{BLOCK}Then:\n\n```{info}\n{commands}\n```\n", tuple(FORMATS.values()))
    return edit.operations[1:]


@pytest.mark.parametrize(
    "command",
    [
        "cat > src/b.py <<'EOF'",
        'cat >"src/b.py" <<"EOF"',
        "cat <<EOF > src/b.py",
        "# New:\nmkdir -p src\ncat > src/b.py <<EOF",
    ],
)
def test_a_here_document_writes_its_file(command: str):
    assert read(f"{command}\ny = 1\n\nz = 2\nEOF") == (WriteFile("src/b.py", "y = 1\n\nz = 2\n"),)


def test_several_write_their_files_and_those_with_two_signs_add_to_them():
    added = Replacement("", "z\n", whole_lines=True, at_end=True)
    assert read("cat > b <<E\ny\nE\n\ncat >> c <<-F\n\tz\n\tF") == (
        WriteFile("b", "y\n"),
        ModifyFile("c", (added,)),
    )


def test_a_text_may_have_fences_of_its_own():
    text = "# A\n\n```\nx\n```\n\n`b.py`:\n```python\ny\n```\n\n```bash\npip install a\n```\n"
    command = f"cat > README.md <<'EOF'\n{text}EOF"
    assert read(f"{command}\n\n{command}") == (WriteFile("README.md", text),) * 2
    assert read(f"{command}\npip install b") == ()


def test_what_a_shell_would_expand_is_refused():
    with pytest.raises(UnreadableEdit, match=r"a shell would expand the text of b\.sh; write <<'EOF'"):
        read("cat > b.sh <<EOF\necho $HOME\nEOF")
    assert read("cat > b.sh <<'EOF'\necho $HOME\nEOF") == (WriteFile("b.sh", "echo $HOME\n"),)


@pytest.mark.parametrize(
    "commands",
    [
        "cat > b.py <<'EOF'\ny = 1\nEOF\npython b.py",
        "cat > b.py <<'EOF'\ny = 1",
        "cat > /tmp/b.py <<'EOF'\ny = 1\nEOF",
        "cat > ~/b.py <<'EOF'\ny = 1\nEOF",
        "cat > $DIR/b.py <<'EOF'\ny = 1\nEOF",
        "mkdir -p src",
    ],
)
def test_any_other_commands_are_no_edit(commands: str):
    assert read(commands) == ()


def test_a_patch_in_a_here_document_is_a_patch():
    [operation] = read("cat > b.patch <<'EOF'\n--- a/c.py\n+++ b/c.py\n@@ -1 +1 @@\n-x\n+y\nEOF")
    assert operation.path == "c.py"


def test_the_text_of_a_file_at_hand_may_show_such_commands():
    message = "## Setup\n\n```bash\ncat > b.py <<'EOF'\ny = 1\nEOF\n```\n"
    [operation] = read_edit(message, tuple(FORMATS.values()), beside=Beside(prose_names=False)).operations
    assert operation.path is None
