"""Random interleavings of typing, edits that run meanwhile, delivery, cancelling and undoing, against a reference.

No two lines are alike, so the reference is a plain list in which a line is found by what it says. What goes into the
buffer goes through the edits on the wire, as a client applies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastedit_lsp.buffers import Buffers
from fastedit_lsp.history import Applied, EditHistory
from fastedit_lsp.hunks import inverse
from fastedit_lsp.wire import workspace_edit
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from fastedit.source.rebase import rebase
from tests.lsp.test_hunks import KNOWS_VERSIONS

URI = "file:///work/a.py"
NUMBER = st.integers(0, 50)
STEP = st.one_of(
    st.tuples(st.just("type"), NUMBER, st.integers(0, 3), st.integers(0, 3)),
    st.tuples(st.just("start"), st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=3)),
    st.tuples(st.sampled_from(["deliver", "cancel", "undo"])),
)


class World:
    """A client's buffer, the server's view of it, and the reference."""

    def __init__(self, size: int) -> None:
        self.lines = [f"line {i}" for i in range(size)]
        self.born = 0
        self.buffers, self.history = Buffers(), EditHistory()
        self.buffers.opened(types.TextDocumentItem(URI, "python", 1, self.text))
        self.running: tuple[Document, tuple[Hunk, ...]] | None = None
        self.done = 0

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def fresh(self, count: int, what: str) -> list[str]:
        self.born += count
        return [f"{what} {self.born - i}" for i in range(count)]

    def type(self, at: int, gone: int, count: int) -> None:
        start = at % (len(self.lines) + 1)
        stop = min(start + gone, len(self.lines))
        new = self.fresh(count, "typed")
        self.lines[start:stop] = new
        range_ = types.Range(types.Position(start, 0), types.Position(stop, 0))
        self.tell([types.TextDocumentContentChangePartial(range_, "".join(f"{line}\n" for line in new))])

    def tell(self, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        document = types.VersionedTextDocumentIdentifier(self.current.version + 1, URI)
        self.buffers.changed(types.DidChangeTextDocumentParams(document, changes))

    @property
    def current(self):
        return self.buffers.get(URI)

    def start(self, wanted: Sequence[tuple[int, int, int]]) -> None:
        """An edit begins; `wanted` are gaps, old and new lines of its hunks."""
        self.running = (self.current.document, tuple(self.hunks(wanted)))

    def hunks(self, wanted: Sequence[tuple[int, int, int]]) -> Iterator[Hunk]:
        at = 0
        for gap, old, new in wanted:
            start = at + gap
            if start + old > len(self.lines) or not old + new:
                return
            yield Hunk(start, start + old, tuple(self.fresh(new, "new")))
            at = start + old + 1  # what touches would be one hunk

    def deliver(self) -> None:
        if self.running is None:
            return
        (base, hunks), self.running = self.running, None
        moved = self.put(base, hunks)
        if moved is not None:
            before, after = moved
            self.history.add(URI, Applied(self.current.document, inverse(after, before)))
            self.done += 1

    def undo(self) -> None:
        if self.done:
            applied = self.history.newest(URI)
            if self.put(applied.text, applied.back) is not None:
                self.history.drop(URI, applied)
                self.done -= 1

    def put(self, base: Document, hunks: tuple[Hunk, ...]) -> tuple[tuple[str, ...], tuple[Hunk, ...]] | None:
        """The lines before and the hunks that were put in; None where typing met them."""
        before = self.current.document
        moved, conflicts = rebase(hunks, base, before)
        due = [hunk for hunk in hunks if not self.deleted(base.lines, hunk)]
        assert list(conflicts) == [hunk for hunk in due if not self.untouched(base.lines, hunk)]
        if conflicts:
            return None
        for hunk in due:
            self.lines = self.replaced(base.lines, hunk)
        edit = workspace_edit(self.current, moved, "", KNOWS_VERSIONS)
        [change] = edit.document_changes
        changes = [
            types.TextDocumentContentChangePartial(e.range, e.new_text) for e in reversed(change.edits)
        ]
        self.tell(changes)
        assert apply_hunks(before, moved) == self.current.text
        return before.lines, moved

    def untouched(self, base: Sequence[str], hunk: Hunk) -> bool:
        """Whether the hunk's lines still stand together, right between the two that were around them."""
        around = ["start", *base, "end"][hunk.start : hunk.stop + 2]
        now = ["start", *self.lines, "end"]
        return around[0] in now and now[now.index(around[0]) :][: len(around)] == around

    def deleted(self, base: Sequence[str], hunk: Hunk) -> bool:
        """Whether the hunk only deletes, and typing has deleted the very same."""
        before, *_, behind = ["start", *base, "end"][hunk.start : hunk.stop + 2]
        now = ["start", *self.lines, "end"]
        return not hunk.lines and before in now and now[now.index(before) :][:2] == [before, behind]

    def replaced(self, base: Sequence[str], hunk: Hunk) -> list[str]:
        at = self.lines.index(base[hunk.start - 1]) + 1 if hunk.start else 0
        return [*self.lines[:at], *hunk.lines, *self.lines[at + hunk.stop - hunk.start :]]


@settings(max_examples=10 * settings.default.max_examples)
@given(st.integers(1, 12), st.lists(STEP, min_size=4, max_size=20))
def test_random_interleavings_keep_buffer_and_reference_in_agreement(size, steps):
    world = World(size)
    for kind, *how in steps:
        if kind == "cancel":
            world.running = None
        else:
            getattr(world, kind)(*how)
        assert world.current.text == world.text
