"""Lines that repeat themselves: milliseconds each, and minutes by a pattern that starts over at every place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fastedit.check import marker
from fastedit.check.change import Change
from fastedit.english.grammar import normal
from fastedit.english.said import read
from fastedit.english.words import words
from fastedit.formats.base import ModifyFile, join_modifications
from fastedit.formats.diffs import udiff
from fastedit.formats.diffs.udiff_header import FileHeader
from fastedit.formats.diffs.udiff_hunk import read_hunk_header
from fastedit.formats.diffs.v4a_lines import read_command
from fastedit.formats.files import whole
from fastedit.formats.hashline.anchor import file_tag
from fastedit.formats.hashline.span import without_prefixes
from fastedit.formats.hashline.text import HEADER, operation_of
from fastedit.formats.markdown.thought import thought_of
from fastedit.formats.resolution.rewriting import spelled_as
from fastedit.locate.filemap import file_map
from fastedit.ops.keys.css import Css
from fastedit.ops.keys.json import Json
from fastedit.plan.answer import without_thought
from fastedit.plan.base import DocumentTask
from fastedit.plan.find import wanted_lines
from fastedit.plan.rewrite import stretches_in
from fastedit.request import LineRange
from fastedit.sketch.align import Alignment
from fastedit.sketch.features.apart import Apart
from fastedit.sketch.features.blocks import Blocks
from fastedit.sketch.features.facts import Facts
from fastedit.sketch.features.likeness import Likeness
from fastedit.sketch.features.openers import Openers
from fastedit.sketch.read.inline import Inline, inline_marker
from fastedit.sketch.read.names import code_of
from fastedit.sketch.read.reading import Outline, target_of
from fastedit.sketch.read.removals import removed_names
from fastedit.sketch.read.updates import read_update
from fastedit.sketch.read.wording import Wording
from fastedit.sketch.remarks import without_remarks
from fastedit.sketch.signs.signs import Signs
from fastedit.source.document import Document
from fastedit.source.fences import OPENING, fenced
from fastedit.source.hunks import Hunk
from fastedit.source.languages import named
from fastedit.source.markers import begins_with_dots
from fastedit.source.outline import definition_name

MANY = 60_000


def _part(language: str, line: str) -> object:
    part = named(language).part
    return part and part.match(line)


def _remarks(line: str) -> int:
    lines = ("limit = 2",)
    return len(without_remarks(read_update(line, "python", lines), lines, Wording())[1])


def _wanted(line: str) -> object:
    task = DocumentTask(Document.from_text("limit = 2\n", Path("a.py")), None, "python", budget=1)
    return wanted_lines((task,), line)


def _versions(line: str) -> object:
    """The lines of the file that a line of an update may be a version of."""
    lines = ("limit = 2",)
    facts = Facts(Outline(lines, language="python"), read_update(line, "python", lines))
    openers = Openers(facts)
    return Likeness(facts, Apart(facts, openers, Blocks(facts, openers))).changed


def _inline(line: str) -> Inline | None:
    return inline_marker(line, named("python"))


def _hides(line: str) -> bool:
    """Whether a rule takes dots of the line, with which a file begins anew, for a marker."""
    update = read_update(line, "python", ())
    hunks = (Hunk(0, 0, (line,)),)
    return any(marker.RULE.check(Change(Document.from_text("", Path("a.py")), hunks, None, update, "merge")))


def _said(line: str) -> int:
    """How long a comment of two lines is, of which this is the first."""
    update = read_update(f"# {line}\n# b\nlimit = 3\n", "python", ("limit = 2",))
    return len(Facts(Outline(("limit = 2",), language="python"), update).said(0))


def _is_reached(line: str) -> bool:
    lines = ("def f(a):", "    return a", "")
    new = f"def f(a):\n    {line}\n    return a\n"
    alignment = Alignment(lines, read_update(new, "python", lines))
    best = alignment.best()
    return "a line is never reached" not in Signs(alignment.file, alignment.sketch).of(best.text, best.path)


def _refused_as_json(line: str) -> bool:
    with pytest.raises(ValueError):
        Json.data(line)
    return True


@pytest.mark.parametrize(
    ("reader", "line", "wanted"),
    [
        (normal, "`" * MANY, "`" * MANY),
        *((lambda line: len(words(line)), sign * MANY, MANY) for sign in "`/<“"),
        (lambda line: len(words(line)), "a--" * (MANY // 10), MANY // 10 * 3),
        (lambda line: without_prefixes(["1:ab| x", line], 1)[0], " " * MANY, " x"),
        (read_command, " " * MANY + "!", None),
        (lambda line: read_hunk_header(line).start, "@@ -1" + " " * MANY + "x @@", None),
        (lambda line: file_tag("").digest(line), " " * MANY + "x", "5AF1"),
        (lambda line: file_map(Document.from_text(line)).definitions, "[" + " " * MANY, ()),
        (lambda line: list(udiff.FORMAT.find(line.split("\n"))), "\n" * MANY, []),
        (lambda line: list(whole.FORMAT.find(line.split("\n"))), "\n" * MANY + "x", []),
        (lambda line: list(whole.FORMAT.find(line.split("\n"))), "<pre>\n" * MANY + "</pre>\n", []),
        (lambda line: len(join_modifications([ModifyFile(line, ())] * MANY)), "a.py", 1),
        (thought_of, "<think>" + "</think" * MANY, ""),
        (
            lambda line: FileHeader({"diff ": line}).sides[1],
            "--git" + " a" * MANY,
            "a" + " a" * (MANY // 2 - 1),
        ),
        (lambda line: FileHeader({"diff ": line}).sides[1], "--git" + " a" * (MANY + 1) + "b", None),
        (OPENING.fullmatch, "~" * MANY + "`", None),
        (lambda line: HEADER.sub(r"\g<marked>", line), "¶" + " " * MANY + "x", " " * MANY + "x"),
        (HEADER.fullmatch, "[*** Edit File: " + " " * MANY, None),
        (operation_of, "PUT 1" + " " * MANY + "!", None),
        (operation_of, "PUT" + " " * MANY + "!", None),
        (
            lambda line: spelled_as(f"’{line}", f"'{line}", f"'{line}b", plain=True),
            "a " * MANY,
            "’" + "a " * MANY + "b",
        ),
        (without_thought, "<think>a" * MANY, ""),
        (without_thought, "<|a|>" * MANY + "x", "<|a|>" * (MANY - 8) + "x"),
        (lambda line: len(fenced(line)), "`" * MANY, 3 * MANY + 4),
        (_wanted, "LINES: 1-2" + " " * MANY + "x", {"a.py": [LineRange(0, 1)]}),
        (lambda line: stretches_in(f"<a>{line}</a>", ["a"]), " " * MANY + "x", [" " * MANY + "x"]),
        (_wanted, "LINES: a.py" + " 1" * MANY + "x", {}),
        (target_of, "self." * MANY, None),
        *((_inline, f"a{text * MANY}", None) for text in ("/*", "a.", "a..", "(", " ")),
        *((_hides, f"<a{text * MANY}", False) for text in ("a...", " ", " ... a")),
        (removed_names, "# removed: a" + " (b" * MANY, []),
        (begins_with_dots, "# (" + " " * MANY + "x", False),
        (lambda line: _part("markdown", line), "# " + " " * MANY, None),
        (lambda line: _part("css", line), "a" + " " * MANY + "x", None),
        (lambda line: _part("toml", line), "[" + "a " * MANY, None),
        (lambda line: _part("ini", line), "[a]" + " " * MANY + "x", None),
        (definition_name, "impl<" + "> a" * MANY + " = 1", None),
        (code_of, '\\"' * MANY, '\\"' * MANY),
        *((_remarks, text * MANY, 0) for text in ("a  ", "/* ", "# ", '"')),
        (_remarks, "a = b" + " " * MANY + "c", 0),
        *((_versions, text * MANY, {}) for text in ("a:", "a ", "a = ")),
        (lambda line: len(read(line).mentions), "a_b " * MANY, MANY),
        (lambda line: read(line).blocks, "```\n" + " " * MANY, ()),
        *((_refused_as_json, text * MANY, True) for text in ('\\"', "{} /* ")),
        (_said, "." * MANY + "a", 3),
        (_is_reached, "return" + " if a" * MANY + " else b", False),
        (lambda line: len(Css.data(line)), "a{}" * (MANY // 10), MANY // 10),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_line_that_repeats_itself_is_read_at_once(
    reader: Callable[[str], object], line: str, wanted: object
):
    assert reader(line) == wanted
