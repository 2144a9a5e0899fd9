"""A change of one file as a section of a git diff, which may also create, delete or rename it.

`git apply` takes sections of many files one after the other as one diff, and so does `fastedit apply`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit.files.patch import Replaced, header, lf_lines, quoted, sections
from fastedit.source.document import Document
from fastedit.source.hunks import differing

_NOTHING = "/dev/null"


def git_patch(
    path: str | None,
    to: str | None,
    before: Document | None,
    after: Document | None,
    *,
    executable: bool = False,
) -> str:
    """The section for a file; empty where it stays the same.

    `path` and `before` are None for a new file, `to` and `after` for a deleted one.
    """
    old, new = path or to, to or path
    assert old is not None
    assert new is not None
    lines = [f"diff --git {quoted(f'a/{old}')} {quoted(f'b/{new}')}"]
    if before is None:
        lines.append(f"new file mode 100{'755' if executable else '644'}")
    elif after is None:
        lines.append("deleted file mode 100644")
    elif old != new:
        lines += [f"rename from {quoted(old)}", f"rename to {quoted(new)}"]
    had, has = ("" if each is None else each.mark + each.text for each in (before, after))
    body = sections(had, _replaced(lf_lines(had), lf_lines(has)))
    if body:
        names = header(f"a/{old}" if before else _NOTHING, f"b/{new}" if after else _NOTHING)
        body = names + body
    return "\n".join(lines) + "\n" + body if body or len(lines) > 1 else ""


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[Replaced]:
    at = end = 0
    for a, b, c, d in differing(old, new):
        begin = end + sum(map(len, old[at:a]))
        at, end = b, begin + sum(map(len, old[a:b]))
        yield Replaced(begin, end, "".join(new[c:d]))
