"""What stands within quotations, in texts and in comments."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, predicted, surely

SOURCE = '''\
class Store:
    def flush(self):
        """Write ``all`` to the `disk`.

        Sections:
          first one
            second one
        >>> open(self, 1)
        """
        # because ``keep`` is set
        wait = [
            "size", "x",
        ]
        return self.put(1)

    alias = flush
'''


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("delete the comment ``because ``keep`` is set``", "        # because ``keep`` is set\n", ""),
        ("delete the line ``# because ``keep`` is set``", "        # because ``keep`` is set\n", ""),
        ("the comment ``because ``keep`` is set`` should read `always`", "because ``keep`` is set", "always"),
    ],
)
def test_code_with_ticks_is_one_quotation_whatever_ticks_are_around_it(text, old, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("await `open(self, 1)`", ">>> open", ">>> await open"),
        ("call `read` instead of `open`", ">>> open(", ">>> read("),
        ("add `mode=2` to the call of `open`", "open(self, 1)", "open(self, 1, mode=2)"),
        ("drop `1` from the call of `open`", "open(self, 1)", "open(self)"),
    ],
)
def test_a_call_in_documentation_is_meant_where_no_code_makes_it(text, old, new):
    assert surely(text, SOURCE, "python") == SOURCE.replace(old, new, 1)


def test_what_no_code_and_no_text_calls_is_left_to_the_model():
    assert predicted("await `close(self)`", SOURCE, "python") is None


def test_a_whole_statement_is_no_call_that_a_text_makes():
    assert doubted("`wait = open(1)` has to go to `load`", "def f():\n    wait = open(1)\n", "python")


def test_a_text_has_no_blocks_below_its_lines():
    wanted = SOURCE.replace("          first one\n", "          first one\n          or more\n")
    assert surely("after `first one` add: `or more`", SOURCE, "python") == wanted


def test_a_line_in_quotation_marks_that_has_some_itself_is_one_quotation():
    wanted = SOURCE.replace("        return self.put(1)\n", "        # TODO\n        return self.put(1)\n")
    assert surely("above 'return self.put(1)' add: `# TODO`", SOURCE, "python") == wanted
    listed = 'NAMES = Literal["a", "b"]\n"a",\nend()\n'
    wanted = listed.replace('"b"]\n', '"b"]\nnew()\n')
    assert surely('below \'NAMES = Literal["a", "b"]\' add: `new()`', listed, "python") == wanted


def test_a_reason_within_a_quotation_does_not_end_the_sentence():
    text = "the line `we stop here, because we cannot go on` ought to be: `we stop`"
    source = '"""\nwe stop here, because we cannot go on\n"""\n'
    assert surely(text, source, "python") == '"""\nwe stop\n"""\n'


def test_a_method_that_its_class_gives_another_name_is_renamed_there_as_well():
    assert surely("rename `flush` to `write`", SOURCE, "python") == SOURCE.replace("flush", "write")


def test_a_place_may_be_told_by_the_first_words_of_its_definition():
    source = "def load(x):\n    size = 3\n\n\ndef save(x):\n    size = 3\n"
    assert surely("set `size` to `5` in `def load`", source, "python") == source.replace("3", "5", 1)


def test_the_one_literal_of_a_name_that_is_also_reckoned_is_no_more_than_likely_meant():
    source = "def load(x):\n    size = None\n    if x:\n        size = len(x)\n    return size\n"
    found = predicted("set `size` to `5`", source, "python")
    assert found is not None
    assert "\n".join(found.lines) == source.replace("None", "5")
    assert found.reasons
    sure = surely("`size` was `None` so far and is to become `5`", source, "python")
    assert sure == source.replace("None", "5")


def test_a_class_does_not_get_an_attribute_unasked():
    source = "class A:\n    size = make(load(1), 2)\n"
    assert doubted("extract `load(1)` into a variable `first`", source, "python")
