"""Conditions, operators and entries."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, surely

SOURCE = """\
import log

KINDS = ["a", "b"]
SIZES = {
    "x": 1,
    "y": 2,
}


def run(job):
    if job.ready and job.size > 3:
        send(job)
    while job.open:
        job.close()
    total = job.left + job.right
    return total
"""


@pytest.mark.parametrize(
    "text",
    [
        "the condition `job.ready and job.size > 3` should be `job.late`",
        "the branch guarded by `job.ready and job.size > 3` should be guarded by `job.late`",
        "change the condition `job.ready and job.size > 3` to `job.late`",
        "check `job.late` instead of `job.ready and job.size > 3`",
        "instead of `job.ready and job.size > 3`, test for `job.late`",
        "test `job.late`, not `job.ready and job.size > 3`",
        "the check for `job.ready and job.size > 3` should be one for `job.late`",
        "make the condition `job.late` rather than `job.ready and job.size > 3`",
        "where it checks `job.ready and job.size > 3` it should check `job.late`",
        "the branch should depend on `job.late`, not on `job.ready and job.size > 3`",
        "replace the condition `job.ready and job.size > 3` with `job.late`",
        "condition: `job.late` instead of `job.ready and job.size > 3`",
        "`job.ready and job.size > 3` is the wrong condition, `job.late` is right",
        "the if should ask for `job.late`, not `job.ready and job.size > 3`",
        "no longer check `job.ready and job.size > 3` but `job.late`",
        "let the condition `job.ready and job.size > 3` become `job.late`",
        "use `job.late` as the condition in place of `job.ready and job.size > 3`",
        "`job.ready and job.size > 3` -> `job.late` in the condition",
        "the test `job.ready and job.size > 3` turns into `job.late`",
        "decide by `job.late` instead of by `job.ready and job.size > 3`",
        "swap the condition `job.ready and job.size > 3` for `job.late`",
        "exchange the check of `job.ready and job.size > 3` for one of `job.late`",
        "the condition was `job.ready and job.size > 3`, make it `job.late`",
    ],
)  # fmt: skip
def test_a_condition_changes_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("if job.ready and job.size > 3:", "if job.late:", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "negate the condition `job.open`",
        "turn the condition `job.open` around",
        "toggle the condition `job.open`",
        "wrong polarity: `job.open`",
        "swap the sense of `job.open`",
        "put a not around `job.open`",
        "the condition `job.open` should be negated",
        "invert `job.open`",
        "`job.open` is the wrong way round",
        "flip the check `job.open`",
        "it should check that `job.open` does not hold",
        "the opposite of `job.open` should be tested",
        "the condition `job.open` must be inverted",
        "reverse the condition `job.open`",
        "test for the contrary of `job.open`",
        "`job.open` -> negated",
        "`job.open`: negate it",
        "the logic of `job.open` is backwards, flip it",
        "turn the condition `job.open` into its opposite",
        "check for the opposite of `job.open`",
        "the sense of `job.open` is inverted, fix that",
        "put a not before the condition `job.open`",
        "make the condition the negation of `job.open`",
        "add a `not` to the condition `job.open`",
        "`job.open` tests the wrong thing, negate it",
        "let the condition `job.open` be the other way around",
    ],
)  # fmt: skip
def test_a_condition_is_negated_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("while job.open:", "while not job.open:", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "add `and ok` to the condition `job.open`",
        "on top of `job.open` the condition needs `and ok`",
        "extend the condition `job.open` with `and ok`",
        "the condition `job.open` needs `and ok`",
        "the condition `job.open` should also have `and ok`",
        "`job.open` is not enough, add `and ok`",
        "append `and ok` to `job.open`",
        "`job.open` should be followed by `and ok`",
        "where it tests `job.open`, add `and ok`",
        "the condition stops at `job.open`, go on with `and ok`",
        "the check `job.open` lacks `and ok`",
        "put `and ok` behind `job.open`",
        "tack `and ok` onto the condition `job.open`",
        "`and ok` is missing from the condition `job.open`",
        "`and ok` belongs behind `job.open`",
        "`job.open` -> add `and ok`",
        "complete the condition `job.open` with `and ok`",
        "let the condition `job.open` continue with `and ok`",
        "the test for `job.open` should go on with `and ok`",
        "more to check than `job.open`: `and ok`",
        "make it stricter: after `job.open` add `and ok`",
        "the condition `job.open` gets an additional `and ok`",
        "attach `and ok` at the end of the condition `job.open`",
        "`job.open` must have `and ok` appended",
        "keep `job.open` but add `and ok`",
    ],
)  # fmt: skip
def test_a_condition_is_extended_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("while job.open:", "while job.open and ok:", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "use `-` instead of `+` in `total = job.left + job.right`",
        "use - instead of + in `total = job.left + job.right`",
        "`total = job.left + job.right` has + where it needs -",
        "the + in `total = job.left + job.right` should be -",
        "+ is the wrong operator in `total = job.left + job.right`, use -",
        "make the + in `total = job.left + job.right` a -",
        "where `total = job.left + job.right` says +, it should say -",
        "off by one: + should be - in `total = job.left + job.right`",
        "the operator in `total = job.left + job.right` should be `-`",
        "`total = job.left + job.right` should have `-`, not `+`",
        "change `+` to `-` in `total = job.left + job.right`",
        "in `total = job.left + job.right`, replace `+` by `-`",
        "swap the `+` in `total = job.left + job.right` for `-`",
        "`total = job.left + job.right` needs the operator `-`",
        "`-` is the right operator for `total = job.left + job.right`",
        "take `-` as the operator in `total = job.left + job.right`",
        "set the operator to `-` in `total = job.left + job.right`",
        "make the operator of `total = job.left + job.right` `-`",
        "keep both sides of `total = job.left + job.right` but with `-` between them instead of `+`",
        "`+` is the wrong operator in `total = job.left + job.right`, it should be `-`",
        "not `+` but `-` in `total = job.left + job.right`",
        "`+` -> `-` in `total = job.left + job.right`",
        "`total = job.left + job.right`: `-` instead of `+`",
        "where `total = job.left + job.right` has `+`, put `-`",
        "turn the `+` of `total = job.left + job.right` into `-`",
        "let `total = job.left + job.right` use `-` rather than `+`",
        "`total = job.left + job.right` uses `+` but should use `-`",
        "the `+` in `total = job.left + job.right` must become `-`",
        "`total = job.left + job.right` ought to have `-` for an operator",
        "operator `-` in place of `+` in `total = job.left + job.right`",
        "exchange `+` for `-` in `total = job.left + job.right`",
        "the sign in `total = job.left + job.right` should be `-`",
    ],
)  # fmt: skip
def test_an_operator_changes_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("total = job.left + job.right", "total = job.left - job.right", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        'add `"c"` to `KINDS`',
        'could `"c"` be added to `KINDS`?',
        'add `"c"` at the back of `KINDS`',
        'make sure `"c"` is in `KINDS`',
        '`KINDS` should also contain `"c"`',
        '`"c"` is missing from `KINDS`',
        'append `"c"` to the list `KINDS`',
        '`"c"` belongs in `KINDS` too',
        'new element for `KINDS`: `"c"`',
        'new last element of KINDS: `"c"`',
        'let `KINDS` include `"c"`',
        '`KINDS` lacks `"c"`',
        'extend `KINDS` by `"c"`',
        'put `"c"` at the end of `KINDS`',
        '`KINDS` gets `"c"` as well',
        '`KINDS` needs one more item, `"c"`',
        'the list called KINDS gets one new item, `"c"`',
        'we also need `"c"` in `KINDS`',
        'we are going to need `"c"`, so add it to `KINDS`',
        '`"c"` should be in `KINDS`',
        '`"c"` has to be listed in `KINDS`',
        'include `"c"` in the list `KINDS`',
        'list `"c"` in `KINDS` too',
        '`KINDS`: add `"c"`',
        '`KINDS` + `"c"`',
        'one more for `KINDS`: `"c"`',
        'an item `"c"` for `KINDS`',
        'the entry `"c"` must be added to `KINDS`',
        '`KINDS` should end with `"c"`',
        'make `"c"` part of `KINDS`',
        'I forgot `"c"` in `KINDS`',
        'there\'s no `"c"` in `KINDS` yet, add it',
        'give `KINDS` another element: `"c"`',
        '`"c"` too should be among the `KINDS`',
    ],
)  # fmt: skip
def test_a_list_gets_an_item_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace('["a", "b"]', '["a", "b", "c"]', 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        'remove `"b"` from `KINDS`',
        'chore: drop `"b"` from `KINDS`',
        'we no longer support `"b"`, so drop it from `KINDS`',
        'it would be nice if `"b"` was removed from `KINDS`',
        '`KINDS` should no longer contain `"b"`',
        '`"b"` must go from `KINDS`',
        '`"b"` does not belong in `KINDS`',
        'take `"b"` out of `KINDS`',
        '`KINDS` is fine apart from `"b"`, which has to go',
        '`KINDS` without `"b"`',
        'no `"b"` in `KINDS` any more',
        'drop the entry `"b"` of `KINDS`',
        '`KINDS` has no need for `"b"`',
        'the list `KINDS` can do without `"b"`',
        'leave `"b"` out of `KINDS`',
        '`"b"` has no business in `KINDS`',
        'everything in `KINDS` stays except `"b"`',
        '`KINDS` contains `"b"` by mistake, remove it',
        '`"b"` is no longer needed in `KINDS`',
        'shorten `KINDS` by `"b"`',
        '`KINDS`: no `"b"`',
        '`KINDS` minus `"b"`',
        'we don\'t want `"b"` in `KINDS`',
        'there should be no `"b"` in `KINDS`',
        '- `"b"` out of `KINDS`',
        '`"b"` isn\'t needed in `KINDS`',
        'get `"b"` out of the list `KINDS`',
        'exclude `"b"` from `KINDS`',
        'the item `"b"` of `KINDS` is obsolete',
        'stop listing `"b"` in `KINDS`',
        '`KINDS` still has `"b"`, delete it',
    ],
)  # fmt: skip
def test_a_list_loses_an_item_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace('["a", "b"]', '["a"]', 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        'add `"z": 3` to `SIZES`',
        '`SIZES` should have `"z": 3` too',
        '`SIZES` needs `"z": 3`',
        '`"z": 3` is missing in `SIZES`',
        'put `"z": 3` into `SIZES`',
        'let `SIZES` have `"z": 3` as well',
        'the dict `SIZES` lacks `"z": 3`',
        'new entry in `SIZES`: `"z": 3`',
        'extend `SIZES` with `"z": 3`',
        '`SIZES` gets the key `"z": 3`',
        'give `SIZES` the entry `"z": 3`',
        'include `"z": 3` in the mapping `SIZES`',
        'append `"z": 3` to `SIZES`',
        '`SIZES` + `"z": 3`',
        'there should be `"z": 3` in `SIZES`',
        'make `SIZES` contain `"z": 3`',
        'set `"z": 3` in `SIZES`',
        '`SIZES`: `"z": 3` too',
        'one more pair for `SIZES`: `"z": 3`',
        'another entry, `"z": 3`, belongs in `SIZES`',
    ],
)  # fmt: skip
def test_a_mapping_gets_an_entry_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace('    "y": 2,\n', '    "y": 2,\n    "z": 3,\n', 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "do not negate `job.open`",
        'don\'t add `"c"` to `KINDS`',
        'add `"c"` to `KINDS` unless it is there',
        'keep `"b"` in `KINDS`',
        'keep only `"b"` in `KINDS`',
        'everything but `"b"` can go from `KINDS`',
        'remove all of `KINDS` except `"b"`',
        'should `"c"` be in `KINDS`?',
        "do not change the `+` in `total = job.left + job.right`",
        '`"b"` must stay in `KINDS`',
        "never check `job.late` instead of `job.open`",
        "only if `job.late` holds, add `and ok` to `job.open`",
        "is `job.open` negated?",
        'add nothing to `KINDS` but `"c"` before it',
        "the condition `job.open` should stay",
        "do not replace the condition `job.open` by `job.late`",
        '`KINDS` has `"a"` and `"c"`',
    ],
)  # fmt: skip
def test_what_forbids_asks_or_limits_changes_no_condition_nor_list(text):
    assert doubted(text, SOURCE, "python")
