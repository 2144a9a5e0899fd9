"""A stretch of a long file reads as it reads within the file, or there is none."""

import ast
import random
from collections import Counter
from pathlib import Path

import pytest

from fastedit.check import check_merge
from fastedit.check.change import Change
from fastedit.engine import Engine
from fastedit.request import EditRequest
from fastedit.source.definitions import definitions
from fastedit.source.document import Document
from fastedit.source.stretch import at_top_level, stretch, stretches
from fastedit.source.syntax import parse
from fastedit.source.update import Update

PYTHON = "# about {n}\n@cached\ndef f{n}(a):\n    def inner(b):\n        return b\n\n    return inner(a) + {n}\n\n\n"
GO = "// about {n}\nfunc f{n}(a int) int {{\n\tif a > 0 {{\n\t\treturn a\n\t}}\n\treturn {n}\n}}\n\n"


def long(piece, count=400):
    return tuple("".join(piece.format(n=n) for n in range(count)).split("\n"))


@pytest.mark.parametrize(("piece", "language"), [(PYTHON, "python"), (GO, "go")])
def test_it_tells_the_definition_around_a_line_as_the_whole_file_does(piece, language):
    lines = long(piece)
    whole = definitions(parse(lines, language))
    for line in range(1000, 1020):
        around = [item for item in whole if item.start <= line < item.stop]
        near = stretch(lines, line, line + 1, language)
        assert near is not None
        assert near.stop - near.start < 60
        assert near.enclosing(line, line + 1) == min(around, key=len, default=None)


def test_there_is_one_around_each_place_and_one_around_neighbours():
    lines = long(PYTHON)
    found = stretches(lines, [(1000, 1001), (1003, 1010), (2000, 2000)], "python")
    assert [item for item in (1000, 1003, 2000) for near in found if near.start < item < near.stop] == [
        1000,
        1003,
        2000,
    ]
    assert len(found) == 2
    assert stretches((*lines, 'text = """', *lines), [(1000, 1001), (5000, 5001)], "python") == ()


def test_there_is_none_in_a_short_file_or_one_whose_language_has_no_grammar():
    assert stretch(long(PYTHON, 20), 20, 21, "python") is None
    assert stretch(long(PYTHON), 1000, 1001, "text") is None


@pytest.mark.parametrize(
    ("piece", "language", "above"),
    [
        (PYTHON, "python", 'text = """'),
        (PYTHON, "python", "text = ''' # ''"),
        (GO, "go", "/* to be continued"),
        (GO, "go", "var a = []int{"),
    ],
)
def test_there_is_none_behind_what_may_still_be_open(piece, language, above):
    lines = (above, *long(piece))
    assert stretch(lines, 1000, 1001, language) is None


@pytest.mark.parametrize("above", ['# a """ in a comment', 'mark = \'"""\'', "text = 'It\\'s \"\"\"'"])
def test_in_python_a_quoted_delimiter_opens_nothing(above):
    assert stretch((above, *long(PYTHON)), 1000, 1001, "python") is not None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('var a = "("', "go"),
        ("var a = '{'", "go"),
        ("// a( first", "rust"),
        ("let a: &'static str = f('(');", "rust"),
        ("const a = 'one (' + `two {`;", "typescript"),
        ("/* \"( */ char a = '\"';", "c"),
    ],
)
def test_brackets_in_strings_and_comments_open_nothing(text, language):
    assert at_top_level(text, language)
    assert not at_top_level(f"{text}\n(", language)


@pytest.mark.parametrize("opening", ["/* ", '\\"', "\\`"])
def test_thousands_of_openings_that_nothing_ends_are_read_once(opening):
    # A search for the end at each of them would take minutes.
    text = f"({opening * 40_000}"
    assert not at_top_level(text, "javascript")
    assert at_top_level(f"{text}*/)" if opening == "/* " else f"{text})", "javascript")


QUOTED = ['"""', "'''", "'", '"', "#", "\\", "\n", "\\\n", "a = ", " ", "it"]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_in_python_strings_are_open_or_closed_as_its_own_parser_says():
    rng = random.Random(0)
    found: Counter[bool] = Counter()
    while min(found[True], found[False]) < 40:
        above = "".join(rng.choices(QUOTED, k=rng.randrange(4, 14)))
        try:
            ast.parse(above)
            closed = True
        except SyntaxError as error:
            if error.msg.startswith("unterminated triple-quoted"):
                closed = False
            else:
                continue  # no file that has it parses
        lines = (*above.split("\n"), *long(PYTHON))
        assert (stretch(lines, 1000, 1001, "python") is not None) == closed, above
        found[closed] += 1


def test_there_is_none_where_it_has_an_error():
    lines = list(long(PYTHON))
    lines[1000] = "    return ((("
    assert stretch(tuple(lines), 1001, 1002, "python") is None


def applied(sketch):
    text = "\n".join(long(PYTHON.removeprefix("# about {n}\n@cached\n")))
    request = EditRequest(Document.from_text(text, Path("a.py")), None, sketch, policy="merge")
    return Engine.load().apply(request)


def test_in_a_long_file_an_edit_is_made_and_checked_as_in_a_short_one():
    result = applied("# ...\ndef f200(a):\n    # ...\n    return inner(a) - 200\n# ...\n")
    assert result.reasons == ()
    assert result.text.count("inner(a) - 200") == 1


def test_a_rename_across_a_long_file_is_checked_as_in_a_short_one(monkeypatch):
    lines = (*long(PYTHON), "print(f10(1))")
    request = EditRequest(
        Document.from_text("\n".join(lines), Path("a.py")), "rename f10 to other", policy="merge"
    )
    change = Change(request.document, Engine.load().apply(request).hunks, None, None, "strong")
    assert len(change.parts) == 2
    found = check_merge(request.document, change.hunks, Update(()))
    assert "the function f10 vanishes, and nobody asked for that" in [one.reason for one in found]
    monkeypatch.setattr("fastedit.source.stretch._LONG_FILE", 10**9)
    assert check_merge(request.document, change.hunks, Update(())) == found


@pytest.mark.parametrize(
    ("sketch", "reason"),
    [
        (
            "# ...\ndef f200(a):\n    # ...\n    return inner(a) + 200\n    continue\n# ...\n",
            "not valid python",
        ),
        (
            "# ...\ndef f200(a):\n    # ...\n    return inner(a) + 200\n\n\ndef f7(a):\n    return a\n\n\n# ...\n",
            "f7 is now defined 2 times",
        ),
        (
            "# ...\ndef f200(a):\n    # ...\n    return inner(a) - 200\n# ...\ndef f300(a):\n    # ...\n"
            "    return inner(a) + 300\n\n\ndef f7(a):\n    return a\n\n\n# ...\n",
            "f7 is now defined 2 times",
        ),
    ],
)
def test_what_is_wrong_is_told_as_of_the_whole_file(sketch, reason, monkeypatch):
    reasons = applied(sketch).reasons
    assert any(reason in one for one in reasons), reasons
    monkeypatch.setattr("fastedit.source.stretch._LONG_FILE", 10**9)
    assert applied(sketch).reasons == reasons
