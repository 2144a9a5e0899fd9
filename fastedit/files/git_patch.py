"""A change of one file as a section of a git diff, which may also create, delete or rename it.

`git apply` takes sections of many files one after the other as one diff, and so does `fastedit apply`.
"""

from __future__ import annotations

from fastedit.files.patch import header, own_lines, quoted, sections
from fastedit.source.document import Document
from fastedit.source.hunks import SplicedLine, diff_lines, splice

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
    document = before or after
    assert document is not None
    mark = "\ufeff" if document.bom else ""
    body = sections([] if before is None else own_lines(before), _new_lines(before, after), mark)
    if body:
        names = header(f"a/{old}" if before else _NOTHING, f"b/{new}" if after else _NOTHING)
        body = names + body
    return "\n".join(lines) + "\n" + body if body or len(lines) > 1 else ""


def _new_lines(before: Document | None, after: Document | None) -> list[SplicedLine]:
    """The lines after; those that stay as they were have their origin."""
    if after is None:
        return []
    lines = own_lines(after)
    if before is None:
        return [SplicedLine(text, None) for text, _ in lines]
    origins = splice(before, diff_lines(before.lines, after.lines))
    return [
        SplicedLine(line.text, origin.origin if origin.text == line.text else None)
        for line, origin in zip(lines, origins, strict=True)
    ]
