"""A strong model behind an instruction: whatever shape its answer has, it is the edit that it means, or an error."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine import Progressed, Resulted
from fastedit.errors import AnchorNotFound, UnreadableAnswer, UsageError
from fastedit.request import LineRange
from tests.connect.fake import Fake, chunk, refuses, running, sends

STORE = '''\
"""Where notes are kept."""

import json
from pathlib import Path


class Store:
    """Notes in one file."""

    def __init__(self, path):
        self.path = Path(path)
        self.notes = []

    def load(self):
        self.notes = json.loads(self.path.read_text())

    def save(self):
        self.path.write_text(json.dumps(self.notes))

    def add(self, note):
        self.notes.append(note)
        self.save()


def main():
    store = Store("notes.json")
    store.load()
    store.add("hello")
'''
WANTED = STORE.replace("import json\n", "import json\nimport threading\n").replace(
    "        self.notes = []\n", "        self.notes = []\n        self.lock = threading.Lock()\n"
)
BLOCKS = """\
<<<<<<< SEARCH
import json
=======
import json
import threading
>>>>>>> REPLACE

<<<<<<< SEARCH
        self.notes = []
=======
        self.notes = []
        self.lock = threading.Lock()
>>>>>>> REPLACE
"""
SKETCH = """\
# ... existing code ...

import json
import threading
from pathlib import Path

# ... existing code ...

    def __init__(self, path):
        self.path = Path(path)
        self.notes = []
        self.lock = threading.Lock()

    def load(self):
        # ... existing code ...
"""
DIFF = """\
--- a/store.py
+++ b/store.py
@@ -3,2 +3,3 @@
 import json
+import threading
 from pathlib import Path
@@ -11,2 +12,3 @@
         self.path = Path(path)
         self.notes = []
+        self.lock = threading.Lock()
"""
PARTS = """\
First the import:

```python
import json
import threading
from pathlib import Path
```

Then the lock:

