import random

import pytest

from evals.sketch import sketch
from fastedit.sketch.align import lay
from fastedit.sketch.reading import read_update

OLD = [
    "import os",
    "",
    "class Loader:",
    "    def load(self, path):",
    '        """Read a file."""',
    "        data = open(path).read()",
    "        return data",
    "",
    "    def save(self, path, data):",
    "        handle = open(path, 'w')",
    "        handle.write(data)",
    "        handle.close()",
    "",
    "def main():",
    "    loader = Loader()",
    "    print(loader.load('a'))",
    "    print(os.getcwd())",
]
REPLACED = [*OLD[:5], "        data = Path(path).read_text()", *OLD[6:]]
INSERTED = [*OLD[:14], "    print('start')", *OLD[14:]]
DELETED = [*OLD[:10], *OLD[11:]]


def written(new: list[str], seed: int = 0, language: str = "python") -> list[str]:
    return sketch(OLD, new, language, random.Random(seed)).split("\n")


@pytest.mark.parametrize("new", [REPLACED, INSERTED, DELETED], ids=["replaced", "inserted", "deleted"])
@pytest.mark.parametrize("seed", range(8))
def test_sketches_merge_back(new: list[str], seed: int):
    update = read_update("\n".join(written(new, seed)), "python", OLD)
    assert list(lay(OLD, update).text.lines) == new


def test_what_changed_is_shown_and_what_stays_is_a_marker():
    lines = written(REPLACED)
    assert "        data = Path(path).read_text()" in lines
    assert "    print(os.getcwd())" not in lines
    assert lines[-1] == "# ... existing code ..."


def test_both_neighbours_of_a_deletion_stand_next_to_each_other():
    lines = written(DELETED)
    at = lines.index("        handle = open(path, 'w')")
    assert lines[at + 1] == "        handle.close()"


def test_enclosing_definitions_are_mostly_shown():
    shown = sum("class Loader:" in written(REPLACED, seed) for seed in range(40))
    assert 20 < shown < 40


def test_markers_are_comments_of_the_language():
    assert written(REPLACED, language="go")[-1] == "// ... existing code ..."


def test_the_same_arguments_give_the_same_sketch():
    assert written(INSERTED, 5) == written(INSERTED, 5)
