"""What people type without quotes, and what they call a thing by."""

from __future__ import annotations

import pytest

from fastedit.edit.merge import Prediction

from . import reading

PYTHON = """\
import time
from pathlib import Path

TABLES = ["users", "orders"]


class Job:
    def push(self, job):
        if len(self.jobs) >= self.limit:
            raise ValueError("queue is full")
        self.jobs.append(job)


def count(path, retries=3, limit=10):
    print("reading", path)
    time.sleep(1)
    return len(Path(path).read_text())


def read(rows, column):
    return rows[column]
"""
SCRIPT = """\
const options = {
  locale: "en",
};

function total(items, quantity) {
  console.log(items);
  if (items == undefined) {
    throw new Error("no items");
  }
  return quantity;
}

class Cart {
  clear() {
    this.items.length = 0;
  }
}
"""


def predicted(text: str, source: str = PYTHON, language: str = "python") -> Prediction | None:
    return reading.predicted(text, source, language)


def surely(text: str, source: str = PYTHON, language: str = "python") -> str:
    return reading.surely(text, source, language)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("add verbose=False as a parameter to read", "rows, column)", "rows, column, verbose=False)"),
        ("pass exist_ok=True to Path", "Path(path)", "Path(path, exist_ok=True)"),
        ("use > instead of >= in push", ">= self", "> self"),
        ("add a type hint for path (str) in count", "count(path", "count(path: str"),
        ("rows is a list[dict]", "read(rows", "read(rows: list[dict]"),
    ],
)
def test_code_that_nothing_else_is_spelled_like_needs_no_quotes(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ('docstring for read: "One column."', "column):\n", 'column):\n    """One column."""\n'),
        ('add "items" to TABLES', '"orders"]', '"orders", "items"]'),
        ("count returns int, add that annotation", "limit=10):", "limit=10) -> int:"),
        ("rename read to pick pls", "def read", "def pick"),
    ],
)
def test_a_name_that_is_also_a_word_is_known_by_where_it_stands(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("retries should be an int", "retries=3", "retries: int = 3"),
        ("limit is an int", "limit=10", "limit: int = 10"),
        ("column defaults to 0", "column)", "column=0)"),
        ("default retries to 5", "retries=3", "retries=5"),
    ],
)
def test_a_parameter_that_only_one_function_has_needs_no_function(text, old, new):
    assert surely(text) == PYTHON.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rows defaults to 0", "a parameter without a default follows"),
        ("retries should be a str", "its default is of another type"),
    ],
)
def test_what_a_signature_does_not_allow_is_a_reason(text, why):
    found = predicted(text)
    assert found is not None
    assert why in found.reasons


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("get rid of the debug print in count", '    print("reading", path)\n'),
        ("drop the sleep call", "    time.sleep(1)\n"),
        ("kill the print", '    print("reading", path)\n'),
    ],
)
def test_a_statement_may_be_said_by_what_it_calls(text, gone):
    assert surely(text) == PYTHON.replace(gone, "", 1)


def test_a_call_whose_result_is_used_is_no_statement_that_goes():
    assert predicted("remove the len call in count") is None


def test_of_two_calls_none_is_said_by_its_name():
    twice = PYTHON.replace("    time.sleep(1)\n", "    time.sleep(1)\n    time.sleep(2)\n")
    assert predicted("remove the sleep call", twice) is None


def test_the_only_error_message_of_a_place_needs_no_quoting():
    wanted = PYTHON.replace("queue is full", "too many jobs")
    assert surely('the error message in push should say "too many jobs"') == wanted
    twice = PYTHON.replace("    return rows", '    raise KeyError("no")\n    return rows')
    assert predicted('change the error message to "too many jobs"', twice) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("remove the console.log", "  console.log(items);\n", ""),
        ("quantity defaults to 1", "quantity)", "quantity = 1)"),
        ('add currency: "EUR" to options', '"en",\n', '"en",\n  currency: "EUR",\n'),
        ("add a discount = 0 param to total", "quantity)", "quantity, discount = 0)"),
        ("add beep(1) at the top of clear", "  clear() {\n", "  clear() {\n    beep(1);\n"),
        ('Error should say "empty"', '"no items"', '"empty"'),
    ],
)
def test_scripts_are_spoken_of_as_plainly(text, old, new):
    assert surely(text, SCRIPT, "javascript") == SCRIPT.replace(old, new, 1)


def test_an_operator_gives_way_to_none_but_another():
    found = predicted("x is None please, not ==", "if x == None:\n    pass\n")
    assert found is None


def test_two_wishes_joined_by_and_do_not_vouch_for_each_other():
    text = 'OPEN = "open"\nnote = "new"\n'
    assert predicted('change the value of OPEN to "new" and the note to "open"', text) is None


def test_a_function_that_runs_a_loop_or_promises_nothing_is_no_coroutine_by_a_word():
    for source, language in (
        ("def run():\n    asyncio.run(work())\n", "python"),
        ("class A {\n  run(): void {\n    go();\n  }\n}\n", "typescript"),
    ):
        found = predicted("make run async", source, language)
        assert found is not None
        assert found.reasons


