"""When a function is left, and with which exception."""

from __future__ import annotations

import pytest

from .reading import doubted, predicted, surely

PYTHON = """\
TEMPLATES = {}


def render(name, template):
    return TEMPLATES[name].format(template)


def find(orders, wanted):
    for order in orders:
        if order == wanted:
            return order
    return None


def pay(order):
    if order.paid:
        raise ValueError("paid")
    if order.lost:
        return None
    return order
"""
SCRIPT = """\
export function login(email: string, session: Session) {
  if (session.closed) {
    throw new Error("closed");
  }
  return connect(email);
}
"""
GO = """\
func (p *Pool) Put(conn *Conn, addr string) bool {
	p.conns = append(p.conns, conn)
	return true
}
"""
POOL = """\
func (p *Pool) Get() (*Conn, error) {
	if p.closed {
		return nil, ErrClosed
	}
	return nil, errors.New("none left")
}
"""
JAVA = """\
class Notes {
    void add(String note) {
        if (full()) {
            throw new IllegalStateException("full");
        }
        notes.add(note);
    }
}
"""


@pytest.mark.parametrize(
    ("text", "test", "leave"),
    [
        (
            'In `render`, raise KeyError("no") if name is not in TEMPLATES.',
            "name not in TEMPLATES",
            'raise KeyError("no")',
        ),
        ("return None from render if template is None", "template is None", "return None"),
        ("render should return 1 when template is not None", "template is not None", "return 1"),
        ("return early at the top of render if template is empty", "not template", "return"),
    ],
)
def test_a_guard_of_python_is_said_in_words(text, test, leave):
    wanted = PYTHON.replace("template):\n", f"template):\n    if {test}:\n        {leave}\n", 1)
    assert surely(text, PYTHON, "python") == wanted


@pytest.mark.parametrize(
    ("text", "source", "language", "head", "guard"),
    [
        (
            'throw new Error("who") at the top of login if email is empty',
            SCRIPT,
            "typescript",
            "Session) {\n",
            '  if (!email) {\n    throw new Error("who");\n  }\n',
        ),
        (
            "return null from login if session is undefined",
            SCRIPT,
            "typescript",
            "Session) {\n",
            "  if (session === undefined) {\n    return null;\n  }\n",
        ),
        (
            "Put should return false if conn is nil",
            GO,
            "go",
            "bool {\n",
            "\tif conn == nil {\n\t\treturn false\n\t}\n",
        ),
        (
            "Put should return false if addr is empty",
            GO,
            "go",
            "bool {\n",
            '\tif addr == "" {\n\t\treturn false\n\t}\n',
        ),
        (
            "add should return if note is null",
            JAVA,
            "java",
            "note) {\n",
            "        if (note == null) {\n            return;\n        }\n",
        ),
    ],
)
def test_a_guard_of_other_languages_is_said_in_words(text, source, language, head, guard):
    assert surely(text, source, language) == source.replace(head, head + guard, 1)


@pytest.mark.parametrize(
    "text",
    [
        "return None from render unless template is None",
        "don't return None from render if template is None",
        "return None from render if name is not in NAMES",
        "return None from render if template is broken",
        "return None from render if template is None or name is None",
        "should render return None if template is None?",
    ],
)
def test_a_guard_that_is_not_wanted_or_whose_test_is_no_plain_one_is_left_alone(text):
    assert doubted(text, PYTHON, "python")


def test_what_is_empty_depends_on_its_type():
    assert doubted("return from login if session is empty", SCRIPT, "typescript")


@pytest.mark.parametrize(
    "text",
    [
        "find should raise KeyError(wanted) instead of returning None",
        "raise KeyError(wanted) instead of returning None in find",
    ],
)
def test_a_function_raises_what_it_returned_nothing_for(text):
    assert surely(text, PYTHON, "python") == PYTHON.replace(
        "    return None\n", "    raise KeyError(wanted)\n", 1
    )


@pytest.mark.parametrize(
    "text",
    [
        "find should return None instead of raising KeyError(wanted)",
        "raise KeyError(wanted) instead of returning None",
        "find should not raise KeyError(wanted) instead of returning None",
    ],
)
def test_what_is_returned_in_several_functions_or_to_stay_is_left_alone(text):
    assert doubted(text, PYTHON, "python")


@pytest.mark.parametrize(
    ("text", "source", "language", "old", "new"),
    [
        ("raise a KeyError instead of ValueError in pay", PYTHON, "python", "ValueError", "KeyError"),
        ("pay should raise RuntimeError, not ValueError", PYTHON, "python", "ValueError", "RuntimeError"),
        ("throw a RangeError instead of Error in login", SCRIPT, "typescript", "new Error", "new RangeError"),
        (
            "add should throw IllegalArgumentException instead of IllegalStateException",
            JAVA,
            "java",
            "IllegalStateException",
            "IllegalArgumentException",
        ),
    ],
)
def test_another_exception_is_raised(text, source, language, old, new):
    assert surely(text, source, language) == source.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("raise PayError instead of ValueError in pay", PYTHON),
        ("pay should raise ValueError instead of KeyError", PYTHON),
        ("don't raise a KeyError instead of ValueError in pay", PYTHON),
        ("raise a KeyError instead of ValueError", PYTHON + '    raise ValueError("x")\n'),
        (
            "raise a KeyError instead of ValueError in pay",
            PYTHON + "\n\ntry:\n    pay(1)\nexcept ValueError:\n    pass\n",
        ),
    ],
)
def test_an_exception_that_is_unknown_or_caught_or_raised_twice_is_not_sure(text, source):
    assert doubted(text, source, "python")


def test_an_exception_that_java_wants_declared_is_not_sure():
    assert doubted("throw an IOException instead of IllegalStateException in add", JAVA, "java")


@pytest.mark.parametrize(
    ("text", "source", "language", "old", "new"),
    [
        (
            "find should return False instead of None",
            PYTHON,
            "python",
            "    return None\n\n\ndef pay",
            "    return False\n\n\ndef pay",
        ),
        (
            "return 0 instead of None in find",
            PYTHON,
            "python",
            "    return None\n\n\ndef pay",
            "    return 0\n\n\ndef pay",
        ),
        (
            "return order instead of None in pay",
            PYTHON,
            "python",
            "        return None\n",
            "        return order\n",
        ),
        (
            'return ErrClosed instead of errors.New("none left") in Get',
            POOL,
            "go",
            'errors.New("none left")',
            "ErrClosed",
        ),
    ],
)
def test_one_of_what_a_function_returns_gives_way_to_something_else(text, source, language, old, new):
    found = predicted(text, source, language)
    assert ("\n".join(found.lines) if found else source) == source.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "find should not return order",
        "find should never return None",
        "return False instead of None",
        "find should return None instead of 3",
        "don't return False instead of None in find",
    ],
)
def test_what_is_not_to_be_returned_is_not_taken_away(text):
    assert doubted(text, PYTHON, "python")


@pytest.mark.parametrize(
    ("text", "source", "language"),
    [
        ("return early from Put if conn is nil", GO, "go"),
        ("Put should return false if addr is nil", GO, "go"),
        ("return early from login if session is null", SCRIPT, "typescript"),
    ],
)
def test_a_guard_that_the_types_of_a_function_refuse_is_not_sure(text, source, language):
    assert doubted(text, source, language)
