"""Updates laid onto documents: readings, what is asked of a model, and what a person may choose."""

from __future__ import annotations

import re
from difflib import unified_diff
from math import exp
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.connect import Hangup
from fastedit.engine.answers import choice
from fastedit.engine.edits.plan import EditPlan
from fastedit.engine.merge.doubt import doubts_about
from fastedit.engine.merge.merge import Merge
from fastedit.engine.models.chat import Answered, Wrote
from fastedit.errors import AnchorNotFound, Cancelled, TooLong, UnreadableEdit, UsageError
from fastedit.readings import LIKELY, share
from fastedit.request import LineRange
from fastedit.result import Receipt
from fastedit.sketch.align import Alignment, shipped
from fastedit.sketch.read.updates import read_update
from fastedit.source.hunks import apply_hunks, changed_lines
from tests.connect.fake import running

TWICE = """\
class Store:
    def load(self):
        return self.items

    def save(self):
        return None


class Cache:
    def load(self):
        return self.items

    def drop(self):
        self.items.clear()

    def size(self):
        return len(self.items)
"""
EITHER = "    def load(self):\n        return dict(self.items)\n"
SHOWN = f"class Cache:\n{EITHER}\n    # ... existing code ...\n"
IN_STORE = TWICE.replace("return self.items", "return dict(self.items)", 1)
IN_CACHE = "return dict(self.items)".join(TWICE.rsplit("return self.items", 1))


def asked(update: str, source: str = TWICE, **more) -> EditRequest:
    return EditRequest(Document.from_text(source, Path("a.py")), update=update, **more)


def test_an_update_that_says_its_place_needs_no_model():
    result = Engine("/nowhere").apply(asked(SHOWN))
    assert (result.status, result.reasons, result.alternatives) == (Status.OK, (), ())
    assert result.text == IN_CACHE
    assert result.receipt.confidence > 0.9


def test_what_may_mean_two_places_comes_back_with_both_and_says_where_they_part():
    result = Engine.load().apply(asked(EITHER))
    assert result.status is Status.SUSPECT
    assert result.receipt.passes == 0, "a model trained to write edits is not asked"
    texts = {result.text, *(apply_hunks(result.document, other.hunks) for other in result.alternatives)}
    assert {IN_STORE, IN_CACHE} <= texts
    [reason] = result.reasons
    assert re.search(
        r"sure \(reading 2: \d+ %.*\): update line 1 \(`.+`\) is file line (2, or is file line 10|10, or .* 2);",
        reason,
    )


BLANKS = [
    'A = """\nfoo\nbar\n"""\n\nB = """\nfoo\nbar\n"""\n',
    "def a():\n    foo\n    bar\n    one()\n\n\ndef b():\n    foo\n    bar\n    two()\n",
]


@pytest.mark.parametrize("source", BLANKS)
def test_a_blank_line_that_may_come_at_two_places_is_held_back_with_both(source):
    indent = "    " * source.startswith("def")
    update = f"# ... existing code ...\n{indent}foo\n\n{indent}bar\n# ... existing code ...\n"
    result = Engine("/nowhere").apply(asked(update, source, policy="merge"))
    assert result.status is Status.SUSPECT
    places = {hunks[0].start for hunks in (result.hunks, *(other.hunks for other in result.alternatives))}
    lines = source.splitlines()
    assert places == {row + 1 for row, line in enumerate(lines) if line.strip() == "foo"}


def test_a_blank_line_that_has_one_place_is_added():
    result = Engine("/nowhere").apply(asked("# ...\ndef a():\n    foo\n\n    bar\n    # ...\n", BLANKS[1]))
    assert (result.status, result.text) == (Status.OK, BLANKS[1].replace("foo\n", "foo\n\n", 1))


def test_in_a_long_file_new_code_beside_lines_that_stand_often_may_be_at_each_of_them():
    calls = "".join(f"A{n} = f(\n    {n},\n)\n\n" for n in range(25))
    rows = "".join(f"u{n} = {n}\n" for n in range(400))
    source = f"{calls}{rows}\n\nif __name__ == '__main__':\n    write(\n        1,\n    )\n"
    update = "# ... existing code ...\n)\nlog()\n\n\n# ... existing code ...\n"
    result = Engine("/nowhere").apply(asked(update, source, policy="merge"))
    assert result.status is Status.SUSPECT
    assert len(result.alternatives) == 2


def test_a_definition_that_the_file_lacks_is_named_first():
    update = "def close(a):\n    # ... existing code ...\n    log(a)\n    return None\n"
    result = Engine("/nowhere").apply(asked(update, policy="merge"))
    assert result.status is Status.SUSPECT
    assert (
        result.reasons[0] == "a marker in the update stands for code of close, which the file does not have"
    )


