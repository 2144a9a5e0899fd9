"""Blocks that go for others next to what is hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.evidence import LEAD, lead
from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.sketch.align import Alignment
from fastedit.sketch.evened import evened
from fastedit.sketch.read.reading import Outline
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.base import Laid
from fastedit.sketch.rivals.replaced import AWAY, REPLACED, UNLIKE, are_unlike, replaced
from fastedit.source.document import Document
from fastedit.source.hunks import changed_lines

GUARDED = (
    "def send(mail, user):\n"
    "    if not user.active:\n"
    '        log.info("inactive: %s", user)\n'
    "        return False\n\n"
    "    return post(mail, user.address)\n"
)
GUARD = (
    "def send(mail, user):\n"
    "    if not mail.subject:\n"
    '        log.info("no subject: %s", mail)\n'
    "        return False\n\n"
    "    # ... existing code ...\n"
)
SERVERS = "servers:\n  - name: eu\n    host: eu.acme.com\n    port: 443\n"
SERVER = "  - name: us\n    host: us.acme.com\n    port: 443\n"
TASKS = (
    "- hosts: all\n  tasks:\n"
    "    - name: Install nginx\n      apt:\n        name: nginx\n        state: present\n"
    "    - name: Start nginx\n      service:\n        name: nginx\n        state: started\n"
)
TASK = "    - name: Start redis\n      service:\n        name: redis\n        state: started\n"
JOBS = (
    "jobs:\n"
    "  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make lint\n"
    "  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: make test\n"
)
JOB = "  docs:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: make test\n"
WRITER = (
    "class Writer {\n"
    "  fun open() { sink.put(1) }\n\n"
    "  fun value(value: Int): Writer {\n    open()\n    sink.put(value.toString())\n    return this\n  }\n\n"
    "  fun close() { sink.put(2) }\n"
    "}\n"
)
OVERLOAD = (
    "  fun open() { sink.put(1) }\n\n"
    "  fun value(value: Double): Writer {\n    open()\n    sink.put(value.toString())\n    return this\n  }\n"
    "  // ... existing code ...\n"
)
SPEC = (
    "describe('Store', () => {\n"
    "  const make = () => createStore({ a: 1 })\n\n"
    "  it('outlives component life', async () => {\n"
    "    const watcher = jest.fn()\n    const page = mount(Page)\n    await page.unmount()\n"
    "    expect(watcher).toHaveBeenCalledTimes(1)\n  })\n})\n"
)
IT = (
    "describe('Store', () => {\n  // ... existing code ...\n\n"
    "  it('ref in state outlives component life', async () => {\n"
    "    const watcher = jest.fn()\n    const page = mount(Page)\n    await page.unmount()\n"
    "    expect(watcher).toHaveBeenCalledTimes(2)\n  })\n})\n"
)
STORE = (
    "package a\n\n"
    "func (s *Store) All() []Order { return s.all }\n\n"
    "func (s *Store) Find(name string) *Order {\n\trow := s.db.One(name)\n\treturn row.Order()\n}\n"
)
FIND = (
    "func (s *Store) All() []Order { return s.all }\n\n"
    "func (p *Pool) Find(name string) *Order {\n\trow := p.db.One(name)\n\treturn row.Order()\n}\n\n"
    "// ... existing code ...\n"
)


def merged(old: str, sketch: str, name: str) -> Merge:
    document = Document.from_text(old, Path(name))
    return Merge(document, sketch, LineRange(0, len(document.lines)))


@pytest.mark.parametrize(
    ("name", "old", "sketch"),
    [
        ("a.py", GUARDED, GUARD),
        ("a.yaml", SERVERS, f"servers:\n  # ... existing servers ...\n{SERVER}"),
        ("a.yml", TASKS, f"- hosts: all\n  tasks:\n    # ... existing tasks ...\n{TASK}"),
        ("a.yml", JOBS, f"jobs:\n  # ... existing jobs ...\n{JOB}"),
        ("a.ts", SPEC, IT),
        ("a.kt", WRITER, OVERLOAD),
        ("a.go", STORE, FIND),
    ],
)
def test_a_block_that_may_be_new_beside_a_marker_is_not_sure_to_go_for_a_hidden_one(name, old, sketch):
    found = merged(old, sketch, name)
    lost = [any(hunk.stop > hunk.start for hunk in reading.hunks) for reading in found.offered]
    assert not (lost[0] and found.best.sure)
    assert not all(lost)


def test_where_a_marker_would_hide_nothing_a_block_is_new():
    found = merged(SERVERS, f"servers:\n  # ... existing servers ...\n{SERVER}", "a.yaml")
    [hunk] = found.best.hunks
    assert hunk.start == hunk.stop == 4
    assert "\n".join(hunk.lines) == SERVER.removesuffix("\n")


def test_a_block_of_another_definition_is_not_sure_to_be_that_below_a_line_that_is_shown():
    old = (
        "class Jobs {\n  start(id) {\n    job.state = 'running';\n    logger.info('started');\n  }\n\n"
        "  stop(id) {\n    if (job.state) {\n"
        "      this.events.push({\n        type: 'stop',\n        id,\n        by: this.user,\n      });\n"
        "    }\n  }\n}\n"
    )
    sketch = (
        "    job.state = 'running';\n"
        "    this.events.push({\n      type: 'start',\n      id,\n      by: this.user,\n    });\n"
    )
    found = merged(old, sketch, "a.js")
    assert not any(hunk.stop > hunk.start for hunk in found.offered[0].hunks)


def test_a_definition_that_is_renamed_with_its_lines_is_still_a_version():
    old = "def load(path):\n    with open(path) as file:\n        return read(file)\n\n\ndef save():\n    pass\n"
    sketch = old.replace("load", "load_text").partition("\n\n\n")[0]
    lines, new = (Outline(text.split("\n"), language="python") for text in (old, sketch))
    assert not are_unlike(lines, range(3), new, range(3))


def test_signs_tell_of_blocks_that_are_unlike_or_stand_elsewhere():
    lines = tuple(GUARDED.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(GUARD, "python", lines))
    signs = [
        REPLACED.told(Laid(alignment.file, alignment.sketch, one.path))
        for one in evened(alignment, [alignment.best()])
    ]
    assert [UNLIKE.name in found for found in signs] == [True, False]
    assert not any(AWAY.name in found for found in signs)


def test_of_many_blocks_that_go_for_others_the_first_few_are_looked_at_as_new():
    method = "func (t *{}) Close(a int) error {{\n\tt.x = {}\n\treturn nil\n}}\n"
    old = "package a\n\n" + "\n".join(method.format(f"T{row}", row) for row in range(60))
    new = (method.format(f"U{row}", row * 9) for row in range(6))
    sketch = "// ... existing code ...\n" + "// ... existing code ...\n".join((*new, ""))
    alignment = Alignment(old.splitlines(), read_update(sketch, "go", old.splitlines()))
    laid = Laid(alignment.file, alignment.sketch, alignment.best().path)
    blocks = list(replaced(laid.file, laid.sketch, laid.inked))
    assert len(list(REPLACED.others(laid, alignment.relaid))) < len(blocks)


def test_a_block_whose_first_line_only_gains_words_is_a_version_of_the_old_one():
    body = "        with open(self.path) as stream:\n            return stream.read()\n"
    old = f"class Store:\n    def load(self):\n{body}"
    more = old.replace("open(self.path)", 'open(self.path, encoding="utf-8")')
    sketch = "# ... existing code ...\n" + more.partition("\n")[2] + "# ... existing code ...\n"
    document = Document.from_text(old + "\n    def save(self):\n        pass\n", Path("a.py"))
    assert Merge(document, sketch, LineRange(0, len(document.lines))).best.sure


def test_a_block_with_the_first_line_of_one_and_the_rest_of_another_is_laid_on_the_first_as_well():
    head, other = "    if raw is None:\n", "        return None\n"
    old = (
        f"def load(key):\n    raw = read(key)\n{head}        warn(key)\n        raise KeyError(key)\n"
        f"    count(raw)\n    size(raw)\n    raw = decode(raw)\n{head}{other}    return raw\n"
    )
    sketch = f"def load(key):\n    raw = read(key, 1)\n{head}{other}    # ... existing code ...\n"
    found = merged(old, sketch, "a.py")
    text = "\n".join(changed_lines(tuple(old.split("\n")), found.best.hunks))
    assert text == old.replace("read(key)", "read(key, 1)").replace(
        "warn(key)\n        raise KeyError(key)", "return None"
    )


@pytest.mark.parametrize(
    ("name", "around", "entry"),
    [
        ("a.html", ("<form>\n", "</form>\n"), '  <input\n    id="{0}"\n    title="{1}"\n  />\n'),
        ("a.ts", ("start();\n", "run();\n"), 'register({{\n  name: "{0}",\n  label: "{1}",\n}});\n'),
    ],
)
def test_one_more_entry_over_several_lines_is_not_sure_to_go_for_the_next_one_like_it(name, around, entry):
    one, two, three = (
        entry.format(*words) for words in (("alpha", "Go"), ("beta", "Look"), ("gamma", "Leave"))
    )
    marker = "<!-- ... -->\n" if name.endswith("html") else "// ...\n"
    old = around[0] + one + two + three + around[1]
    found = merged(old, marker + two + entry.format("delta", "Stay") + marker, name)
    lost = [any(hunk.stop > hunk.start for hunk in reading.hunks) for reading in found.offered]
    assert not (lost[0] and found.best.sure)
    assert not all(lost)


@pytest.mark.parametrize("is_last", [True, False])
@pytest.mark.parametrize(("opening", "end"), [("{{", "}}"), ("route({{", "}})")])
def test_a_new_entry_without_a_name_comes_next_to_those_that_begin_like_it(opening, end, is_last):
    entry = f"  {opening}\n    name: '{{0}}',\n    url: '{{0}}.dev',\n  {end},\n"
    alpha, beta, delta = map(entry.format, ("alpha", "beta", "delta"))
    marker = "  // ... existing entries ...\n"
    new = marker + delta if is_last else delta + marker
    found = merged(f"const x = [\n{alpha}{beta}];\n", f"const x = [\n{new}];\n", "a.ts")
    [hunk] = found.best.hunks
    assert hunk.start == hunk.stop


def test_that_a_block_has_lines_of_the_one_it_goes_for_speaks_little_for_that():
    entry = "  {{\n    name: '{0}',\n    url: '{0}.dev',\n  }},\n"
    alpha, beta, delta = map(entry.format, ("alpha", "beta", "delta"))
    lines = f"const x = [\n{alpha}{beta}];".split("\n")
    sketch = f"const x = [\n{delta}  // ... existing entries ...\n];\n"
    alignment = Alignment(lines, read_update(sketch, "typescript", lines))
    shared = [one for one in evened(alignment, [alignment.best()]) if one.lead]
    assert len(shared) > 1
    assert all(one.parting and LEAD not in lead(one) for one in shared)


def test_a_new_test_whose_first_line_goes_on_below_comes_on_top_of_those_that_do_alike():
    test = (
        "  test('{0}', async ({{\n    page,\n    store\n  }}) => {{\n    await page.goto('/{0}');\n  }});\n\n"
    )
    one, two, new = map(test.format, ("one", "two", "new"))
    last = "  test('last', async () => {\n"
    old = f"describe('x', () => {{\n{one}{two}{last}    leave();\n  }});\n}});\n"
    found = merged(old, f"  // ... existing tests ...\n\n{new}{last}", "a.ts")
    [hunk] = found.best.hunks
    assert found.best.sure
    assert hunk.start == hunk.stop
