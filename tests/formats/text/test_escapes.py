from pathlib import Path

import pytest

from fastedit.formats.resolution.resolve import resolve
from fastedit.source.document import Document
from tests.formats.placing import applied, lines, placed, problem, steps, string


def told(path: str, text: str, old: str, new: str) -> str:
    """What is said about a hunk that replaces a string in a file, empty where it is placed."""
    (report,) = resolve(Document.from_text(text, Path(path)), [string(old, new)]).reports
    return report.problem


def test_one_level_of_string_escapes_too_many_is_taken_off():
    text = 'def f():\n\tprint("a")\n'
    hunk = string('def f():\\n\\tprint(\\"a\\")', 'def f():\\n\\tprint(\\"b\\\\n\\")')
    assert not placed(text, hunk).is_complete  # the old text does not show that backslashes are doubled
    hunk = string('def f():\\n\\tprint(\\"a\\")', 'def f():\\n\\tprint(\\"b\\")')
    assert applied(text, hunk) == 'def f():\n\tprint("b")\n'
    assert steps(text, hunk) == ["escapes"]


def test_escapes_that_the_file_has_itself_are_exact():
    text = 'print("a\\n")\n'
    assert steps(text, string('"a\\n"', '"b\\n"')) == ["exact"]
    assert applied(text, string('"a\\n"', '"b\\n"')) == 'print("b\\n")\n'


def test_escaped_whole_lines_are_whole_lines():
    assert applied('"a"\nb\n"ab"\n', lines('\\"a\\"\\nb\\n', '\\"A\\"\\nb\\n')) == '"A"\nb\n"ab"\n'


def test_entities_throughout_a_hunk_are_the_signs_that_they_stand_for():
    text = 'if a < b && "c" {\n}\n'
    hunk = string("if a &lt; b &amp;&amp; &quot;c&quot;", "if a &gt; b &amp;&amp; &quot;&amp;lt;&quot;")
    assert applied(text, hunk) == 'if a > b && "&lt;" {\n}\n'
    assert steps(text, hunk) == ["escapes"]


def test_entities_beside_bare_signs_are_text():
    assert not placed("if a < b {\n", string("if a &lt; b", 'if a < b && c == "&lt;"')).is_complete


def test_a_written_line_break_between_a_line_of_the_file_and_another_is_none():
    assert problem("one = 1\ntwo = 2\n", string("two = 2", "two = 2\\nthree = 3")) == (
        "hunk 1: its new text has `\\n` in place of a line break, at `two = 2\\nthree = 3`; send the line break itself"
    )
    assert told("a.md", "# A\n\n## B\n", "## B", "## C\\n\\nText.\\n\\n## B")
    assert told("a.env", "A=1\n", "A=1", "A=1\\nB=2")
    assert told("a.py", "# one\nx = 1\n", "# one", "# one\\r\\n# two")


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("a.py", 'print("hello")\n', "hello", "hello\\nworld"),
        ("a.py", 'HELP = """\nhello\n"""\n', "hello", "hello\\nworld"),
        ("a.sh", "printf one\n", "printf one", "printf one\\n"),
        ("a.conf", 'format "%a"\n', 'format "%a"', 'format "%a\\n%b"'),
        ("a.conf", "one\\ntwo\n", "one", "zero"),
        ("a.properties", "help=Use it\n", "help=Use it", "help=Use it\\n-v tells more"),
        ("a.tex", "\\small\nHello\n", "\\small", "\\small\\noindent"),
        ("a.tex", "\\section{A}\nHello\n", "Hello", "Hello\\newline"),
    ],
)
def test_escapes_of_line_breaks_in_strings_are_text(path: str, text: str, old: str, new: str):
    assert not told(path, text, old, new)


@pytest.mark.parametrize("path", ["a.js", "a.py", "a.rs"])
def test_an_entity_in_code_is_refused(path: str):
    assert told(path, "a = x;\n", "x", "b &lt; c") == (
        "its new text has `&lt;` in code; send the sign that it stands for"
    )


@pytest.mark.parametrize(
    ("path", "text", "new"),
    [
        ("a.js", 'a = "x";\n', "&lt;"),
        ("a.js", "a = x;\n", "b.replace(/&lt;/g, '<')"),
        ("a.jsx", "const a = <p>x</p>;\n", "b &lt; c"),
        ("a.java", "/** x */\nclass A {}\n", "b &lt; c"),
        ("a.html", "<p>x</p>\n", "b &lt; c"),
        ("a.md", "x\n", "b &lt; c"),
        ("a.c", "int f(int lt) { int *a = x; }\n", "&lt"),
        ("a.c", "int f(int lt) { x }\n", "g(&lt); return &lt;"),
        ("a.js", "a = x + '&lt;';\n", "b &lt; c"),
    ],
)
def test_an_entity_that_the_language_may_mean_is_written(path: str, text: str, new: str):
    assert not told(path, text, "x", new)


def test_a_hunk_with_escapes_like_those_of_another_one_that_was_escaped_is_refused():
    text = 'set -e\necho "start"\nrun\n'
    escaped = lines('echo \\"start\\"', 'echo \\"begin\\"')
    assert 'hunk 2: its new text has `\\"`, which hunk 1 has for the sign itself' in problem(
        text, escaped, lines("run", 'run\necho \\"done\\"')
    )
    assert (
        applied(text, escaped, lines("run", 'run\necho "done"')) == 'set -e\necho "begin"\nrun\necho "done"\n'
    )
    kept = text.replace("run", 'echo "a \\" b"')
    assert applied(kept, escaped, lines('echo "a \\" b"', 'echo "c \\" d"')).endswith('echo "c \\" d"\n')
    assert applied(text, lines("run", 'run\necho "a \\" b"')) == f'{text}echo "a \\" b"\n'
