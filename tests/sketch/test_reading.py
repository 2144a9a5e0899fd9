"""Lines of a sketch as the file has them."""

from fastedit.sketch.reading import read_update


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
