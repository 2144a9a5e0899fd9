"""Members that a change takes away, and that other files go on reading: no name tells what they are members of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastedit.engine.changes.across import Texts
from fastedit.engine.changes.exchange import ExchangedFile, Project
from fastedit.ops.base import Candidate

if TYPE_CHECKING:
    from fastedit.engine.changes.change import ChangeResult


def left_behind(result: ChangeResult, known: Texts) -> Iterator[str]:
    """The places in files that read what a class in a file that they take from had, and no class has any more. `known`
    are files as they were."""
    changed = {file.path for file in result.files if file.path}
    texts = {path: text for path, text in known.items() if path not in changed}
    texts |= {file.to: file.after for file in result.files if file.to and file.after}
    before, after = Project(known), Project(texts)
    gone = {path: _gone(before.files[path], after) for path in changed & before.files.keys()}
    for path in sorted(before.files.keys() & after.files.keys()):
        own, lost = set[str](), dict[str, str]()
        for item in before.files[path].taken:
            givers = [file.path for file in before.of(before.files[path], item) if file.path != path]
            lost |= {name: giver for giver in givers for name in gone.get(giver, ())}
            if not changed.isdisjoint(givers):
                own |= {*item.names, item.via or ""}
        for name, giver in sorted(lost.items()):
            for row in after.files[path].reads(name, own):
                text = after.files[path].document.lines[row].strip()
                yield f"{path}: {Candidate(row, text, f'may mean the {name} that {giver} had')}"


def _gone(file: ExchangedFile, after: Project) -> list[str]:
    """The members that a file defined and no file binds any more."""
    return [
        name
        for name in file.members_defined
        if not any(each.has_member(name) for each in after.files.values())
    ]
