"""Lines of a sketch as the file has them."""

import pytest

from fastedit.sketch.reading import read_update, target_of


def test_dots_behind_a_head_are_its_body_where_the_file_has_no_other():
    file = "class Reader(Protocol):\n    def read(self) -> str:\n        ...\n"
    file += "\n    def close(self) -> None:\n        pass\n"
    sketch = (
        "    def read(self) -> str: ...\n    def close(self) -> None: ...\n    def open(self) -> None: ...\n"
    )
    lines = read_update(sketch, "python", file.split("\n")).lines
    assert [(line.text.strip(), line.marker) for line in lines] == [
        ("def read(self) -> str: ...", False),
        ("def close(self) -> None:", False),
        ("...", True),
        ("def open(self) -> None: ...", False),
    ]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("size: int = 3", "size"),
        ("let size: u8 = 1;", "size"),
        ("'size': 2,", "size"),
        ("Frame::Reset => 5,", None),
        ("Frame::LIMIT = 3;", None),
    ],
)
def test_a_path_is_no_key_that_is_given_a_value(line, target):
    assert target_of(line) == target