WORKER = """\
from dataclasses import dataclass

SIZES = {
    "small": 10,
    "large": 1000,
}
PORT = 80


@dataclass
class Worker:
    name: str
    done: bool = False

    def size(self):
        return len(self.name)

    def reset(self):
        self.done = False

    def scale(self, factor):
        if not self.done:
            print(factor)
        return factor


def render(path):
    return "at %s" % (path)


async def handle(path, sep):
    body = render(path)
    if not body:
        raise ValueError(sep)
    return body


def mean(rows):
    return sum(rows) / len(rows)
"""
GO = """\
type Worker struct {
	Name string
}

func New(name string) *Worker {
	return &Worker{Name: name}
}

func (w *Worker) Run() error {
	return w.process("x")
}

func (w *Worker) process(job string) error {
	return nil
}
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (
            "mean should return 0 when rows is empty",
            "(rows):\n",
            "(rows):\n    if not rows:\n        return 0\n",
        ),
        (
            'scale should raise ValueError("no") if factor <= 0',
            "factor):\n",
            'factor):\n        if factor <= 0:\n            raise ValueError("no")\n',
        ),
        (
            "in mean, return early if rows is None",
            "(rows):\n",
            "(rows):\n    if rows is None:\n        return\n",
        ),
    ],
)
def test_a_guard_is_understood_in_plain_words(text, old, new):
    assert surely(text, WORKER) == WORKER.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "mean should return 0 unless rows is empty",
        "mean should return 0 only if rows is None",
        "render returns 0 when rows is empty",
    ],
)
def test_a_guard_whose_condition_is_turned_round_or_unknown_is_not_sure(text):
    found = predicted(text, WORKER)
    assert found is None or found.reasons


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("remove the large entry from SIZES", '    "large": 1000,\n', ""),
        ("add a medium key to SIZES with value 100", "1000,\n", '1000,\n    "medium": 100,\n'),
        ('add a field `owner: str = ""` to Worker', "bool = False\n", 'bool = False\n    owner: str = ""\n'),
    ],
)
def test_mappings_and_classes_get_and_lose_entries_by_their_keys(text, old, new):
    assert surely(text, WORKER) == WORKER.replace(old, new, 1)


def test_a_key_that_is_read_elsewhere_does_not_go_unasked():
    found = predicted("remove the large entry from SIZES", WORKER + 'print(SIZES["large"])\n')
    assert found is not None
    assert found.reasons


def test_a_field_that_every_maker_must_pass_is_not_sure():
    found = predicted("add a field `owner: str` to Worker", WORKER)
    assert found is not None
    assert "a field without a default follows one that has one" in found.reasons


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("rename handle's sep param to glue", "sep", "glue"),
        ("factor -> ratio in scale", "factor", "ratio"),
        ("port should be 8080", "PORT = 80", "PORT = 8080"),
    ],
)
def test_whose_it_is_or_its_capitals_may_be_said_in_short(text, old, new):
    assert surely(text, WORKER) == WORKER.replace(old, new)


def test_an_arrow_to_a_type_or_to_a_known_name_renames_nothing():
    assert surely("mean -> float", WORKER) == WORKER.replace("mean(rows):", "mean(rows) -> float:")
    assert predicted("sep -> path", WORKER) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("turn size into a property", "    def size", "    @property\n    def size"),
        ("flip the done check", "if not self.done", "if self.done"),
        ("have reset return self", "self.done = False\n\n", "self.done = False\n        return self\n\n"),
        ("use an f-string in render", '"at %s" % (path)', 'f"at {path}"'),
        (
            "log the error before raising in handle: log(sep)",
            "        raise",
            "        log(sep)\n        raise",
        ),
    ],
)
def test_a_place_may_be_told_by_what_only_it_has(text, old, new):
    assert surely(text, WORKER) == WORKER.replace(old, new, 1)


def test_coroutines_await_a_function_that_becomes_one():
    wanted = WORKER.replace("def render", "async def render").replace("= render(", "= await render(")
    assert surely("make render async", WORKER) == wanted
    found = predicted("make render async", WORKER + "print(render('x'))\n")
    assert found is not None
    assert found.reasons


def test_a_call_outside_of_the_file_takes_an_argument_without_a_word_for_it():
    wanted = PYTHON.replace("Path(path)", "Path(path, strict=True)")
    assert surely("Path needs strict=True") == wanted
    assert predicted("read needs strict=True") is None


def test_a_stricter_comparison_takes_the_place_of_the_only_loose_one():
    assert surely("use === there", SCRIPT, "javascript") == SCRIPT.replace("==", "===")
    assert predicted("use === there", SCRIPT.replace("quantity;", "quantity == 1;"), "javascript") is None


def test_methods_of_go_are_renamed_with_what_is_called_on_their_receiver():
    assert surely("rename process to handle", GO, "go") == GO.replace("process", "handle")


def test_a_parameter_with_its_type_stands_in_the_language_s_order():
    found = predicted("add a size int param to New", GO, "go")
    assert found is not None
    assert "New(name string, size int)" in found.lines[4]


JAVA = """\
public class Account {
    private List<String> log = new ArrayList<>();
    private double balance;

