"""New entries next to what is hidden, of which they may be new versions."""

from __future__ import annotations

import pytest

from fastedit.sketch.align import Alignment
from fastedit.sketch.evened import evened
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.rivals.versions import BESIDE
from fastedit.sketch.signs.signs import Signs

GEMS = 'source "x"\n\ngem "rails", "~> 6.1"\ngem "puma", "~> 5"\n\ngroup :test do\n  gem "rspec"\nend\n'
NAMES = '#pragma once\n#define VERSION "1.0"\n#define LIMIT 10\n\nint f(void);\n'


def texts(old: str, sketch: str) -> dict[str, dict[str, float]]:
    """The most likely text and those that it is weighed against, each with its signs."""
    lines = tuple(old.removesuffix("\n").split("\n"))
    alignment = Alignment(lines, read_update(sketch, None, lines))
    signs = Signs(alignment.file, alignment.sketch)
    found = evened(alignment, [alignment.best()])
    return {"\n".join(one.text.lines) + "\n": signs.of(one.text, one.path) for one in found}


def test_where_words_have_no_blanks_between_them_an_entry_begins_as_a_hidden_one_does_by_its_signs():
    old = 'T = [\n    "月2回の相談",\n    "質問対応",\n]\n'
    found = texts(old, 'T = [\n    "月1回の相談",\n    # ...\n]\n')
    assert old.replace("2", "1") in found
    assert any(BESIDE.name in signs for signs in found.values())


@pytest.mark.parametrize(
    ("old", "sketch", "meant"),
    [
        # Right below the line above it, where the file has a blank line between the two.
        (
            GEMS,
            'source "x"\ngem "rails", "~> 7.1"\n# ... existing code ...\n',
            GEMS.replace('\n\ngem "rails", "~> 6.1', '\ngem "rails", "~> 7.1'),
        ),
        # Between markers, with a blank line on each side.
        (
            NAMES,
            '// ... existing code ...\n\n#define VERSION "1.1"\n\n// ... existing code ...\n',
            NAMES.replace("1.0", "1.1"),
        ),
        # Last, where a marker hides all above.
        (
            'FROM x\n\nRUN build\n\nCMD ["old"]\n',
            '# ... existing code ...\n\nCMD ["new", "one"]\n',
            'FROM x\n\nRUN build\n\nCMD ["new", "one"]\n',
        ),
    ],
)
def test_an_entry_may_come_in_place_of_a_hidden_one_that_begins_as_it_does(old, sketch, meant):
    found = texts(old, sketch)
    assert any(
        [line for line in text.split("\n") if line] == [line for line in meant.split("\n") if line]
        for text in found
    )
    assert any(BESIDE.name in signs for signs in found.values())


def test_a_sign_that_ends_a_string_tells_keys_apart():
    keys = [f'map("n", "g{sign}", jump.{way}, opts("{way}"))' for sign, way in (("[", "back"), ("]", "on"))]
    new = 'map("n", "g]", function()\n  jump.to(1)\nend, opts("on"))\n'
    found = texts("\n".join([*keys, "", "attach()"]) + "\n", f"-- ... existing keys ...\n{new}\nattach()\n")
    assert any(BESIDE.name in signs for signs in found.values())
    assert f"{keys[0]}\n{new}\nattach()\n" in found


@pytest.mark.parametrize(
    "sketch",
    [
        # Other entries begin so too.
        'source "x"\n\ngem "redis"\n# ... existing code ...\n',
        # Nothing there begins so.
        'source "x"\n\nruby "3.3"\n# ... existing code ...\n',
    ],
)
def test_an_entry_of_another_name_is_a_further_one(sketch):
    found = texts(GEMS, sketch)
    assert not any(BESIDE.name in signs for signs in found.values())


def test_an_entry_below_what_is_shown_next_is_no_old_version():
    lines = (
        "WORKDIR /app",
        "RUN build",
        "COPY backend /app/backend",
        "COPY pyproject.toml uv.lock /app/",
        "CMD x",
    )
    sketch = "\n".join((lines[0], "# ...", lines[3], lines[2]))
    alignment = Alignment(lines, read_update(sketch, "dockerfile", lines))
    for one in evened(alignment, [alignment.best()]):
        assert [row for step in one.path for row in step.lines] == list(range(len(lines)))


PANEL = """export function Panel() {
  return (
    <div>
      <Button onClick={save}>Save</Button>
      <Button onClick={close}>Close</Button>
    </div>
  );
}
"""
BUTTON = "      <Button primary onClick={save}>\n        Save\n      </Button>\n"
CLOSE = "      <Button onClick={close}>Close</Button>\n"


def test_an_entry_may_come_in_place_of_a_hidden_one_that_lacks_words_in_one_place():
    found = texts(PANEL, f"      {{/* ... */}}\n{BUTTON}{CLOSE}")
    assert PANEL.replace("      <Button onClick={save}>Save</Button>\n", BUTTON) in found


def test_an_entry_with_other_words_than_the_hidden_one_next_to_it_is_added():
    undo = "      <Button primary onClick={undo}>\n        Undo\n      </Button>\n"
    found = texts(PANEL, f"      {{/* ... */}}\n{undo}{CLOSE}")
    assert PANEL.replace(CLOSE, undo + CLOSE) in found
    assert all(BESIDE.name not in signs for signs in found.values())


@pytest.mark.parametrize("more", ["", ", extra"])
def test_an_entry_on_one_line_may_come_in_place_of_a_hidden_one_on_several(more: str):
    old = (
        "def f(user, role, mode):\n    a = 1\n    send(\n        user,\n        role,\n        mode,\n    )\n"
    )
    new = f"    send(user, role, mode{more})\n    stop()\n"
    found = texts(f"{old}    stop()\n", f"def f(user, role, mode):\n    # ...\n{new}")
    assert old[: old.index("    send")] + new in found


RUN = "function run(job) {\n  log(job);\n  check(job);\n  // Never twice\n  start(job, 1);\n  wait(job);\n}\n"


@pytest.mark.parametrize(
    "sketch",
    [
        "function run(job) {\n  // ...\n  check(job);\n  start(job, 2);\n  // ...\n}\n",
        # The comment belongs to the line below, which is shown.
        "  // ...\n  start(job, 2);\n  wait(job);\n}\n",
    ],
)
def test_a_comment_that_is_left_out_lets_a_line_next_to_it_be_a_new_version_of_the_hidden_one(sketch):
    old = (
        RUN
        if "check" in sketch
        else RUN.replace("  // Never twice\n", "").replace("  wait", "  // Then\n  wait")
    )
    found = texts(old, sketch)
    assert old.replace("1", "2") in found
    assert any(BESIDE.name in signs for signs in found.values())


def test_an_element_on_one_line_may_come_in_place_of_a_hidden_one_on_several_as_of_one_on_one_line():
    head, rest = "<head>\n  <meta charset='utf-8' />\n", "  <link rel='icon' href='/a.png' />\n</head>\n"
    new = "  <title>New</title>\n"
    for title in ("  <title>\n    Old name of it\n  </title>\n", "  <title>Old name of it</title>\n"):
        found = texts(head + title + rest, f"{head}{new}  <!-- ... -->\n")
        assert head + new + rest in found
        assert any(BESIDE.name in signs for signs in found.values())


def test_an_entry_of_which_the_first_line_has_two_letters_may_be_a_new_version_too():
    old = "# Docs\n\nname: x\n\non: push\n\njobs:\n  a: 1\n"
    found = texts(old, "on:\n  dispatch:\n\njobs:\n  a: 2\n")
    assert old.replace("on: push", "on:\n  dispatch:").replace("1", "2") in found
