"""What a sentence says against a reading of it, and code that it would tear apart."""

from __future__ import annotations

import pytest

from fastedit.edit.codemod import predict_instruction

SCRIPT = """\
import { read } from "./old";

const COLORS = ["red", "green", "blue"];
const opts = { retries: 3, timeout: 30 };

function flush(data) {
  // the first try
  console.log("saved");
  return 2;
}

function next(data) {
  const step = data + 1;
  if (step > 3)
    stop(step);
  return step;
}
"""
SHAPES = """\
namespace geo {

class Shape {
public:
    explicit Shape(std::string name) : name_(name) {}
    const std::string &name() const { return name_; }

private:
    std::string name_;
};

double sum(int n)
{
    return n;
}

}  // namespace geo
"""


def result(text: str, source: str = SCRIPT, language: str = "javascript") -> tuple[str, bool] | None:
    """The new text and whether nothing speaks against it, None where it is not understood."""
    found = predict_instruction(source.split("\n"), language, text)
    return None if found is None else ("\n".join(found.lines), not found.reasons)


@pytest.mark.parametrize(
    "text",
    [
        "flush returns 2, not 3",
        "flush returns 2 instead of 3",
        "flush must return not 3 but 2",
        "timeout is 30, it should not be 60",
        "timeout 60 is too much",
        "timeout = 60 would be too much",
        'replace "stored" with "saved"',
        'say "saved", not "stored"',
        '"saved" instead of "stored"',
        "use `data + 1`, not `data - 1`",
        "`data - 1` was replaced by `data + 1`",
        "replace the comment `the last try` by `the first try`",
        "import read from `./old` instead of `./new`",
    ],
)
def test_what_is_said_to_go_never_takes_the_place_of_what_the_file_has(text: str) -> None:
    assert result(text) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("flush should return 3, not 2", "return 2;", "return 3;"),
        ('say "stored", not "saved"', '"saved"', '"stored"'),
        ("use `data - 1`, not `data + 1`", "data + 1", "data - 1"),
    ],
)
def test_what_is_said_to_go_goes(text: str, old: str, new: str) -> None:
    assert result(text) == (SCRIPT.replace(old, new), True)


@pytest.mark.parametrize(
    "text",
    [
        "COLORS: everything except blue should go",
        "remove everything but blue from COLORS",
        "keep just 'blue' in COLORS, drop the rest",
        "COLORS: purge the rest, 'blue' stays",
        "COLORS has 'blue', the others must go",
        "remove COLORS except for 'blue'",
        "remove COLORS but keep 'blue'",
        "skip everything in COLORS other than 'blue'",
    ],
)
def test_the_entry_that_is_to_stay_is_not_removed(text: str) -> None:
    assert result(text) is None


@pytest.mark.parametrize("text", ["COLORS should contain everything except 'blue'", "COLORS minus 'blue'"])
def test_the_one_entry_that_is_excepted_from_those_that_stay_is_removed(text: str) -> None:
    assert result(text) == (SCRIPT.replace(', "blue"]', "]"), True)


@pytest.mark.parametrize(
    "text",
    [
        "remove the line `stop(step);`",
        "comment out `stop(step);`",
        "duplicate the line `stop(step);`",
        "add `log(step);` after `stop(step);`",
        "add `log(step);` before `stop(step);`",
    ],
)
def test_a_body_without_braces_that_loses_its_statement_or_gets_another_is_doubted(text: str) -> None:
    found = result(text)
    assert found is not None
    assert not found[1]


def test_a_line_behind_a_body_without_braces_is_no_part_of_it() -> None:
    put = SCRIPT.replace("  return step;", "  log(step);\n  return step;")
    assert result("add `log(step);` before `return step;`") == (put, True)


def test_a_value_that_the_place_leaves_without_a_new_one_is_left_alone() -> None:
    assert result("use size_t for n in sum", SHAPES, "cpp") is None


def test_a_method_that_has_the_name_of_a_parameter_is_doubted() -> None:
    found = result("rename name to label", SHAPES, "cpp")
    assert found is not None
    assert not found[1]


def test_the_comment_behind_a_closing_brace_is_renamed_with_what_it_closes() -> None:
    put = SHAPES.replace("namespace geo", "namespace plane")
    assert result("rename the namespace geo to plane", SHAPES, "cpp") == (put, True)


@pytest.mark.parametrize("head", ["if (data)", "while (data)", "#ifdef DEBUG"])
def test_the_head_of_a_statement_is_no_test_of_an_if(head: str) -> None:
    assert result(f"""wrap `console.log("saved");` in `{head}`""") is None


def test_a_name_that_is_a_plain_word_is_renamed_too_and_not_overheard() -> None:
    source = SCRIPT.replace("next(", "finish(")
    put = source.replace("finish(", "complete(").replace("COLORS", "PAINTS")
    assert result("Rename finish to complete. Also rename COLORS to PAINTS.", source) == (put, True)