    void deposit(double amount) {
        balance += amount;
        log.add("deposit");
    }

    double getBalance() {
        return balance;
    }
}
"""
CLOSE = """\
import time


def close(db):
    db.commit()
    db.close()


def wait(tries):
    time.sleep(1)
    if tries > 80:
        raise ValueError("x")
"""


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("getBalance should be public", "    double get", "    public double get"),
        ("make log final", "private List", "private final List"),
        ("put a comment on deposit: `Adds.`", "    void", "    // Adds.\n    void"),
    ],
)
def test_what_a_class_declares_gets_a_modifier_or_a_comment(text, old, new):
    assert surely(text, JAVA, "java") == JAVA.replace(old, new, 1)


def test_what_is_set_again_does_not_become_final_unasked():
    found = predicted("make balance final", JAVA, "java")
    assert found is not None
    assert found.reasons


def test_both_lines_of_a_function_change_places():
    wanted = CLOSE.replace("    db.commit()\n    db.close()\n", "    db.close()\n    db.commit()\n")
    assert surely("swap the two lines in close", CLOSE) == wanted
    assert predicted("swap the two lines in wait", CLOSE) is None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("sleep 2 seconds instead of 1", "sleep(1)", "sleep(2)"),
        ("100 tries, not 80", "> 80", "> 100"),
        ("raise at 80 -> 90 tries", "> 80", "> 90"),
    ],
)
def test_a_number_takes_the_place_of_another_where_all_words_are_those_of_its_line(text, old, new):
    found = predicted(text, CLOSE)
    assert found is None or "\n".join(found.lines) == CLOSE.replace(old, new, 1)


@pytest.mark.parametrize(
    "text",
    [
        "buffer of 2 instead of 1",
        "never sleep 2 seconds instead of 1",
        "sleep 1 second instead of 2",
        "2 or 3, not 1",
    ],
)
def test_a_number_that_other_words_may_be_about_is_not_surely_changed(text):
    assert reading.doubted(text, CLOSE, "python")


def test_a_type_is_no_value():
    assert predicted("limit should be an int", "class A:\n    limit = 10\n") is None


def test_a_module_s_variable_gets_a_type_where_no_function_has_one_of_its_name():
    text = "_cache = {}\n\n\ndef clear():\n    global _cache\n    _cache = {}\n"
    assert surely("_cache should be typed as dict", text) == text.replace(
        "_cache = {}", "_cache: dict = {}", 1
    )
    found = predicted("_cache should be typed as dict", text.replace("    global _cache\n", ""))
    assert found is not None
    assert found.reasons


def test_the_only_return_of_a_function_goes_but_not_one_of_two():
    text = "def save(x):\n    x.save()\n    return x\n"
    assert surely("drop the return in save", text) == "def save(x):\n    x.save()\n"
    twice = text.replace("    x.save()", "    if x:\n        return 1")
    assert reading.doubted("drop the return in save", twice, "python")


def test_a_script_s_variable_is_declared_by_another_word():
    text = "var items = [];\nlet sum = 0;\nsum += 1;\n"
    assert surely("use let for items instead of var", text, "javascript") == text.replace("var", "let")
    found = predicted("make sum a const", text, "javascript")
    assert found is not None
    assert "it is given a value again" in found.reasons


def test_a_guard_ends_as_statements_of_its_file_do():
    wanted = SCRIPT.replace("quantity) {\n", "quantity) {\n  if (quantity < 1) {\n    return 0;\n  }\n")
    assert surely("total should return 0 if quantity < 1", SCRIPT, "javascript") == wanted


def test_a_value_that_would_have_to_change_with_its_type_is_a_reason():
    found = predicted("HOSTS should be a list", 'HOSTS = ("a", "b")\n')
    assert found is not None
    assert "its value is of another type" in found.reasons


def test_a_call_that_a_function_makes_already_is_not_surely_made_again_to_be_returned():
    found = predicted("have run return work(1)", "def run():\n    work(1)\n    print(2)\n")
    assert found is not None
    assert found.reasons


def test_a_line_of_a_class_s_text_is_none_of_its_fields():
    text = 'class A:\n    """A.\n\n    note: text\n    """\n\n    def f(self):\n        pass\n'
    assert predicted("add a field `x: int = 0` to A", text) is None


def test_what_commonjs_exports_in_one_place_gets_no_export_of_its_own():
    text = "function load() {\n  return 1;\n}\n"
    assert surely("export load as well", text, "javascript") == f"export {text}"
    assert predicted("export load as well", text + "\nmodule.exports = { run };\n", "javascript") is None
