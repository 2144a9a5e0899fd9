"""Comments that come, go and change."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import doubted, surely

SOURCE = """\
import log


def run(job):
    # stale note
    first = fetch(job.url)
    # second = sep
    send(first)
    return first
"""


@pytest.mark.parametrize(
    "text",
    [
        "comment out `send(first)`",
        "out-comment `send(first)`",
        "`send(first)` is causing trouble, comment it out",
        "put a # before `send(first)`",
        "wip: comment out `send(first)`",
        "`send(first)` should be commented out",
        "disable `send(first)` with a comment",
        "make `send(first)` a comment",
        "`send(first)` -> comment",
        "turn `send(first)` into a comment",
        "put a comment sign before `send(first)`",
        "deactivate the line `send(first)` by commenting it out",
        "no longer run `send(first)`, comment it out",
        "`send(first)` is live code, make it a comment instead",
        "`send(first)` should be a comment instead of code",
        "`send(first)` in `run` needs to be a comment",
        "prefix `send(first)` with `#`",
        "put a `#` in front of `send(first)`",
        "`send(first)` should become a comment for now",
        "I'd like `send(first)` commented out",
        "let's have `send(first)` as a comment",
        "keep `send(first)` but only as a comment",
        "hide `send(first)` behind a comment marker",
        "instead of deleting `send(first)`, comment it out",
        "convert `send(first)` to a comment",
        "`send(first)`: comment out",
        "`send(first)` to be commented out",
        "wrap `send(first)` in a comment",
        "temporarily disable `send(first)` as a comment",
        "comment `send(first)` out in `run`",
        "silence `send(first)`, a comment will do",
        "`send(first)` must not run any more, leave it as a comment",
        "knock out `send(first)` by turning it into a comment",
    ],
)  # fmt: skip
def test_a_line_is_commented_out_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    send(first)", "    # send(first)", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "uncomment `second = sep`",
        "bring `second = sep` back to life",
        "un-comment `second = sep`",
        "reenable `second = sep`",
        "let `second = sep` run again",
        "can someone uncomment `second = sep`?",
        "`second = sep` should no longer be commented out",
        "`second = sep` is commented out, bring it back",
        "bring the commented-out `second = sep` back to life",
        "`second = sep` should be code again",
        "remove the comment sign before `second = sep`",
        "strip the `#` from `second = sep`",
        "the `#` before `second = sep` must go",
        "enable the commented line `second = sep`",
        "I want `second = sep` uncommented",
        "`second = sep` -> uncomment",
        "turn the comment `second = sep` into code",
        "make the comment `second = sep` code again",
        "the comment `second = sep` should be code",
        "instead of the comment `second = sep` we want the code",
        "`second = sep` must not be a comment any more",
        "lift the comment from `second = sep`",
        "nuke the comment marker on `second = sep`",
        "drop the comment sign in front of `# second = sep`",
        "`second = sep`: uncomment it",
        "activate `second = sep` again, it is commented out",
        "restore `second = sep`, which is commented out",
        "`second = sep` is needed again, uncomment it",
        "have `second = sep` uncommented",
        "the commented-out line `second = sep` is to run again",
    ],
)  # fmt: skip
def test_a_comment_becomes_code_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    # second = sep", "    second = sep", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "add the comment `# why` above `send(first)`",
        "annotate `send(first)` with `# why` on its own line",
        "prefix the line `send(first)` with a comment line `# why`",
        "`send(first)` is hard to understand, put `# why` above it",
        "put `# why` as a comment before `send(first)`",
        "`send(first)` needs the comment `# why` above it",
        "above `send(first)` there should be the comment `# why`",
        "`# why` should stand above `send(first)`",
        "a comment `# why` on top of `send(first)`",
        "the comment `# why` belongs above `send(first)`",
        "precede `send(first)` with the comment `# why`",
        "let the comment `# why` precede `send(first)`",
        "explain `send(first)` with the comment `# why` above it",
        "leave a comment `# why` above `send(first)`",
        "drop a comment `# why` right above `send(first)`",
        "comment `send(first)` with `# why` on the line above",
        "`send(first)` should be preceded by `# why`",
        "insert a comment line before `send(first)`: `# why`",
        "new comment above `send(first)`: `# why`",
        "write `# why` over `send(first)`",
        "on the line before `send(first)`, write `# why`",
        "give `send(first)` a comment above it: `# why`",
        "place the comment `# why` ahead of `send(first)`",
        "annotate `send(first)` with `# why` on its own line above",
        "- comment `# why` above `send(first)`",
        "have a comment `# why` stand before `send(first)`",
    ],
)  # fmt: skip
def test_a_comment_is_put_above_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    send(first)", "    # why\n    send(first)", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "add the trailing comment `# why` to `send(first)`",
        "put `# why` at the end of `send(first)`",
        "`send(first)` should end with `# why`",
        "`send(first)` should end in the comment `# why`",
        "`send(first)` needs `# why` at its end",
        "append `# why` to the line `send(first)`",
        "tack `# why` onto `send(first)`",
        "`# why` behind `send(first)` on the same line",
        "on the line `send(first)` add the comment `# why` at the end",
        "let `send(first)` be followed by `# why` on the same line",
        "make `send(first)` carry the comment `# why`",
        "`send(first)` gets the comment `# why` on its line",
        "place the comment `# why` to the right of `send(first)`",
        "inline comment `# why` for `send(first)`",
        "`send(first)` with the trailing comment `# why`",
        "end the line `send(first)` with `# why`",
        "leave `send(first)` as it is but with `# why` behind it",
        "after `send(first)`, on the same line, add `# why`",
        "give `send(first)` an inline comment: `# why`",
        "`send(first)` deserves an end-of-line comment, `# why`",
        "mark `send(first)` with `# why` at the end of the line",
        "suffix `send(first)` with `# why`",
        "`# why` belongs at the end of `send(first)`",
        "attach the comment `# why` to the end of `send(first)`",
        "the line `send(first)` lacks a trailing `# why`",
        "beside `send(first)` put the comment `# why`",
    ],
)  # fmt: skip
def test_a_comment_is_put_behind_code_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    send(first)", "    send(first)  # why", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "delete the comment `stale note`",
        "there is a comment `stale note`; delete it",
        "there shouldn't be a comment `stale note`",
        "no more comment `stale note`",
        "the line with the comment `stale note` goes away",
        "delete the comment `stale note` again",
        "could the comment `stale note` be dropped?",
        "the comment `stale note` can go",
        "the comment `stale note` should go",
        "the comment `stale note` is out of date and has to go",
        "no comment `stale note` any more",
        "the comment `stale note` is useless",
        "the comment `stale note` isn't needed any more",
        "get rid of the comment `# stale note`",
        "leave out the comment `stale note`",
        "do away with the comment `stale note`",
        "`# stale note` is a useless comment, out with it",
        "we don't need the comment `stale note`",
        "the comment `stale note` no longer holds, remove it",
        "kill the comment that says `stale note`",
        "the comment saying `stale note` lies, so out it goes",
        "take the comment `stale note` out",
        "there should be no comment `stale note`",
        "there's no need for the comment `stale note`",
        "I don't want the comment `stale note` here",
        "the comment `stale note` tells nothing, delete it",
        "- comment `stale note`: remove",
        "comment `stale note` -> gone",
        "strip the comment `stale note` from `run`",
        "the remark `stale note` is outdated, delete it",
        "without the comment `stale note` the code is clearer",
        "the comment `stale note` is noise",
        "the comment `stale note` doesn't help anybody, drop it",
        "clean up the comment `stale note`",
        "the comment `stale note` must disappear",
    ],
)  # fmt: skip
def test_a_comment_goes_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    # stale note\n", "", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "change the comment `stale note` to `fresh words`",
        "the comment `stale note` should read `fresh words`",
        "the comment should say `fresh words` instead of `stale note`",
        "reword the comment `stale note` as `fresh words`",
        "comment `stale note` -> `fresh words`",
        "`fresh words` should be the comment where it is `stale note` now",
        "replace the text of the comment `stale note` by `fresh words`",
        "update the comment `stale note`: `fresh words`",
        "rewrite the comment `stale note` to `fresh words`",
        "the comment `stale note` is wrong, it should be `fresh words`",
        "the comment `stale note` is badly put, write `fresh words`",
        "not `stale note` but `fresh words` should be the comment",
        "the comment is to be `fresh words`, not `stale note`",
        "we want the comment to read `fresh words`, not `stale note`",
        "let the comment `stale note` say `fresh words`",
        "make the comment `stale note` read `fresh words`",
        "the comment `stale note` becomes `fresh words`",
        "where the comment says `stale note`, write `fresh words`",
        "fix the comment `stale note`, it should say `fresh words`",
        "turn the comment `stale note` into `fresh words`",
        "have the comment say `fresh words` rather than `stale note`",
        "the comment `stale note` is misleading, `fresh words` would be right",
        "instead of `stale note` the comment should say `fresh words`",
        "comment: not `stale note` but `fresh words`",
        "rephrase the comment `stale note` as `fresh words`",
        "exchange the comment `stale note` for `fresh words`",
        "the comment `stale note` could be clearer: `fresh words`",
    ],
)  # fmt: skip
def test_a_comment_is_reworded_however_a_sentence_asks_for_it(text):
    wanted = SOURCE.replace("    # stale note", "    # fresh words", 1)
    assert surely(text, SOURCE, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "do not comment out `send(first)`",
        "never comment out `send(first)`",
        "comment out `send(first)` unless it is needed",
        "keep the comment `stale note`",
        "don't delete the comment `stale note`",
        "do not uncomment `second = sep`",
        "should `send(first)` be commented out?",
        "the comment `stale note` should stay",
        "comment out everything but `send(first)`",
        "delete the comment `stale note` only if it is wrong",
        "the code around the comment `stale note` can go",
        "leave the comment `stale note` alone",
        "leave `send(first)` without a comment",
        "comment on `send(first)`",
        "is the comment `stale note` needed?",
        "the line below the comment `stale note` can go",
        "move the comment `stale note` to the end",
        "don't turn `send(first)` into a comment",
    ],
)  # fmt: skip
def test_what_forbids_asks_or_limits_changes_no_comment(text):
    assert doubted(text, SOURCE, "python")
