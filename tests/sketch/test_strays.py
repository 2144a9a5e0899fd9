"""What a sketch shows below a marker, in the marker's block or in another one."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.strays import STRAYED
from fastedit.sketch.signs.signs import Signs


def block(name: str, mount: str, path: str) -> str:
    return (
        f'def {name}():\n    app.mount("{mount}")\n    client = Client(app)\n'
        f'    res = client.get("{path}")\n    assert res.ok\n'
    )


OLD = "\n\n".join(
    (block("one", "/x", "/foo/bar"), block("two", "/", "/foo"), block("three", "/z", "/foo/bar"))
)
SKETCH = """\
    # ... existing code ...
    app.mount("/foo")
    # ... existing code ...
    client = Client(app)
    {0}
    assert res.ok
# ... existing code ...
"""


@pytest.mark.parametrize(
    ("shown", "strays"), [('res = client.get("/foo/bar")', True), ('res = client.get("/foo")', False)]
)
def test_a_line_that_stands_in_another_block_may_be_the_new_one_of_the_markers_block(shown, strays):
    lines = tuple(OLD.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(SKETCH.format(shown), "python", lines))
    signs = Signs(alignment.file, alignment.sketch)
    best = alignment.best()
    assert (STRAYED.name in signs.of(best.text, best.path)) is strays
    meant = OLD.replace(block("two", "/", "/foo"), block("two", "/foo", shown.split('"')[1]))
    found = {"\n".join(one.text.lines) + "\n": one for one in alignment.evened([best])}
    assert STRAYED.name not in signs.of(found[meant].text, found[meant].path)
