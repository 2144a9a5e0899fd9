"""Lines that are added or take the place of others."""

from __future__ import annotations

import pytest

from tests.edit.codemod.reading import JOB, surely


@pytest.mark.parametrize(
    "text",
    [
        "after `send(first)` add: `log(1)`",
        "once `send(first)` is done, add: `log(1)`",
        "following on from `send(first)`, insert: `log(1)`",
        "add after `send(first)`: `log(1)`",
        "insert `log(1)` after `send(first)`",
        "the line `send(first)` is not enough, add after it: `log(1)`",
        "`send(first)` stays, but after it there must be: `log(1)`",
        "find the line `send(first)`, then insert below it: `log(1)`",
        "insertion right after `send(first)`:\nlog(1)",
        "I want something new after `send(first)`, namely: `log(1)`",
        "look for `send(first)` and add after it:\nlog(1)",
        "between `send(first)` and whatever comes next, put: `log(1)`",
        "make sure that `send(first)` is immediately followed by: `log(1)`",
        "append to `send(first)`:\nlog(1)",
        "drop this in beneath `send(first)`: `log(1)`",
        "put this after `send(first)`: `log(1)`",
        "`send(first)` should be followed by: `log(1)`",
        "right below `send(first)`, there should be: `log(1)`",
        "the line after `send(first)` should be: `log(1)`",
        "once `send(first)` is done, do: `log(1)`",
        "on the line following `send(first)` write: `log(1)`",
        "continue behind `send(first)` with: `log(1)`",
        "we need this after `send(first)`: `log(1)`",
        "what comes after `send(first)` first: `log(1)`",
        "leave `send(first)` alone and add this after it: `log(1)`",
        "let `send(first)` be followed by this:\n```\nlog(1)\n```",
        "next to come after `send(first)`: `log(1)`",
        "missing after `send(first)`: `log(1)`",
        "`send(first)` lacks a line after it: `log(1)`",
        "new line below `send(first)`: `log(1)`",
        "have this follow `send(first)`: `log(1)`",
        "this goes after `send(first)`:\nlog(1)",
        "paste this under `send(first)`:\nlog(1)",
        "go to `send(first)` and put this behind it: `log(1)`",
        "at `send(first)`, add below: `log(1)`",
        "squeeze this in after `send(first)`: `log(1)`",
        "with `send(first)` staying, the next line is to be: `log(1)`",
        "as the first thing after `send(first)`: `log(1)`",
        "keep `send(first)` and follow it up with: `log(1)`",
    ],
)  # fmt: skip
def test_lines_go_behind_another_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    send(first)\n", "    send(first)\n    log(1)\n", 1)
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "before `send(first)` add: `log(1)`",
        "insert this before `send(first)`: `log(1)`",
        "keep the line `send(first)` and lead up to it with: `log(1)`",
        "new, on top of `send(first)` and below what stands above it now:\nlog(1)",
        "as the last thing before the line `send(first)` put in: `log(1)`",
        "find `send(first)`, then add before it: `log(1)`",
        "the code leading into `send(first)` lacks this, add it right above:\nlog(1)",
        "the line `send(first)` can only come after this has been done, so add it first:\nlog(1)",
        "the line `send(first)` stays, but in front of it there must be: `log(1)`",
        "leave `send(first)` as it is, but have it come after this, which is new: `log(1)`",
        "look for `send(first)` and add before it:\nlog(1)",
        "until now nothing prepares for the line `send(first)`, so add before it: `log(1)`",
        "drop this in above `send(first)`:\nlog(1)",
        "push `send(first)` down and above it write:\nlog(1)",
        "`send(first)` should be preceded by: `log(1)`",
        "precede `send(first)` with: `log(1)`",
        "right above `send(first)` there should be: `log(1)`",
        "the line before `send(first)` should be: `log(1)`",
        "ahead of `send(first)`, do: `log(1)`",
        "we need this ahead of `send(first)`: `log(1)`",
        "let `send(first)` be preceded by this:\nlog(1)",
        "make room above `send(first)` for: `log(1)`",
        "insertion before `send(first)`: `log(1)`",
        "missing before `send(first)`: `log(1)`",
        "new line above `send(first)`: `log(1)`",
        "this goes in front of `send(first)`:\nlog(1)",
        "before it comes to `send(first)`, do: `log(1)`",
        "prior to `send(first)`: `log(1)`",
        "at `send(first)`, add above: `log(1)`",
        "immediately in front of `send(first)`, insert: `log(1)`",
    ],
)  # fmt: skip
def test_lines_go_before_another_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    send(first)\n", "    log(1)\n    send(first)\n", 1)
    assert surely(text, JOB, "python") == wanted


@pytest.mark.parametrize(
    "text",
    [
        "replace `send(first)` with: `log(1)`",
        "replace the line `send(first)` by:\nlog(1)",
        "what is `send(first)` now should look like this: `log(1)`",
        "take out `send(first)` and put in its place:\nlog(1)",
        "there should be no `send(first)` line any more, its place is taken by: `log(1)`",
        "in that spot where `send(first)` stands I'd prefer: `log(1)`",
        "old line is `send(first)`, new is: `log(1)`",
        "not `send(first)` but: `log(1)`",
        "the `send(first)` line turns into: `log(1)`",
        "redo the line `send(first)` like this: `log(1)`",
        "substitute the following for `send(first)`:\nlog(1)",
        "instead of `send(first)` I want: `log(1)`",
        "`send(first)` should be: `log(1)`",
        "`send(first)` becomes: `log(1)`",
        "change the line `send(first)` to: `log(1)`",
        "rewrite `send(first)` as: `log(1)`",
        "the line `send(first)` should read: `log(1)`",
        "swap `send(first)` for this: `log(1)`",
        "where it says `send(first)`, write: `log(1)`",
        "`send(first)` has to give way to: `log(1)`",
        "put this in place of `send(first)`:\nlog(1)",
        "this takes the place of `send(first)`:\nlog(1)",
        "turn `send(first)` into: `log(1)`",
        "`send(first)` is wrong, it should be: `log(1)`",
        "drop `send(first)` and write instead: `log(1)`",
        "update `send(first)`:\nlog(1)",
        "overwrite `send(first)` with: `log(1)`",
        "let the line `send(first)` say: `log(1)`",
        "`send(first)` -> `log(1)`",
        "exchange the line `send(first)` for: `log(1)`",
        "modify the line `send(first)` so that it reads: `log(1)`",
        "the line `send(first)` is to become: `log(1)`",
        "we no longer want `send(first)` but: `log(1)`",
        "use this rather than `send(first)`: `log(1)`",
        "the following replaces `send(first)`:\nlog(1)",
        "correct `send(first)` to: `log(1)`",
        "`send(first)` is replaced by: `log(1)`",
    ],
)  # fmt: skip
def test_a_line_is_replaced_however_a_sentence_asks_for_it(text):
    wanted = JOB.replace("    send(first)\n", "    log(1)\n", 1)
    assert surely(text, JOB, "python") == wanted