@pytest.mark.parametrize(
    ("posterior", "said"), [(0.9599, "95 %"), (0.01, "1 %"), (0.0099, "under 1 %"), (0, "under 1 %")]
)
def test_a_share_is_never_rounded_up_to_sure_or_down_to_nothing(posterior, said):
    assert share(posterior) == said


@pytest.mark.parametrize("number", [1, 2])
def test_a_reading_that_was_chosen_is_delivered(number):
    offered = Engine("/nowhere").apply(asked(EITHER, policy="merge"))
    texts = [offered.text, *(apply_hunks(offered.document, other.hunks) for other in offered.alternatives)]
    chosen = Engine("/nowhere").apply(asked(EITHER, choice=number))
    assert chosen.status is Status.OK
    assert chosen.text == texts[number - 1]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"update": SHOWN, "choice": 2}, "no reading 2: the update has 1"),
        ({"update": EITHER, "choice": 0}, "counted from 1"),
        ({"update": EITHER, "time_limit": 0.0}, "above 0 seconds"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_with_the_reason(wish, said):
    with pytest.raises(UsageError, match=said):
        Engine("/nowhere").apply(asked(**wish))


@pytest.mark.parametrize("update", ["# ... existing code ...\n", "# methods stay as they are\n"])
def test_an_update_of_markers_alone_is_refused_for_what_it_says(update):
    with pytest.raises(UnreadableEdit, match="holds no code"):
        Engine("/nowhere").apply(asked(update))


CHILDREN = """\
public class Children {
    private Deque<Child> children = new Deque<>();

    public void onShown(Child child) {
        children.push(child);
    }

    private boolean isTop(Child child) {
        return children.peek().equals(child);
    }

    public int size() {
        return children.size();
    }

    public void onGone(Child child) {
        children.remove(child);
    }
}
"""
TYPED = """\
private Deque<Child<?>> children = new Deque<>();

public void onShown(Child<?> child) {
    // ... existing code ...
}

private boolean isTop(Child<?> child) {
    // ... existing code ...
}

public void onGone(Child<?> child) {
    // ... existing code ...
}
"""


def test_no_reading_is_offered_that_a_check_would_hold_back_again():
    document = Document.from_text(CHILDREN, Path("Children.java"))
    merge = Merge(document, TYPED, LineRange(0, len(document.lines)))
    ruled_out = [one for one in merge.every if one.broken and one.posterior >= LIKELY]
    assert ruled_out, "the case has none to leave out"
    for number in range(1, len(merge.offered) + 1):
        request = EditRequest(document, update=TYPED, policy="merge", choice=number)
        assert Engine("/nowhere").apply(request).status is Status.OK


def test_a_choice_needs_an_update():
    request = EditRequest(Document.from_text(TWICE), instruction="tidy load up", choice=1)
    with pytest.raises(UsageError, match="only an update sketch has several readings"):
        Engine("/nowhere").apply(request)


@pytest.mark.parametrize("update", ["def other():\n    pass\n", "make it faster, please"])
def test_an_update_of_which_nothing_stands_in_the_file_is_refused(update):
    with pytest.raises(AnchorNotFound, match=r"a\.py: nothing in the update tells where it belongs"):
        Engine("/nowhere").apply(asked(update))


def test_an_empty_file_becomes_the_update():
    assert Engine("/nowhere").apply(asked("x = 1\n", source="")).text == "x = 1\n"


def test_lines_and_symbol_say_which_place_is_meant():
    for narrowed in ({"symbol": "Cache"}, {"lines": LineRange(8, 13)}):
        result = Engine("/nowhere").apply(asked(f"{EITHER}\n    # ... existing code ...\n", **narrowed))
        assert result.text == IN_CACHE


ARMS = "match self {\n    Frame::Ping => 0x01,\n    Frame::Data(_) => 0x03,\n    Frame::Close => 0x04,\n}\n"
RESET = "    Frame::Reset => 0x05,\n"
FIRST = "    Frame::Open => 0x00,\n"


@pytest.mark.parametrize(
    ("update", "text"),
    [
        (f"match self {{\n    // ... existing arms ...\n{RESET}}}\n", ARMS.replace("}", f"{RESET}}}")),
        (f"match self {{\n{FIRST}    // ... existing arms ...\n}}\n", ARMS.replace("{\n", "{\n" + FIRST)),
    ],
)
def test_a_new_entry_beside_a_marker_may_be_taken_for_one_more(update, text):
    request = EditRequest(Document.from_text(ARMS, Path("frame.rs")), None, update, policy="merge")
    result = Engine.load().apply(request)
    offered = [result.hunks, *(one.hunks for one in result.alternatives)]
    assert text in [apply_hunks(request.document, hunks) for hunks in offered]


def test_a_marker_in_a_new_example_of_prose_reaches_the_file():
    update = "More words.\n\n## Use\n\n```go\nfunc Use() {\n    //...\n}\n```\n"
    document = Document.from_text("# Docs\n\nSome words.\n\nMore words.\n", Path("a.md"))
    result = Engine.load().apply(EditRequest(document, None, update, policy="merge"))
    assert (result.status, result.text) == (Status.OK, "# Docs\n\nSome words.\n\n" + update)


THOUGHT = "<think>\nIs it A or B? A copy is wanted, so B.\n</think>\nB"


class Answers:
    """In place of a model's chat: what it says is given, what it is asked is kept."""

    def __init__(self, text: str, finish: str = "stop") -> None:
        self.text, self.finish, self.questions, self.limits = text, finish, list[str](), list[int | None]()

    def __call__(self, model, request, settings, hangup):
        self.questions.append(request.messages[-1][1])
        self.limits.append(request.max_tokens)
        yield Wrote(self.text)
        yield Answered(Receipt(model, output_tokens=1, passes=1), self.finish)


@pytest.mark.parametrize(
    ("said", "index"),
    [
        ("A", 0),
        ("B", 1),
        ("Result B.", 1),
        ("**B**\n", 1),
        ("B:\n\nA cache is not a store.", 1),
        (THOUGHT, 1),
        ("b", 1),
        ("`load` of Cache is not shown, so it stays. **A**", 0),
        ("The class is not shown.\nIt is Cache. B.", 1),
    ],
)
def test_another_model_settles_which_of_two_readings_is_meant_by_one_letter(monkeypatch, said, index):
    offered = Engine("/nowhere").apply(asked(EITHER, policy="merge"))
    texts = [offered.text, apply_hunks(offered.document, offered.alternatives[0].hunks)]
    answers = Answers(said)
    monkeypatch.setattr(choice, "chat", answers)
    result = Engine("http://127.0.0.1:1/v1#big").apply(asked(EITHER, instruction="copy what load gives"))
    assert (result.status, result.text) == (Status.OK, texts[index])
    assert result.receipt.passes == 1
    assert answers.limits == [None]  # a server counts what a model thinks before the letter
    (question,) = answers.questions
    assert "copy what load gives" in question
    assert question.count("+        return dict(self.items)") == 2
    assert result.notes == (f"the model was asked which reading is meant, and took number {index + 1} of 2",)


def test_a_question_shows_as_much_around_equal_places_as_tells_them_apart():
    same = "".join(f"        self.step({row})\n" for row in range(12)) + "        return self.items\n"
    source = (
        "".join(f"class {name}:\n    def load(self):\n{same}\n" for name in ("Store", "Cache")) + "\n" * 20
    )
    request = asked(same.replace("return self.items", "return dict(self.items)"), source)
    readings = Merge(request.document, request.update, LineRange(0, len(request.document.lines))).readings
    (_, (_, question)) = choice.question(request, readings)
    shown = re.findall(r"(?ms)^@@.*?@@$(.*?)^(?:Result|Which)", question)
    assert len(set(shown)) == len(readings) == 2


def test_a_question_about_a_long_file_has_the_lines_numbered_as_in_the_file():
    source = "".join(f"x{row} = {row}\n" for row in range(3000)) + TWICE
    request = asked(EITHER, source)
    readings = Merge(request.document, EITHER, LineRange(0, len(request.document.lines))).readings
    old = request.document.lines
    diffs = (unified_diff(old, changed_lines(old, one.hunks), n=4, lineterm="") for one in readings)
    sections = ["\n".join(list(diff)[2:]) for diff in diffs]
    (_, (_, question)) = choice.question(request, readings)
    assert len(sections) > 1
    assert all(f"as a diff of the file:\n{section}\n\n" in question for section in sections)


@pytest.mark.parametrize(
    ("said", "finish", "why"),
    [
        ("", "stop", "its answer is empty"),
        ("B", "content_filter", "it stopped (content_filter)"),
        ("C", "stop", "its answer is C"),
        ("It cannot be class A", "stop", "its answer is It cannot be class A"),
        ("A or B", "stop", "its answer is A or B"),
        ("A\n\nB", "stop", "its answer is A B"),
        ("It's not A", "stop", "its answer is It's not A"),
        ("A sketch like this has no place.", "stop", "its answer is A sketch like this has no place."),
        ("The update is about class B", "stop", "its answer is The update is about class B"),
        ("A", "length", "its answer was cut off at its limit of tokens"),
    ],
)
def test_an_answer_that_is_not_the_letter_of_a_reading_settles_nothing_and_is_told(
    monkeypatch, said, finish, why
):
    monkeypatch.setattr(choice, "chat", Answers(said, finish))
    result = Engine("http://127.0.0.1:1/v1#big").apply(asked(EITHER))
    assert result.status is Status.SUSPECT
    assert result.alternatives
    assert result.notes == (f"the model was asked which reading is meant, and settled nothing: {why}",)


def test_a_model_may_say_that_the_one_reading_left_is_meant_and_one_that_is_not_there_leaves_it(monkeypatch):
    request = asked("class Cache:\n    # ...\n    def load(self, wide):\n        return wide\n")
    assert (Engine("/nowhere").apply(request).status, len(EditPlan(request).merge.standing)) == (
        Status.SUSPECT,
        1,
    )
    monkeypatch.setattr(choice, "chat", Answers("A"))
    result = Engine("http://127.0.0.1:1/v1#big").apply(request)
    wide = "load(self, wide):\n        return wide\n".join(
        TWICE.rsplit("load(self):\n        return self.items\n", 1)
    )
    assert (result.status, result.text) == (Status.OK, wide)


@pytest.mark.parametrize(("update", "questions"), [(EITHER, 2), (f"{SHOWN}def load(\n", 1)])
def test_a_model_writes_the_edit_where_no_reading_is_meant_or_passes_the_checks(update, questions):
    with running() as fake:
        answer = IN_CACHE.replace("dict(", "list(")
        fake.says = lambda body: (
            "N" if "none of them (N)" in str(body["messages"]) else f"```python\n{answer}```\n"
        )
        result = Engine(fake.url).apply(asked(update))
    assert (result.status, result.text) == (Status.OK, answer)
    assert result.notes[-1] == "the model wrote the edit, as no reading of the update would do"
    assert len(fake.bodies) == questions


def test_an_edit_that_will_not_do_leaves_the_readings_of_which_the_model_takes_none():
    with running() as fake:
        fake.says = "N"
        result = Engine(fake.url).apply(asked(EITHER))
    assert (result.status, len(result.alternatives)) == (Status.SUSPECT, 1)
    assert "took none" in result.notes[0]
    assert "what it wrote will not do" in result.notes[1]


def test_a_server_that_is_not_there_leaves_both_readings_and_is_told():
    result = Engine("http://127.0.0.1:1/v1#big").apply(asked(EITHER, time_limit=2.0))
    assert result.status is Status.SUSPECT
    assert result.alternatives
    (note,) = result.notes
    assert note.startswith("the model was asked which reading is meant, and settled nothing: ")
    assert "127.0.0.1:1" in note


def test_a_local_chat_model_is_asked_too(talker):
    result = Engine.load(talker).apply(asked(EITHER))
    assert result.receipt.model == talker
    assert 0 < result.receipt.output_tokens <= 8


def test_a_region_for_a_model_comes_with_its_own_part_of_the_update():
    source = "".join(f"def f{n}(a):\n    x_{n} = a\n    return x_{n}\n\n\n" for n in range(60))
    update = (
        "# ...\ndef f3(a):\n    x_3 = a + 1\n    return x_3\n# ...\n"
        "def f50(a):\n    x_50 = a + 1\n    return x_50\n# ...\n"
    )
    parts = EditPlan(asked(update, source=source, policy="model")).parts
    assert [part.region.reason for part in parts] == ["function f3", "function f50"]
    for part, name in zip(parts, ("3", "50"), strict=True):
        assert part.task.update.texts == (
            "# ...",
            f"def f{name}(a):",
            f"    x_{name} = a + 1",
            f"    return x_{name}",
            "# ...",
        )
        assert part.task.targets == (None, 0, 1, 2, None)
        assert part.prediction.lines[1] == f"    x_{name} = a + 1"


def test_where_nothing_else_is_offered_nobody_is_told_to_choose():
    lines = "def f(a):\n    b = a\n    return b\n\n\ndef g(a):\n    return a\n"
    for update in ("def g(a):\n    return f(a)\n", EITHER):
        plan = EditPlan(asked(update, source=TWICE if update is EITHER else lines))
        told = any("choose a reading" in doubt for doubt in plan.doubts)
        assert told == any(not reading.objections for reading in plan.merge.offered[1:])


def functions(count: int) -> str:
    return "".join(f"def f{i}(a):\n    x = a + {i}\n    return x\n\n\n" for i in range(count))


def test_a_long_file_given_whole_is_laid_where_it_changes():
    old = functions(120)
    new = old.replace("a + 60\n", "a - 60\n")
    document = Document.from_text(old, Path("a.py"))
    best = Merge(document, new, LineRange(0, len(document.lines))).best
    assert apply_hunks(document, best.hunks) == new
    assert best.sure


def test_what_of_a_long_file_is_not_laid_stays_part_of_its_update():
    old = functions(120)
    document = Document.from_text(old, Path("a.py"))
    merge = Merge(document, old.replace("a + 60\n", "a - 60\n"), LineRange(0, len(document.lines)))
    assert len(merge.update.lines) == len(old.rstrip("\n").split("\n"))
    assert [(one.changed, one.file) for one in merge.taken(merge.best) if 301 in one.update] == [
        (True, range(301, 302))
    ]
    task = merge.task(LineRange(0, len(document.lines)), None, "python")
    assert task.update is not None
    assert [line.marker for line in task.update.lines[:: len(task.update.lines) - 1]] == [True, True]


def test_a_merge_that_nobody_waits_for_ends_before_its_next_reading():
    document = Document.from_text("x = 1\n" * 40, Path("a.py"))
    update = "# ... existing code ...\nx = 1\nx = 2\n# ... existing code ...\n"
    hangup = Hangup()
    merge = Merge(document, update, LineRange(0, 40), hangup=hangup)
    hangup()
    with pytest.raises(Cancelled):
        _ = merge.best


def test_an_update_of_too_many_lines_is_refused_with_a_way_out():
    document = Document.from_text("a = 1\nb = 2\n", Path("a.py"))
    with pytest.raises(TooLong, match=r"5000 lines, too many .* the 2 of a.py; send a diff or blocks"):
        Merge(document, "a = 1\n" * 5000, LineRange(0, 2))


NAMED = """\
import os
import sys


class Box:
    def empty(self):
        return 3

    def full(self):
        return 4


class Bag:
    def empty(self):
        return 5


def used():
    return 1


def idle():
    return 2


def main():
    return used()
"""
ASKED = "def asks():\n    return sys.stdin.read()\n\n\n"
ASKING = NAMED.replace("def main", f"{ASKED}def main")


@pytest.mark.parametrize(
    ("update", "gone"),
    [
        ("# removed: idle\n", "def idle():\n    return 2\n\n\n"),
        (
            "# ... existing code ...\n# removed: idle\n# ... existing code ...\n",
            "def idle():\n    return 2\n\n\n",
        ),
        ("# ...\n# removed: idle\n\ndef main():\n    # ...\n", "def idle():\n    return 2\n\n\n"),
        ("# removed: sys\n", "import sys\n"),
        ("# removed: Box.empty\n", "    def empty(self):\n        return 3\n\n"),
        ("# removed: def idle\n", "def idle():\n    return 2\n\n\n"),
        (
            "# ...\ndef idle():\n    return 2\n\n# removed: deprecated def main\n",
            "\n\ndef main():\n    return used()\n",
        ),
    ],
)
def test_a_note_that_names_one_thing_removes_that_and_nothing_else(update, gone):
    result = Engine("/nowhere").apply(asked(update, NAMED))
    assert (result.status, result.text) == (Status.OK, NAMED.replace(gone, ""))


def test_a_definition_that_a_note_names_may_have_had_the_last_use_of_an_import():
    result = Engine("/nowhere").apply(asked("# removed: asks\n", ASKING))
    assert (result.status, result.text) == (Status.OK, NAMED)


@pytest.mark.parametrize(
    "update",
    [
        "def asks():\n    return ask()\n",
        "# ...\n\ndef asks():\n    return ask()\n\n# ...\n",
        "import os\n# ...\n\ndef asks():\n    return ask()\n\n# ...\n",
    ],
)
def test_an_import_may_stay_whose_last_use_an_update_changes(update):
    result = Engine("/nowhere").apply(asked(update, ASKING))
    assert (result.status, result.text) == (Status.OK, ASKING.replace("sys.stdin.read()", "ask()"))


def test_an_import_goes_with_its_last_use():
    update = "import os\n\n\nclass Box:\n    # ...\n\n\ndef asks():\n    return ask()\n\n\n# ...\n"
    new = ASKING.replace("sys.stdin.read()", "ask()").replace("import sys\n", "")
    result = Engine("/nowhere").apply(asked(update, ASKING))
    assert (result.status, result.text) == (Status.OK, new)


def test_a_note_may_name_a_function_without_what_it_is_of():
    above, done = "int A::load()\n{\n  return 1;\n}\n\n", "int A::done()\n{\n  return 2;\n}\n\n"
    below = "int A::last()\n{\n  return 3;\n}\n"
    document = Document.from_text(f"{above}{done}{below}", Path("a.cpp"))
    result = Engine("/nowhere").apply(EditRequest(document, update="// removed: done\n"))
    assert (result.status, result.text) == (Status.OK, f"{above}{below}")


def test_a_note_may_name_a_module_as_its_first_line_does():
    above, tests = "fn run() -> u8 {\n    1\n}\n", "\n#[cfg(test)]\nmod tests {\n    fn runs() {}\n}\n"
    document = Document.from_text(f"{above}{tests}", Path("a.rs"))
    result = Engine("/nowhere").apply(EditRequest(document, update="// ...\n\n// removed: mod tests\n"))
    assert (result.status, result.text) == (Status.OK, above)


def test_a_class_with_a_constructor_goes_from_a_long_file_where_a_note_names_it():
    lines = "".join(f"    private int a{at} = {at};\n" for at in range(450))
    idle = "    static class Idle {\n        Idle(int a) {\n            run(a);\n        }\n    }\n\n"
    last = "    int last() {\n        return 1;\n    }\n}\n"
    old = f"class A {{\n{lines}\n{idle}{last}"
    document = Document.from_text(old, Path("A.java"))
    result = Engine("/nowhere").apply(EditRequest(document, update="    // removed: Idle\n"))
    assert result.text == old.replace(idle, "")


def test_a_note_that_names_nothing_in_the_file_removes_nothing():
    document = Document.from_text(NAMED, Path("a.py"))
    merge = Merge(document, "# removed: nobody\n", LineRange(0, len(document.lines)))
    assert not merge.best.sure
    assert (
        doubts_about(document, merge)[0]
        == "the update says that nobody is gone, but the file does not have it"
    )


PANEL = """\
export const Panel = () => (
  <section>
    <Rows />
    <footer>
      <Count />
    </footer>
  </section>
);
"""


def test_a_note_in_the_braces_of_jsx_is_no_code():
    update = "// ...\n    <Rows />\n    {/* footer removed */}\n  </section>\n// ...\n"
    document = Document.from_text(PANEL, Path("panel.tsx"))
    result = Engine("/nowhere").apply(EditRequest(document, update=update))
    assert result.text == PANEL.replace("    <footer>\n      <Count />\n    </footer>\n", "")


@pytest.mark.parametrize(
    "said",
    [
        "# a.py",
        "# src/a.py",
        "# File: a.py",
        "# a.py:4-7",
        "# In src/a.py:",
        "# a.py (updated)",
        "# src\\a.py",
    ],
)
def test_a_comment_that_says_which_file_a_sketch_is_for_is_no_code(said):
    result = Engine("/nowhere").apply(asked(f"{said}\n\n{SHOWN}"))
    assert (result.status, result.text) == (Status.OK, IN_CACHE)


@pytest.mark.parametrize("said", ["# Finds a text as a.py does", "# b.py:4-7", "# a.pyi (updated)"])
def test_a_comment_that_names_another_file_or_says_more_of_the_code_is_written(said):
    document = Document.from_text(TWICE, Path("a.py"))
    merge = Merge(document, f"{said}\n{SHOWN}", LineRange(0, len(document.lines)))
    assert said in apply_hunks(document, merge.best.hunks)


def test_a_comment_that_says_which_definition_a_piece_is_of_is_no_code():
    source = (
        "package app\n\n// Register adds a composer to the map that backs the sidebar,\n// if there is none yet.\n"
        "func Register(path string) error {\n\tentry := make(map[string]string)\n"
        '\tentry["external"] = pathToURI(path)\n\treturn save(entry)\n}\n'
    )
    piece = '// Register\n\tentry := make(map[string]string)\n\tentry["external"] = vscode.PathToURI(path)\n'
    result = Engine("/nowhere").apply(
        EditRequest(Document.from_text(source, Path("a.go")), update=f"{piece}\treturn save(entry)\n")
    )
    assert (result.status, result.text) == (Status.OK, source.replace("pathToURI", "vscode.PathToURI"))


def test_a_comment_above_the_head_of_a_table_that_it_names_is_written():
    source = "[client]\nport = 1\n\n[server]\nport = 1\nhost = 2\n"
    document = Document.from_text(source, Path("a.toml"))
    result = Engine("/nowhere").apply(EditRequest(document, update="# server\n[server]\nport = 2\n"))
    assert result.text == source.replace("[server]\nport = 1", "# server\n[server]\nport = 2")


def test_such_a_comment_stays_where_the_file_has_it():
    source = f"# a.py\n{TWICE}"
    result = Engine("/nowhere").apply(
        asked(f"# a.py\n{source.replace('return None', 'return 1', 1)[7:]}", source)
    )
    assert result.text == source.replace("return None", "return 1", 1)


LABEL = """\
fn label(key: &str) -> Kind {
    match key {
        "a" => Kind::First,
        _ => Kind::Other,
    }
}
"""
NEW_ARM = """\
fn label(key: &str) -> Kind {
    match key {
        // ... existing arms ...
        _ => {
            warn(key);
            Kind::Other
        }
    }
}
"""


def test_where_the_likeliest_text_says_a_thing_twice_one_that_replaces_it_is_looked_for():
    document = Document.from_text(LABEL, Path("a.rs"))
    merge = Merge(document, NEW_ARM, LineRange(0, len(document.lines)))
    wanted = NEW_ARM.replace("// ... existing arms ...", '"a" => Kind::First,')
    assert apply_hunks(document, merge.best.hunks) == wanted
    assert not merge.best.broken


def test_a_line_that_a_text_loses_can_be_kept():
    lines = ["def area(box):", "    side = box.right - box.left", "    return square(side)"]
    sketch = "def area(box):\n    box = box.normalized()\n    return square(side)\n"
    alignment = Alignment(lines, read_update(sketch, "python", lines))
    assert lines[1] not in alignment.best().text.lines
    assert lines[1] in alignment.otherwise(keeping=[(1, "side =")], dropping=[]).text.lines


def test_a_comment_on_a_line_of_its_own_that_speaks_of_the_edit_is_left_out_with_a_note():
    old = "import os\n\n\ndef load(path):\n    text = read(path)\n    return parse(text)\n"
    shown = "def load(path):\n    # NEW: empty files are fine now\n    text = read(path) or '{}'\n"
    sketch = f"{shown}    return parse(text)\n"
    document = Document.from_text(old, Path("store.py"))
    merge = Merge(document, sketch, LineRange(0, len(document.lines)))
    assert apply_hunks(document, merge.best.hunks) == old.replace("read(path)\n", "read(path) or '{}'\n")
    (note,) = merge.left_out(merge.best)
    assert note == "`# NEW: empty files are fine now` in update line 2 speaks of the edit and is left out"


def test_a_reading_without_a_comment_is_no_surer_than_that_it_speaks_of_the_edit():
    old = "import os\n\n\ndef load(path):\n    text = read(path)\n    return parse(text)\n"
    shown = "def load(path):\n    # NEW: empty files are fine now\n    text = read(path) or '{}'\n"
    document = Document.from_text(old, Path("store.py"))
    merge = Merge(document, f"{shown}    return parse(text)\n", LineRange(0, len(document.lines)))
    odds = shipped().wording.speaks("# NEW: empty files are fine now")
    assert merge.left_out(merge.best)
    assert merge.best.posterior <= 1.0 / (1.0 + exp(-odds))


@pytest.mark.parametrize(
    ("name", "old", "update", "new"),
    [
        (
            "a.css",
            ":root {\n  --accent: red;\n  --radius: 4px;\n}\n",
            "  --accent: red;\n  --border: gray;\n",
            ":root {\n  --accent: red;\n  --border: gray;\n  --radius: 4px;\n}\n",
        ),
        (
            "a.c",
            "void pop(queue *q) {\n    q->n = q->n - 1;\n}\n",
            "    q->n = q->n - 1;\n    --q->live;\n}\n",
            "void pop(queue *q) {\n    q->n = q->n - 1;\n    --q->live;\n}\n",
        ),
    ],
)
def test_a_property_of_css_and_a_decrement_are_no_comments(name, old, update, new):
    result = Engine.load().apply(EditRequest(Document.from_text(old, Path(name)), update=update))
    assert (result.status, result.text) == (Status.OK, new)


@pytest.mark.parametrize("change", ["        return 2\n", "        log()\n"])
def test_which_of_two_equal_methods_is_meant_is_not_told_by_the_end_of_the_file(change):
    method = "    def load(self):\n        a = 1\n        return 1\n"
    file = f"class A:\n{method}\n\nclass B:\n{method}"
    document = Document.from_text(file, path=Path("a.py"))
    update = f"    def load(self):\n        # ... existing code ...\n{change}"
    first, second, *_ = Merge(document, update, LineRange(0, len(document.lines))).offered
    assert not first.sure
    assert {hunk.start >= 6 for one in (first, second) for hunk in one.hunks} == {True, False}


@pytest.mark.parametrize("sketch", [")\nW = 5\n", ")\nW = call(\n    7,\n)\n"])
def test_new_code_beside_a_line_that_stands_elsewhere_too_is_not_surely_at_the_end_of_the_file(sketch):
    function = "def f(x):\n    y = g(\n        x,\n    )\n    return y\n"
    file = f"X = call(\n    1,\n)\n\n\n{function}\n\nZ = call(\n    3,\n)\n"
    document = Document.from_text(file, path=Path("a.py"))
    whole = LineRange(0, len(document.lines))
    assert not Merge(document, sketch, whole).best.sure
    assert Merge(document, f"    3,\n{sketch}", whole).best.sure


@pytest.mark.parametrize(
    "marker", ["# ... same for b() and c() ...", "# ... (add the timeout to the other requests too)"]
)
def test_a_marker_that_stands_for_changes_holds_the_edit_back_and_is_named(marker: str):
    source = "\n\n".join(f'def {name}():\n    return get("/{name}").json()\n' for name in "abc")
    update = f'def a():\n    return get("/a", timeout=5).json()\n\n\n{marker}\n'
    plan = EditPlan(asked(update, source))
    assert f"(`{marker}`) says that lines change too, but not how" in plan.doubts[0]
    assert not EditPlan(asked(update.replace(marker, "# ... rest of the file unchanged ..."), source)).doubts


METHODS = [f"    def m{n}(self, a):\n        b = self.load(a)\n        return b + {n}\n" for n in range(5)]


def _class_of(*methods: str) -> str:
    return "class Store:\n    limit = 3\n\n" + "\n".join(methods)


@pytest.mark.parametrize(
    ("update", "left"),
    [
        (_class_of(*METHODS[:2], *METHODS[3:]), [range(14, 17)]),  # all but one of them
        (_class_of(METHODS[4]), []),  # hardly any
        (_class_of(METHODS[0], "    # ...\n", METHODS[4]), []),
        (f"{METHODS[0]}\n{METHODS[4]}", []),
        ("    def m1(self, a):\n        # ...\n\n    def m3(self, a):\n        # ...\n", [range(14, 17)]),
        ("    def m1(self, a):\n        # ...\n\n    def m2(self, a):\n        # ...\n", []),
        # This may have been done before.
        (f"    def m1(self, a):\n        # ...\n\n{METHODS[3]}", []),
    ],
)
def test_lines_that_a_definition_shown_but_for_them_keeps_may_be_to_go(update, left):
    document = Document.from_text(f"import os\n\n\n{_class_of(*METHODS)}\n\nx = 1\n", Path("a.py"))
    merge = Merge(document, update, LineRange(0, len(document.lines)))
    unchanged = next(reading for reading in merge.every if not reading.hunks)
    assert list(merge.left_as_they_are(unchanged)) == left


RULES = """\
class A:
    def store(self, request):
        rules = {
            "serial": [
                "required",
                "string",
                check,
            ],
            "name": ["required"],
        }
        return self.validate(request, rules)

    def update(self, request):
        rules = {
            "serial": [
                "required",
                "integer",
                check,
            ],
            "name": ["required"],
        }
        return self.validate(request, rules)
"""
ALIKE = '            "serial": [\n                "required",\n                "string",\n                check,\n'


def test_what_changes_nothing_where_it_is_laid_may_be_for_a_place_that_differs_in_a_line():
    result = Engine("/nowhere").apply(asked(ALIKE, RULES))
    assert result.status is Status.SUSPECT
    texts = {result.text, *(apply_hunks(result.document, other.hunks) for other in result.alternatives)}
    assert texts == {RULES, RULES.replace("integer", "string")}


@pytest.mark.parametrize(
    "update",
    [
        f"    def store(self, request):\n        rules = {{\n{ALIKE}            ],\n            # ...\n",
        '                "string",\n                check,\n',  # as many lines differ
    ],
)
def test_what_is_sent_again_with_its_definition_or_little_else_is_unchanged(update):
    assert Engine("/nowhere").apply(asked(update, RULES)).status is Status.UNCHANGED


@pytest.mark.parametrize("note", ["// removed: two", "// two removed (now in utils)"])
def test_a_definition_goes_that_a_comment_between_two_others_says_is_gone(note):
    one, two, three = (
        f"function {name}(path) {{\n  return load(path);\n}}\n" for name in ("one", "two", "three")
    )
    request = EditRequest(
        Document.from_text(f"{one}\n{two}\n{three}", Path("a.js")), update=f"{one}\n{note}\n\n{three}"
    )
    result = Engine("/nowhere").apply(request)
    assert (result.status, result.text) == (Status.OK, f"{one}\n{three}")


COMMENTED = """\
function a(t) {
    first(t);
    if (t) {
        old(t);
        stay(t);
    }
    if (uvw) {
        hid1(t);
    }
}
"""


@pytest.mark.parametrize("comment", ["//        old(t);", "        // old(t);", "// old(t);"])
def test_code_that_is_commented_out_at_the_margin_moves_no_line_that_stays(comment):
    sketch = f"    if (t) {{\n{comment}\n        fresh(t);\n        stay(t);\n    }}\n    if (uvw) {{\n    // ...\n"
    request = EditRequest(Document.from_text(COMMENTED, Path("a.js")), update=sketch)
    result = Engine("/nowhere").apply(request)
    want = COMMENTED.replace("        old(t);", f"{comment}\n        fresh(t);")
    assert (result.status, result.text) == (Status.OK, want)


def test_lines_that_are_commented_out_are_neither_markers_nor_notes_about_what_goes():
    old = (
        "import { one, two, three } from 'plugins';\n\nexport const name = 'x';\n\nexport default {\n  plugins: [\n"
        "    one(),\n    two({\n      deep: true,\n    }),\n    three(),\n  ],\n};\n"
    )
    new = old.replace(
        "    two({\n      deep: true,\n    }),\n", "    // two({\n    //   deep: true,\n    // }),\n"
    )
    sketch = "// ... existing code ...\n\n" + new.partition("'x';\n\n")[2]
    document = Document.from_text(old, Path("a.js"))
    merge = Merge(document, sketch, LineRange(0, len(document.lines)))
    assert apply_hunks(document, merge.best.hunks) == new
    assert not merge.left_out(merge.best)