```python
    def __init__(self, path):
        self.path = Path(path)
        self.notes = []
        self.lock = threading.Lock()

    def load(self):
```
"""
CALL = (
    '{"tool_calls": [{"function": {"name": "str_replace", "arguments": {"old_str": "import json\\n", '
    '"new_str": "import json\\nimport threading\\n"}}}, {"function": {"name": "str_replace", "arguments": '
    '{"old_str": "self.notes = []\\n", "new_str": "self.notes = []\\n        self.lock = threading.Lock()\\n"}}}]}'
)
SHAPES = {
    "blocks": BLOCKS,
    "blocks in a fence": f"```\n{BLOCKS}```",
    "blocks behind a preamble": f"Sure! I added a lock.\n\n{BLOCKS}\nLet me know.",
    "blocks behind a thought": f"<think>\nMaybe ```python\nx\n``` or <<<<<<< SEARCH\n</think>\n\n{BLOCKS}",
    "blocks behind a thought that the template began": f"Let me see.\n</think>\n{BLOCKS}",
    "blocks with CR LF": BLOCKS.replace("\n", "\r\n"),
    "a sketch in a fence": f"Here it is:\n```python\n{SKETCH}```\n",
    "a bare sketch": SKETCH,
    "a sketch under its path": f"store.py\n```python\n{SKETCH}```",
    "several fences": PARTS,
    "a fence and a command": f"```python\n{SKETCH}```\nThen run:\n```bash\npytest -q\n```\n",
    "a diff": f"```diff\n{DIFF}```",
    "the whole file": f"```python\n{WANTED}```",
    "the whole file under its path": f"store.py\n```python\n{WANTED}```",
    "tags": f"<updated-code>\n{WANTED}</updated-code>",
    "tags behind a mention of them": f"Between <updated-code> tags:\n<updated-code>\n{WANTED}</updated-code>",
    "blocks between a template's tokens": f"<|im_start|>\n{BLOCKS}<|im_end|>\n<|endoftext|>",
    "tags around a fence": f"Done:\n<updated-code>\n```python\n{WANTED}```\n</updated-code>",
    "tool calls": CALL,
}


@pytest.fixture
def fake() -> Iterator[Fake]:
    with running() as fake:
        yield fake


def wish(instruction: str = "make the store thread-safe", text: str = STORE, **more) -> EditRequest:
    return EditRequest(Document.from_text(text, Path("store.py")), instruction, **more)


def says(fake: Fake, *answers: str) -> Engine:
    """An engine for a model that gives these answers in turn."""
    turns = cycle(answers)
    fake.says = lambda body: next(turns)
    return Engine.load(fake.url)


def question(body: dict) -> str:
    return body["messages"][1]["content"]


@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_of_any_shape_is_the_edit_that_it_means(fake, shape):
    result = says(fake, SHAPES[shape]).apply(wish())
    assert (result.status, result.reasons, result.text) == (Status.OK, (), WANTED)
    assert len(fake.asked) == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_line_ends_stay_whatever_the_answer_has(fake, shape):
    text = STORE.replace("\n", "\r\n").removesuffix("\r\n")
    result = says(fake, SHAPES[shape]).apply(wish(text=text))
    assert result.text == WANTED.replace("\n", "\r\n").removesuffix("\r\n")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "is empty"),
        ("<think>I wonder", "is empty"),
        ("I'm sorry, I can't help with that.", "has no edit in it (I'm sorry"),
        ("Done", "has no edit in it"),
        ("```python\nclass Store:\n", "is not closed"),
        (f"<updated-code>\n{WANTED}", "breaks off before </updated-code>"),
        ("<updated-code>\n</updated-code>", "cannot be applied|has no edit|nothing stands"),
        (BLOCKS.replace("import json\n", "import yaml\n", 1), "cannot be applied"),
        (
            BLOCKS.replace("        self.notes = []\n", "        self.save()\n", 0)[: len(BLOCKS) // 2],
            "cannot be",
        ),
        ("other.py\n" + BLOCKS, "for other.py, not for store.py"),
        ('{"operations": [{"op": "rename", "target": "Shop", "new": "Store"}]}', "cannot be applied"),
        ('{"operations": [{"op": "explode"}]}', "no such operation"),
    ],
)
def test_what_cannot_be_read_is_asked_for_once_more_and_then_an_error_of_the_models(fake, answer, said):
    with pytest.raises(UnreadableAnswer, match=said.replace("(", r"\(")) as error:
        says(fake, answer).apply(wish())
    assert "nothing was changed" in str(error.value)
    assert "\n" not in str(error.value)
    assert len(fake.asked) == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("<!DOCTYPE html>\n<html><body>502</body></html>", "web page"),
        ('{"error": {"message": "model is overloaded"}}', "model is overloaded"),
        ('{"detail": "Not Found"}', "Not Found"),
    ],
)
def test_a_page_or_an_error_in_place_of_an_answer_is_told_as_such_and_not_asked_again(fake, answer, said):
    with pytest.raises(UnreadableAnswer, match=said):
        says(fake, answer).apply(wish())
    assert len(fake.asked) == 1


@pytest.mark.parametrize(("finish", "said"), [("length", "cut off"), ("content_filter", "content_filter")])
def test_an_answer_that_the_server_ends_early_is_no_edit(fake, finish, said):
    fake.finish = finish
    with pytest.raises(UnreadableAnswer, match=said):
        says(fake, BLOCKS).apply(wish())


def test_a_model_that_would_change_nothing_is_believed(fake):
    says(fake, "NO CHANGE: the store is safe already.", "**NO CHANGE:** the store is safe already.")
    engine = Engine.load(fake.url)
    result = engine.apply(wish())
    assert result.status is Status.UNCHANGED
    assert engine.apply(wish()).notes == result.notes
    assert result.notes == ("the model would change nothing: the store is safe already.",)


@pytest.mark.parametrize(
    "answer",
    [
        "<updated-code>\n# NO CHANGE of this line\nlimit = 3\n</updated-code>",
        "--- a/store.py\n+++ b/store.py\n@@ -1,2 +1,2 @@\n-# NO CHANGE of this line\n-limit = 2\n"
        "+# NO CHANGE of this line\n+limit = 3\n",
    ],
)
def test_an_edit_is_one_whatever_its_lines_say(fake, answer):
    text = "# NO CHANGE of this line\nlimit = 2\n"
    result = says(fake, answer).apply(wish("the limit is 3", text))
    assert (result.status, result.text) == (Status.OK, text.replace("2", "3"))


def test_a_files_own_lines_may_hold_a_templates_tokens(fake):
    text = 'END = "<|endoftext|>"\nLIMIT = 2\n'
    answer = f"<updated-code>\n{text.replace('2', '3')}</updated-code><|im_end|>"
    result = says(fake, answer).apply(wish("the limit is 3", text))
    assert (result.status, result.text) == (Status.OK, text.replace("2", "3"))


def test_a_character_may_come_in_two_halves_and_never_in_one(fake):
    high, low = json.dumps("😀").strip('"')[:6], json.dumps("😀").strip('"')[6:]
    begun = json.dumps(chunk("<updated-code>\nface = 'HALF")).replace("HALF", high)
    ended = json.dumps(chunk("HALF'\n</updated-code>", "stop"))
    request = wish("smile", "face = ''\n")
    fake.always = sends(begun, ended.replace("HALF", low))
    assert Engine.load(fake.url).apply(request).text == "face = '😀'\n"
    fake.always = sends(begun, ended.replace("HALF", ""))
    fake.asked.clear()
    with pytest.raises(UnreadableAnswer, match="half a character"):
        Engine.load(fake.url).apply(request)
    assert len(fake.asked) == 1


def test_an_answer_with_nul_is_the_models_fault(fake):
    request = wish("smile", "face = ''\n")
    with pytest.raises(UnreadableAnswer, match="holds NUL"):
        says(fake, "<updated-code>\nface = '\0'\n</updated-code>").apply(request)


@pytest.mark.parametrize("line", ["LEFT OUT: a test, in tests/", "\n**LEFT OUT:** a test, in tests/\n"])
@pytest.mark.parametrize("edit", [BLOCKS, f"```python\n{WANTED}```\n"])
def test_what_a_model_leaves_out_as_it_belongs_into_another_file_is_told(fake, edit, line):
    result = says(fake, edit + line).apply(wish("make the store thread-safe and add a test"))
    assert (result.status, result.text) == (Status.OK, WANTED)
    assert result.notes == ("the model left out, as no other file was given: a test, in tests/",)


def test_a_model_is_told_what_is_wrong_with_its_answer_and_not_what_its_user_may_do(fake):
    says(fake, "Which lock do you mean?", BLOCKS).apply(wish())
    again = fake.bodies[1]["messages"][-1]["content"]
    assert "has no edit in it (Which lock do you mean?)\n" in again
    assert "another model" not in again


def test_a_sketch_with_two_readings_goes_back_with_both_and_a_way_that_has_one(fake):
    text = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"
    sketch = "```python\n# ...\n    x = 1\n    x += 1\n    return x\n# ...\n```"
    block = "<<<<<<< SEARCH\ndef b():\n    x = 1\n=======\ndef b():\n    x = 1\n    x += 1\n>>>>>>> REPLACE\n"
    result = says(fake, sketch, block).apply(wish("one more in b", text))
    assert (result.status, result.text) == (Status.OK, f"{text[:-13]}    x += 1\n    return x\n")
    again = fake.bodies[1]["messages"][-1]["content"]
    assert "it is not certain what the answer means: " in again
    assert "reading" not in again
    assert "; write the edit as SEARCH/REPLACE blocks" in again
    assert "choose" not in again


def test_a_fence_of_new_imports_alone_takes_no_other_imports_place(fake):
    text = STORE.replace("import json\n", "import json\nimport os\n")
    alone = PARTS.replace("import json\nimport threading\nfrom pathlib import Path\n", "import threading\n")
    result = says(fake, alone).apply(wish(text=text))
    wanted = WANTED.replace("import json\nimport threading\n", "import json\nimport os\n").replace(
        "from pathlib import Path\n", "from pathlib import Path\nimport threading\n"
    )
    assert (result.status, result.text) == (Status.OK, wanted)


def test_a_fence_with_a_part_of_the_file_deletes_nothing_that_it_does_not_show(fake):
    part = (
        "```python\n    def add(self, note):\n        self.notes.append(str(note))\n        self.save()\n```"
    )
    result = says(fake, part).apply(wish("add strings only"))
    assert result.text == STORE.replace("append(note)", "append(str(note))")


@pytest.mark.parametrize(
    "around",
    ["Done:\n\n```markdown\n{}```\nIt says 64 now.\n", "<updated-code>\n```md\n{}```\n</updated-code>"],
)
def test_a_file_with_fences_of_its_own_is_taken_out_of_the_answer_whole(fake, around):
    text = "# Store\n\n```sh\nmake\n```\n\nAt most 16.\n\n```python\nStore()\n```\n\nThe end.\n"
    new = text.replace("16", "64")
    request = EditRequest(Document.from_text(text, Path("README.md")), "the limit is 64")
    result = says(fake, around.format(new)).apply(request)
    assert (result.status, result.text) == (Status.OK, new)


def test_an_unplaced_hunk_goes_back_with_the_nearest_lines(fake):
    wrong = BLOCKS.replace("        self.notes = []\n", "        self.note = []\n", 1)
    result = says(fake, wrong, BLOCKS).apply(wish())
    assert (result.status, result.text) == (Status.OK, WANTED)
    again = fake.bodies[1]["messages"]
    assert [each["role"] for each in again] == ["system", "user", "assistant", "user"]
    assert again[2]["content"] == wrong
    assert "block 2: its old text is not in the file" in again[3]["content"]
    assert "\n    21 |         self.notes.append(note)" in again[3]["content"]
    assert again[:2] == fake.bodies[0]["messages"]
    assert "asked for again" in result.notes[-1]


IMPORT, LOCK = BLOCKS.split("\n\n")
FEWER = "<<<<<<< SEARCH\n        self.notes = []\n=======\n        self.notes = list()\n>>>>>>> REPLACE\n"


DOCSTRING = FEWER.replace("        self.notes = []", '    """Notes in one file."""').replace(
    "        self.notes = list()", '    """Notes."""'
)
SHORT = STORE.replace("Notes in one file.", "Notes.")
OPENED = FEWER.replace("list()", "list(")
OPERATIONS = (
    '{{"operations": [{{"op": "replace", "old": "self.notes = []", "new": "{new}"}}, '
    '{{"op": "rename", "target": "Store", "new": "Shop"}}]}}'
)


@pytest.mark.parametrize(
    "first",
    [
        f"{DOCSTRING}\n{FEWER.replace('= []', '= {}')}",
        f"{DOCSTRING}\n{OPENED}",
        f"{DOCSTRING}\n{FEWER.removesuffix('>>>>>>> REPLACE' + chr(10))}",
        f"```python\n{SHORT.replace('= []', '= list(')}```",
    ],
    ids=["no place", "syntax", "broken off", "whole file"],
)
def test_what_a_second_answer_says_nothing_about_stands_as_the_first_has_it(fake, first):
    result = says(fake, first, f"The bracket was missing:\n\n{FEWER}").apply(wish())
    assert (result.status, result.text) == (Status.OK, SHORT.replace("= []", "= list()"))
    assert result.notes[-1] == "of the first answer, what it changes at line 8 stands"
    assert says(fake, first, f"{DOCSTRING}\n{FEWER}").apply(wish()).notes == result.notes[:1]


def test_operations_that_a_second_answer_leaves_out_stand_where_another_was_refused(fake):
    first, second = OPERATIONS.format(new="self.notes = list("), FEWER
    result = says(fake, first, second).apply(wish("a Shop, with list()"))
    assert (result.status, result.text) == (
        Status.OK,
        STORE.replace("Store", "Shop").replace("= []", "= list()"),
    )


def test_what_a_second_answer_shows_as_it_was_does_not_stand(fake):
    start = STORE.index("class Store:")
    old = STORE[start : STORE.index("    def load")]
    new = old.replace("= []", "= list()")
    shows = f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    result = says(fake, f"{DOCSTRING}\n{OPENED}", shows).apply(wish())
    assert (result.status, result.text) == (Status.OK, STORE.replace("= []", "= list()"))


@pytest.mark.parametrize("wrong", [OPENED, FEWER.replace("= []", "= {}"), FEWER[:-16]])
def test_a_second_answer_that_has_nothing_in_place_of_what_was_wrong_is_held_back(fake, wrong):
    result = says(fake, f"{DOCSTRING}\n{wrong}", DOCSTRING).apply(wish())
    assert (result.status, result.text) == (Status.SUSPECT, SHORT)
    assert result.reasons[0].startswith("the model's second answer leaves out ")


def test_a_first_answer_stays_held_back_where_the_model_would_change_nothing_then(fake):
    result = says(fake, LOCK, "NO CHANGE: it is safe already").apply(wish())
    assert result.status is Status.SUSPECT
    assert "(FE108)" in result.reasons[0]
    assert result.notes[0] == "the model would change nothing: it is safe already"
    wrong = f"{DOCSTRING}\n{FEWER.replace('= []', '= {}')}"
    assert says(fake, wrong, "NO CHANGE: it is fine").apply(wish()).status is Status.SUSPECT


BETWEEN = f"{IMPORT}\n\nWait, that is not needed. The edit is only:\n\n{FEWER}"


def test_an_answer_with_words_between_its_edits_is_meant_where_the_model_repeats_it_in_other_words(fake):
    result = says(fake, BETWEEN, BETWEEN.replace("Wait, that", "No, `re`")).apply(wish("use list()"))
    assert (result.status, len(fake.asked)) == (Status.OK, 2)
    assert says(fake, BETWEEN).apply(wish("use list()")).status is Status.SUSPECT  # told by the same words
    other = says(fake, BETWEEN, BETWEEN.replace("list()", "deque()")).apply(wish("use list()"))
    assert other.status is Status.SUSPECT
    assert "words next to its edits" in other.reasons[0]


@pytest.mark.parametrize(
    "said",
    [
        "{edits}\n\nActually, ignore the second block, it is used elsewhere too.",
        "{edits}\n\nOn second thought, leave `save` alone.",
        "Apply only one of these:\n\n{edits}",
        "Below is how NOT to do it:\n\n{edits}",
    ],
)
def test_words_above_or_below_all_edits_that_take_one_back_go_back(fake, said):
    result = says(fake, said.format(edits=BLOCKS), FEWER).apply(wish())
    assert (result.status, result.text) == (Status.OK, STORE.replace("= []", "= list()"))
    assert "has words next to its edits" in str(fake.bodies[1])


@pytest.mark.parametrize(
    "between",
    [
        "",
        "---",
        "**store.py**",
        "```\n```",
        "1.",
        "</edit>\n<edit>",
        "And in `save`:",
        "Also:",
        "2. The list",
    ],
)
def test_marks_and_words_that_introduce_the_next_edit_are_no_reason_to_ask_again(fake, between):
    result = says(fake, BLOCKS.replace("\n\n<", f"\n\n{between}\n\n<")).apply(wish())
    assert (result.status, result.text, len(fake.asked)) == (Status.OK, WANTED, 1)


@pytest.mark.parametrize("place", ["{said}\n\n{edit}", "{edit}\n{said}"])
@pytest.mark.parametrize("edit", [FEWER, f"<updated-code>\n{STORE}</updated-code>"])
def test_an_answer_that_would_change_nothing_and_has_an_edit_goes_back(fake, place, edit):
    both = place.format(said="NO CHANGE: it is never None. If you insist:", edit=edit)
    assert says(fake, both, FEWER).apply(wish()).status is Status.OK
    assert "says NO CHANGE (it is never None. If you insist:) and has an edit" in str(fake.bodies[1])
    with pytest.raises(UnreadableAnswer, match="and has an edit"):
        says(fake, both).apply(wish())


TAGGED = f"<updated-code>\n{WANTED}</updated-code>\n"


@pytest.mark.parametrize(
    "answer",
    [
        f"queue.py\n{TAGGED}",
        f"store.py\n{TAGGED}\nqueue.py\n<updated-code>\nITEMS = []\n</updated-code>\n",
        f"**queue.py**\n<updated-code>\nITEMS = []\n</updated-code>\n\n**store.py**\n{TAGGED}",
        f"{TAGGED}\n`queue.py`:\n\n```python\nITEMS = []\n```\n",
    ],
)
def test_text_between_tags_is_of_this_file_and_no_other_may_stand_beside_it(fake, answer):
    with pytest.raises(UnreadableAnswer, match=r"the edit is for queue.py, not for store.py"):
        says(fake, answer).apply(wish())


def test_of_several_texts_between_the_same_tags_none_is_sure(fake):
    result = says(fake, f"{TAGGED.replace('Lock', 'RLock')}{TAGGED}").apply(wish())
    assert (result.status, result.text) == (Status.SUSPECT, WANTED)
    assert "several texts between the same tags" in result.reasons[0]
    assert says(fake, f"store.py\n{TAGGED}{TAGGED}").apply(wish()).status is Status.OK


def test_blocks_beside_tags_are_not_dropped(fake):
    with pytest.raises(UnreadableAnswer, match="other edits next to its tags"):
        says(fake, f"{TAGGED}\n{BLOCKS}").apply(wish())


def test_a_second_answer_that_does_not_come_is_told_with_the_first(fake):
    def once(body: dict) -> str:
        fake.always = refuses(401, "no more credit")
        return "Done."

    fake.says = once
    with pytest.raises(UnreadableAnswer) as error:
        Engine.load(fake.url).apply(wish())
    assert "has no edit in it (Done.)" in str(error.value)
    assert "asked for again, the model gave no second answer: " in str(error.value)
    assert "no more credit" in str(error.value)


def test_the_second_answer_may_take_as_long_as_the_first(fake):
    turns = iter([BLOCKS.replace("threading.Lock()", "threading.Lock("), BLOCKS])

    def slowly(body: dict) -> str:
        if len(body["messages"]) == 2:
            time.sleep(0.5)
        return next(turns)

    fake.says = slowly
    assert Engine.load(fake.url).apply(wish(time_limit=1e-6)).text == WANTED


def test_a_failed_check_goes_back_and_stays_a_doubt_if_the_second_answer_fails_too(fake):
    broken = BLOCKS.replace("threading.Lock()", "threading.Lock(")
    assert says(fake, broken, BLOCKS).apply(wish()).text == WANTED
    result = says(fake, broken).apply(wish())
    assert result.status is Status.SUSPECT
    assert "(FE101)" in result.reasons[0]
    assert len(fake.asked) == 4


def test_a_second_answer_that_cannot_be_read_leaves_the_first_one_suspect(fake):
    broken = BLOCKS.replace("threading.Lock()", "threading.Lock(")
    result = says(fake, broken, "I give up.").apply(wish())
    assert (result.status, result.hunks != ()) == (Status.SUSPECT, True)


def test_names_from_outside_and_methods_are_no_reason_against_a_strong_model(fake):
    old = "        self.notes = json.loads(self.path.read_text())\n"
    new = "        with self.path.open() as handle:\n            self.notes = json.loads(handle.read())\n"
    block = f"<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    assert says(fake, block).apply(wish("use a context manager in load")).status is Status.OK


def test_what_lies_outside_of_the_lines_asked_for_is_held_back(fake):
    result = says(fake, BLOCKS).apply(wish(lines=LineRange(6, 22)))
    assert any("outside" in reason and "(FE106)" in reason for reason in result.reasons)
    assert "Change nothing outside of lines 7-22, from `class Store:` to" in question(fake.bodies[0])


def test_what_stands_outside_of_the_lines_asked_for_too_is_meant_within_them(fake):
    text = "def one():\n    x = 1\n    return x\n\n\ndef two():\n    x = 1\n    return x\n"
    block = "<<<<<<< SEARCH\n    x = 1\n=======\n    x = 2\n>>>>>>> REPLACE\n"
    result = says(fake, block).apply(wish("it should be more", text, symbol="two"))
    assert (result.status, result.text) == (Status.OK, text[:-26] + text[-26:].replace("x = 1", "x = 2"))
    with pytest.raises(UnreadableAnswer, match="cannot be applied"):
        says(fake, block).apply(wish("it should be more", text))


def test_a_diff_that_only_takes_away_the_final_newline_is_an_edit_unless_the_last_line_may_not_change(fake):
    diff = "@@ -1,2 +1,2 @@\n x = 1\n-y = 2\n+y = 2\n\\ No newline at end of file\n"
    engine = says(fake, f"--- a/store.py\n+++ b/store.py\n{diff}")
    result = engine.apply(wish("end without a newline", "x = 1\ny = 2\n"))
    assert (result.status, result.text) == (Status.OK, "x = 1\ny = 2")
    kept = engine.apply(wish("end without a newline", "x = 1\ny = 2\n", lines=LineRange(0, 1)))
    assert (kept.status, kept.text) == (Status.SUSPECT, "x = 1\ny = 2\n")


@pytest.mark.parametrize("shape", ["the whole file", "tags", "a sketch in a fence"])
def test_a_carriage_return_in_an_answer_ends_a_line(fake, shape):
    answer = SHAPES[shape].replace("        self.notes = []\n", "        self.notes = []\r")
    assert "\r" in answer
    result = says(fake, answer).apply(wish())
    assert (result.status, result.text) == (Status.OK, WANTED)


def test_an_empty_file_gets_the_text_of_one_fence_alone(fake):
    one = "```python\nclass Queue: ...\n```\n"
    result = says(fake, f"{one}\nA smoke test:\n\n```python\nprint(1)\n```\n", one).apply(wish("a queue", ""))
    assert (result.status, result.text) == (Status.OK, "class Queue: ...\n")
    assert "has 2 code fences, and the file is empty; write all of it in one" in str(fake.bodies[1])


OTHERS = "class A:\n    def load(self): ...\n\n    def same(self, other):\n        return self.load() == other.load()\n"
LOADS = '{"operations": [{"op": "rename", "target": "A.load", "new": "read"}]}'
ALL = LOADS.replace('"read"', '"read", "attributes": "all"')


BLOCKED = "".join(
    f"<<<<<<< SEARCH\n{line}=======\n{line.replace('load', 'read')}>>>>>>> REPLACE\n\n"
    for line in OTHERS.splitlines(keepends=True)
    if "load" in line
)


@pytest.mark.parametrize("second", [ALL, BLOCKED])
def test_the_places_that_operations_leave_go_back_as_they_may_be_meant_too(fake, second):
    result = says(fake, LOADS, second).apply(wish("better read", OTHERS, plan="operations"))
    assert (result.status, result.text, result.left) == (Status.OK, OTHERS.replace("load", "read"), ())
    again = fake.bodies[1]["messages"][3]["content"]
    assert again.startswith("That can be applied. It leaves places as they are")
    assert (
        "line 5: an attribute of a value that may have another type: return self.load() == other.load()"
        in again
    )


@pytest.mark.parametrize(
    "second", [LOADS, "NO CHANGE: the others are not meant", "I see.", BLOCKED.split("\n\n")[0]]
)
def test_an_edit_that_leaves_places_stands_where_the_second_answer_is_not_all_of_it_and_more(fake, second):
    result = says(fake, LOADS, second).apply(wish("better read", OTHERS, plan="operations"))
    assert (result.status, len(result.left)) == (Status.OK, 1)
    assert result.text == OTHERS.replace("def load", "def read").replace("self.load", "self.read")


def test_a_rewrite_is_asked_for_with_the_original_as_prediction(fake):
    method = "    def add(self, note):\n        self.notes.insert(0, note)\n        self.save()"
    engine = says(fake, f"<updated-code>\n{method}\n</updated-code>")
    result = engine.apply(wish("put new notes first", symbol="Store.add", plan="rewrite"))
    assert result.text == STORE.replace("append(note)", "insert(0, note)")
    assert fake.bodies[0]["prediction"]["content"].startswith("<updated-code>\n    def add(self, note):\n")
    assert "<code>\n    def add(self, note):\n" in question(fake.bodies[0])


def test_a_rewrite_that_comes_without_tags_is_laid_onto_the_file(fake):
    method = "    def add(self, note):\n        self.notes.insert(0, note)\n        self.save()\n"
    engine = says(fake, f"```python\n{method}```")
    result = engine.apply(wish("put new notes first", symbol="Store.add", plan="rewrite"))
    assert result.text == STORE.replace("append(note)", "insert(0, note)")


def test_a_rewrite_of_a_region_may_be_the_whole_file(fake):
    engine = says(fake, f"<updated-code>\n{WANTED}</updated-code>")
    result = engine.apply(wish("lock in `Store.__init__`, now", plan="rewrite"))
    assert result.text == WANTED


def test_a_region_that_is_rewritten_at_the_margin_keeps_its_depth(fake):
    method = "def load(self):\n    self.notes = json.loads(self.path.read_text() or '[]')"
    answer = f"<updated-code>\n{method}\n</updated-code>"
    result = says(fake, answer).apply(wish("an empty file has no notes", symbol="Store.load", plan="rewrite"))
    assert result.status is Status.OK
    assert result.text == STORE.replace("self.path.read_text()", "self.path.read_text() or '[]'")


def test_a_region_of_which_only_some_lines_stand_at_another_depth_is_asked_for_again_and_held_back(fake):
    answer = "<updated-code>\nimport json\n\n    def load(self):\n        self.notes = []\n</updated-code>"
    engine = says(fake, answer)
    result = engine.apply(wish("load nothing", symbol="Store.load", plan="rewrite"))
    assert result.status is Status.SUSPECT
    assert any("stands at another depth" in reason for reason in result.reasons)


def test_a_line_in_place_of_the_whole_file_is_asked_for_again_and_held_back(fake):
    script = "".join(f"print({n})\n" for n in range(20))
    request = wish("count from 7", plan="rewrite")
    request = replace(request, document=Document.from_text(script, Path("count.py")))
    result = says(fake, "<updated-code>\nprint(7)\n</updated-code>").apply(request)
    assert (result.status, len(fake.asked)) == (Status.SUSPECT, 2)
    assert result.reasons[0] == "19 of the file's 20 lines vanish (FE114)"


@pytest.mark.parametrize("kept", ["    return data\n", "        data = handle.read()\n"])
def test_a_rewrite_that_stops_before_the_end_of_the_file_is_asked_for_again_and_held_back(fake, kept):
    head = "PORT = 80\n\n\ndef load(path):\n    with open(path) as handle:\n        data = handle.read()\n"
    script = f"{head}    return data\n\n\nserve(load(PORT))\n"
    request = replace(wish("listen on 8080, please", plan="rewrite"), document=Document.from_text(script))
    cut = script.partition(kept)[0].replace("80", "8080") + kept
    result = says(fake, f"<updated-code>\n{cut}</updated-code>").apply(request)
    assert (result.status, len(fake.asked)) == (Status.SUSPECT, 2)
    assert result.reasons[0].startswith(f"the text ends with `{kept.strip()}`, and nobody asked to lose")


def test_the_end_of_a_file_that_the_instruction_names_may_go(fake):
    script = "PORT = 80\nHOST = 'a'\n\nserve(HOST, PORT)\n"
    request = replace(wish("no longer serve", plan="rewrite"), document=Document.from_text(script))
    result = says(fake, "<updated-code>\nPORT = 80\nHOST = 'a'\n</updated-code>").apply(request)
    assert (result.status, result.text) == (Status.OK, "PORT = 80\nHOST = 'a'\n")


def test_a_whole_file_with_a_gap_is_not_taken_for_a_deletion(fake):
    entries = "".join(f"  key_{n}: {n}\n" for n in range(40))
    text = f"first: 1\nmiddle:\n{entries}last: 2\n"
    document = Document.from_text(text, Path("a.yaml"))
    kept = "".join(f"  key_{n}: {n}\n" for n in range(28))
    engine = says(fake, f"```yaml\nfirst: 3\nmiddle:\n{kept}last: 2\n```")
    result = engine.apply(EditRequest(document, "let first be 3 now, please"))
    assert result.status is Status.SUSPECT or "key_39" in result.text


def test_a_definition_that_a_whole_file_forgets_holds_it_back_however_sure_it_is_the_whole_file(fake):
    source = "".join(f"def f{n}(x):\n    y = x + {n}\n    return y * {n}\n\n\n" for n in range(6))
    request = replace(wish("f1 adds 7"), document=Document.from_text(source, Path("a.py")))
    forgot = source.replace("def f4(x):\n    y = x + 4\n    return y * 4\n\n\n", "").replace("x + 1", "x + 7")
    result = says(fake, f"```python\n{forgot}```").apply(request)
    assert (result.status, len(fake.asked)) == (Status.SUSPECT, 2)
    assert any("the function f4 vanishes, and nobody asked for that" in reason for reason in result.reasons)


@pytest.mark.parametrize(
    ("instruction", "status"),
    [("listen on 8080", Status.SUSPECT), ("listen on 8080, and drop debug", Status.OK)],
)
def test_a_key_that_a_whole_file_leaves_out_holds_it_back_unless_the_instruction_names_it(
    fake, instruction, status
):
    source = "server:\n  host: a\n  debug: true\n  port: 80\nlog:\n  level: info\n"
    request = replace(wish(instruction, plan="rewrite"), document=Document.from_text(source, Path("a.yaml")))
    answer = source.replace("  debug: true\n", "").replace("80", "8080")
    result = says(fake, f"<updated-code>\n{answer}</updated-code>").apply(request)
    assert result.status is status
    left = "the key server.debug is left out of the answer, and nobody asked for that"
    assert any(reason.startswith(left) for reason in result.reasons) is (status is Status.SUSPECT)


def test_a_key_that_gets_another_name_in_a_whole_file_is_not_left_out(fake):
    source = "server:\n  host: a\n  port: 80\n"
    request = replace(wish("call the host an address"), document=Document.from_text(source, Path("a.yaml")))
    result = says(fake, f"```yaml\n{source.replace('host', 'address')}```").apply(request)
    assert (result.status, result.text) == (Status.OK, source.replace("host", "address"))


def test_lines_that_a_comment_of_the_answer_says_are_removed_may_go(fake):
    entries = "".join(f"  key_{n}: {n}\n" for n in range(40))
    text = f"first: 1\nmiddle:\n{entries}last: 2\n"
    kept = "".join(f"  key_{n}: {n}\n" for n in range(28))
    answer = f"```yaml\nfirst: 3\nmiddle:\n{kept}  # removed key_28 to key_39\nlast: 2\n```"
    request = EditRequest(
        Document.from_text(text, Path("a.yaml")), "let first be 3, and drop the keys from 28"
    )
    result = says(fake, answer).apply(request)
    assert (result.status, result.text) == (Status.OK, f"first: 3\nmiddle:\n{kept}last: 2\n")


def test_an_update_is_told_to_a_model_that_is_to_decide(fake):
    result = says(fake, BLOCKS).apply(wish("lock it", update=SKETCH, policy="model", plan="sketch"))
    assert (result.status, result.text) == (Status.OK, WANTED)
    assert "self.lock = threading.Lock()" in question(fake.bodies[0])


def test_a_model_of_our_own_can_be_asked_for_a_sketch(talker):
    events = Engine.load(talker).stream(wish("lock the store, please", plan="sketch"))
    assert any(isinstance(event, Progressed) for event in islice(events, 3))
    events.close()


def test_a_password_in_the_address_stands_in_no_receipt(fake):
    address = fake.url.replace("//", "//me:secret@")
    fake.says = BLOCKS
    assert "secret" not in str(Engine.load(address).apply(wish()).receipt.as_dict())


def test_the_receipt_has_the_plan_its_price_and_the_other_one_that_was_weighed(fake):
    more = "".join(f"\n\ndef step_{n}(value):\n    return value + {n}\n" for n in range(20))
    receipt = says(fake, BLOCKS).apply(wish(text=STORE + more)).receipt
    assert (receipt.plan, receipt.other_plan) == ("sketch", "rewrite")
    assert receipt.plan_tokens > 0
    assert receipt.other_plan_tokens > 0


def test_a_long_file_without_a_place_is_asked_for_one_by_its_outline(fake):
    many = "\n\n".join(f"def step_{n}(value):\n    return value + {n}  # {'x' * 60}" for n in range(400))
    text = f"{STORE}\n\n{many}\n"
    engine = says(fake, "Lines 7-22", BLOCKS)
    events = list(engine.stream(wish("no thread may see half a write", text)))
    assert isinstance(events[-1], Resulted)
    assert events[-1].result.text == f"{WANTED}\n\n{many}\n"
    first, second = map(question, fake.bodies)
    assert "    7  class Store:" in first
    assert "return value + 300" not in first
    assert "        self.notes = []\n" in second
    for answer in ("anywhere", f"{'1' * 5000}-2"):
        with pytest.raises(AnchorNotFound, match="names no lines"):
            says(fake, answer).apply(wish("no thread may see half a write", text))


@pytest.mark.parametrize(
    "asks",
    [
        "LINES: {}",
        "Lines {}",
        "I need to see more first:\n\n- LINES: {}",
        "LINES: store.py {}\n\nThen I can edit it.",
        f"{FEWER}\n`LINES: {{}}`",
    ],
)
def test_a_model_is_shown_the_lines_of_a_long_file_that_it_asks_for_once(fake, asks):
    many = "\n\n".join(f"def step_{n}(value):\n    return value + {n}  # {'x' * 60}" for n in range(400))
    request = wish("`Store` takes a lock", f"{STORE}\n\n{many}\n")
    row = request.document.lines.index("def step_300(value):")
    line, asked = request.document.lines[row + 1], asks.format(f"{row + 1}-{row + 2}")
    result = says(fake, asked, BLOCKS).apply(request)
    assert (result.status, result.text) == (Status.OK, f"{WANTED}\n\n{many}\n")
    first, second = map(question, fake.bodies)
    assert "alone, such as `LINES: " in first
    assert "LINES: " not in second
    assert line not in first
    assert line in second
    assert "self.notes = []" in second
    if FEWER in asks:
        return
    with pytest.raises(UnreadableAnswer, match="no edit in it"):
        says(fake, asked).apply(request)
    assert "LINES: " not in question(fake.bodies[-1])
    broken = BLOCKS.replace("threading.Lock()", "threading.Lock(")
    assert says(fake, broken, asked, BLOCKS).apply(request).status is Status.OK
    assert "(FE101)" in fake.bodies[-1]["messages"][-1]["content"]
    assert line in question(fake.bodies[-1])


def test_the_embedded_model_has_no_plan_to_choose():
    with pytest.raises(UsageError, match="only rewrites"):
        Engine.load("nano").apply(wish("put new notes first, please", plan="sketch"))
