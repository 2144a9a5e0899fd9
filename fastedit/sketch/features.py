"""What speaks for and against each step of an alignment, as counts that weights are multiplied with."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, Final

import numpy as np

from fastedit.edit.markers import begins_with_dots, said_in_comment
from fastedit.edit.outline import is_comment, is_decorator
from fastedit.edit.removals import removal_note
from fastedit.edit.update import Update
from fastedit.sketch.lattice import NEVER, Layer, Scores
from fastedit.sketch.reading import (
    BARE,
    BLANK,
    FULL,
    SHORT,
    Outline,
    before_marker,
    closes,
    is_import,
    target_of,
)

_INK = ("blank", "bare", "short", "full")
_WORD = re.compile(r"\w+")
_KEPT = re.compile(
    r"\b(?:existing|rest|remain\w*|unchanged|unmodified|untouched|same|previous|keep\w*|kept|other\w*|omitted|stays?|continues?"
    r"|as (?:is|before)|above|below|before|after|everything|all)\b",
    re.I,
)
_REMOVED = re.compile(
    r"\b(?:remov\w+|delet\w+|drop\w*|gone|no longer|not needed|unused|moved?|replaced?|obsolete)\b", re.I
)
MATCH: Final = (
    *(f"equal, {ink}, {often}" for ink in _INK for often in ("once", "few", "many")),
    *(f"equal, {ink}, in another definition" for ink in _INK),
    "same blanks",
    "line above equal too",
    "line below equal too",
    "same block",
    "another block",
    "same definition",
    "another definition",
    "changed",
    "changed: alikeness",
    "changed: same head",
    "changed: same target",
    "changed: other head",
    "inline marker",
    "changed: nearly all",
    "bare, of the same block",
    "bare, of another block",
)
NEW: Final = (
    *(f"new, {ink}" for ink in _INK),
    "new, as in the file once",
    "new, as in the file",
    "new head",
    "new head of a name in the file",
    "new, in a new definition",
    "new import",
    "new in the block shown",
    "new outside of the block shown",
)
GONE: Final = (
    *(f"gone, {ink}" for ink in _INK),
    "gone head",
    "gone, shown elsewhere",
    "gone in the block shown",
    "gone outside of the block shown",
    "gone import",
    "gone, unique",
)
MARK: Final = ("marker", "marker: dots", "marker: words", "marker: other comment", "marker: as in the file")
KEEP: Final = ("kept in the block of the marker", "kept beyond the block of the marker", "kept, though shown")
NOTE: Final = ("note of removal", "note: words of removal", "note: other comment")
LEAP: Final = (
    "leap",
    "leap at the top",
    "leap at the end",
    "leap to a head",
    "leap outwards",
    "leap after a blank line",
    "leap after a closer",
    "leap to an import",
    "leap without any marker",
    "leap to the margin",
    "leap within a block",
    "leap, share of the file shown",
)
ENTER: Final = ("leap from a blank line or a closer", "leap over a head")
LEAVE: Final = ("leap up to a head", "leap up to a line behind a blank one")
TURNED: Final = (
    (Layer.MATCH, Layer.NEW),
    (Layer.MATCH, Layer.GONE),
    (Layer.MATCH, Layer.MARK),
    (Layer.NEW, Layer.MATCH),
    (Layer.NEW, Layer.NEW),
    (Layer.NEW, Layer.MARK),
    (Layer.NEW, Layer.LEAP),
    (Layer.GONE, Layer.MATCH),
    (Layer.GONE, Layer.NEW),
    (Layer.GONE, Layer.MARK),
    (Layer.MARK, Layer.MATCH),
    (Layer.MARK, Layer.NEW),
    (Layer.MARK, Layer.GONE),
    (Layer.MARK, Layer.MARK),
    (Layer.MARK, Layer.EDGE),
    (Layer.KEEP, Layer.NEW),
    (Layer.KEEP, Layer.GONE),
    (Layer.LEAP, Layer.NEW),
    (Layer.EDGE, Layer.NEW),
    (Layer.EDGE, Layer.GONE),
    (Layer.NEW, Layer.EDGE),
    (Layer.GONE, Layer.EDGE),
)
TURNS: Final = tuple(f"{one.name} to {other.name}" for one, other in TURNED)
GROUPS: Final = {
    "match": MATCH,
    "new": NEW,
    "gone": GONE,
    "mark": MARK,
    "keep": KEEP,
    "note": NOTE,
    "leap": LEAP,
    "enter": ENTER,
    "leave": LEAVE,
    "turns": TURNS,
}
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)

_OPENERS = frozenset("{([")
_LEAST_ALIKE = 0.4
_TELLING = 8  # characters that are enough to know a line by its beginning
_LONG = 400
_MOST_CHANGED = 6  # file lines that one sketch line may be a changed version of


@dataclass(frozen=True, slots=True)
class Features:
    """Counts of each step's features: rows are steps, columns the names of the group.

    `pairs` are the (sketch, file) lines that may be one, `match` their rows; `spelled` [m] are markers for certain. Of
    blocks that the sketch shows, 1 stands for inside, -1 for outside and 0 where none can be told: `inside` [m + 1, n]
    for a file line between two sketch lines, `put` [m, n + 1] for a place of a new line. `sheltered` [m, n] is -1 for
    the first file line behind the block of a marker, `shown` [n] 1 for a line that file and sketch have once.
    """

    shape: tuple[int, int]
    pairs: tuple[Any, Any]
    match: Any
    new: Any
    spelled: Any
    put: Any
    gone: Any
    inside: Any
    sheltered: Any
    shown: Any
    mark: Any
    may_mark: Any
    note: Any
    may_note: Any
    leap: Any
    enter: Any
    leave: Any


def _vector(names: Sequence[str], values: dict[str, float]) -> list[float]:
    return [values.get(name, 0.0) for name in names]


class Reader:
    """Reads the features of a sketch against a file."""

    def __init__(self, file: Outline, update: Update) -> None:
        self._file = file
        texts = update.texts
        self._spelled = frozenset(i for i, line in enumerate(update.lines) if line.marker)
        self.sketch = self._sketch = Outline(texts, self._spelled)
        self._places: dict[str, list[int]] = defaultdict(list)
        wanted = set(self._sketch.stripped)
        for row, text in enumerate(file.stripped):
            if text in wanted:
                self._places[text].append(row)
        self._blocks: dict[str, Any] = {}
        self._openers: list[int] = []  # of the block that was asked for last
        self._heads: dict[str, list[int]] = defaultdict(list)
        for row, name in file.heads.items():
            self._heads[name].append(row)
        self._comment = [is_comment(text) or i in self._spelled for i, text in enumerate(texts)]

    def features(self) -> Features:
        file, sketch = self._file, self._sketch
        m, n = len(sketch.texts), len(file.texts)
        pairs, match = self._pairs()
        may_mark, mark, may_note, note = self._marks()
        enter, leave = self._edges()
        rows, columns = ([pair[side] for pair in pairs] for side in (0, 1))
        return Features(
            shape=(m, n),
            pairs=(np.array(rows, dtype=np.intp), np.array(columns, dtype=np.intp)),
            match=np.array(match, dtype=float).reshape(len(pairs), len(MATCH)),
            new=np.array([self._new(i) for i in range(m)], dtype=float).reshape(m, len(NEW)),
            put=self._put(),
            spelled=np.array([i in self._spelled for i in range(m)], dtype=bool),
            gone=self._gone(),
            inside=self._gaps(),
            sheltered=self._sheltered(),
            shown=self._shown(),
            mark=mark,
            may_mark=may_mark,
            note=note,
            may_note=may_note,
            leap=np.array([self._leap(i) for i in range(m + 1)], dtype=float),
            enter=enter,
            leave=leave,
        )

    def _pairs(self) -> tuple[list[tuple[int, int]], list[list[float]]]:
        sketch = self._sketch
        pairs: list[tuple[int, int]] = []
        rows: list[list[float]] = []
        changed = self._changed()
        for i, text in enumerate(sketch.stripped):
            if i in self._spelled:
                continue
            for j in self._places.get(text, ()):
                pairs.append((i, j))
                rows.append(_vector(MATCH, self._equal(i, j)))
            for j, alike in changed.get(i, ()):
                pairs.append((i, j))
                rows.append(_vector(MATCH, self._change(i, j, alike)))
        return self._paired(pairs, rows)

    def _paired(
        self, pairs: list[tuple[int, int]], rows: list[list[float]]
    ) -> tuple[list[tuple[int, int]], list[list[float]]]:
        """Without closing lines whose blocks are opened by lines that cannot be one."""
        file, sketch = self._file, self._sketch
        known = set(pairs)
        kept = []
        for k, (i, j) in enumerate(pairs):
            mine, theirs = sketch.parents[i], file.parents[j]
            closing = (
                file.ink[j] == BARE
                and closes(sketch.texts[i])
                and mine is not None
                and sketch.stripped[mine][-1:] in _OPENERS
            )
            if not closing or theirs is None or (mine, theirs) in known:
                kept.append(k)
        return [pairs[k] for k in kept], [rows[k] for k in kept]

    def _equal(self, i: int, j: int) -> dict[str, float]:
        file, sketch = self._file, self._sketch
        around = self._around(i, j)
        if "another definition" in around:
            # What looks alike in definitions of other names is no evidence: neighbours often do.
            return {f"equal, {_INK[file.ink[j]]}, in another definition": 1.0}
        count = file.counts[file.stripped[j]]
        often = "once" if count == 1 else "few" if count < 4 else "many"
        values = {f"equal, {_INK[file.ink[j]]}, {often}": 1.0}
        if file.ink[j] != BLANK:
            values["same blanks"] = float(sketch.widths[i] + self._offsets[i] == file.widths[j])
        return values | around

    def _around(self, i: int, j: int) -> dict[str, float]:
        file, sketch = self._file, self._sketch
        values: dict[str, float] = {}
        if i and j and sketch.stripped[i - 1] == file.stripped[j - 1] and i - 1 not in self._spelled:
            values["line above equal too"] = 1.0
        if (
            i + 1 < len(sketch.texts)
            and j + 1 < len(file.texts)
            and sketch.stripped[i + 1] == file.stripped[j + 1]
        ):
            values["line below equal too"] = 1.0
        if file.ink[j] != BLANK:
            mine, theirs = sketch.parents[i], file.parents[j]
            if mine is not None and mine not in self._spelled:
                same = theirs is not None and _same_opener(sketch, mine, file, theirs)
                values["same block" if same else "another block"] = 1.0
                if file.ink[j] == BARE:
                    values["bare, of the same block" if same else "bare, of another block"] = 1.0
            ours, yours = sketch.qualified(i), file.qualified(j)
            if ours:
                values["same definition" if yours[-len(ours) :] == ours else "another definition"] = 1.0
        return values

    def _change(self, i: int, j: int, alike: float) -> dict[str, float]:
        file, sketch = self._file, self._sketch
        values = {"changed": 1.0, "changed: alikeness": alike, "changed: nearly all": float(alike > 0.8)}
        if i in sketch.heads or j in file.heads:
            same = sketch.heads.get(i) == file.heads.get(j)
            values["changed: same head" if same else "changed: other head"] = 1.0
        elif (target := target_of(sketch.texts[i])) is not None and target == target_of(file.texts[j]):
            values["changed: same target"] = 1.0
        if (prefix := self._inline(i)) and file.stripped[j].startswith(prefix):
            values["inline marker"] = 1.0
        values["same blanks"] = float(sketch.widths[i] + self._offsets[i] == file.widths[j])
        return values | self._around(i, j)

    def _inline(self, i: int) -> str | None:
        """What stands before a marker that ends a line of code."""
        return None if self._places.get(self._sketch.stripped[i]) else before_marker(self._sketch.stripped[i])

    def _changed(self) -> dict[int, list[tuple[int, float]]]:
        """For sketch lines that the file has not the file lines that look like them."""
        file, sketch = self._file, self._sketch
        mine = {
            i: frozenset(_WORD.findall(text))
            for i, text in enumerate(sketch.stripped)
            if i not in self._spelled
            and sketch.ink[i] >= SHORT
            and not (self._places.get(text) and i not in sketch.heads)
        }
        words = set().union(*mine.values()) if mine else set()
        where: dict[str, list[int]] = defaultdict(list)
        tokens: dict[int, frozenset[str]] = {}
        shown = set(sketch.stripped)
        for j, text in enumerate(file.stripped):
            if file.ink[j] < SHORT or (text in shown and j not in file.heads):
                continue
            found = frozenset(_WORD.findall(text))
            tokens[j] = found
            for word in found & words:
                where[word].append(j)
        result: dict[int, list[tuple[int, float]]] = {}
        common = max(60, len(file.texts) // 20)
        for i, own in mine.items():
            weights: dict[int, float] = defaultdict(float)
            for word in own:
                if len(where[word]) <= common:
                    for j in where[word]:
                        weights[j] += 1.0 / (1 + np.log(len(where[word])))
            best = sorted(weights, key=lambda j: -weights[j])[: 3 * _MOST_CHANGED]
            near = sorted(((j, self._alike(i, j)) for j in best), key=lambda pair: -pair[1])
            inline = self._inline(i)
            chosen = [
                (j, alike)
                for j, alike in near
                if file.stripped[j] != sketch.stripped[i]
                and (
                    alike >= _LEAST_ALIKE
                    or self._related(i, j)
                    or (inline and file.stripped[j].startswith(inline))
                )
            ]
            if chosen:
                result[i] = chosen[:_MOST_CHANGED]
        return result

    def _related(self, i: int, j: int) -> bool:
        name = self._sketch.heads.get(i)
        if name is not None:
            return self._file.heads.get(j) == name
        target = target_of(self._sketch.texts[i])
        return target is not None and target == target_of(self._file.texts[j])

    def _alike(self, i: int, j: int) -> float:
        """From 0 to 1. A line that goes on below is like one that says all at once."""
        one, other = self._sketch.stripped[i], self._file.stripped[j]
        short, long = sorted((one, other), key=len)
        if len(short) >= _TELLING and long.startswith(short):
            return 0.9
        return SequenceMatcher(None, one, other, autojunk=False).ratio() if len(long) < _LONG else 0.0

    def _new(self, i: int) -> list[float]:
        sketch = self._sketch
        values = {f"new, {_INK[sketch.ink[i]]}": 1.0}
        places = self._places.get(sketch.stripped[i], ())
        chain = sketch.qualified(i)
        if chain and chain[-1] not in self._heads:
            values["new, in a new definition"] = 1.0
        elif places and sketch.ink[i] >= SHORT:
            values["new, as in the file once" if len(places) == 1 else "new, as in the file"] = 1.0
        if i in sketch.heads:
            values["new head"] = 1.0
            if sketch.qualified(i) in self._names:
                values["new head of a name in the file"] = 1.0
        if is_import(sketch.texts[i]):
            values["new import"] = 1.0
        return _vector(NEW, values)

    @cached_property
    def _offsets(self) -> list[int]:
        """By how many columns each sketch line is likely shown too far out: what the lines of its piece that the file
        has once say, else those of all."""
        file, sketch = self._file, self._sketch
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        piece, pieces = 0, []
        for i, text in enumerate(sketch.stripped):
            piece += i in self._spelled
            pieces.append(piece)
            places = self._places.get(text, ())
            if len(places) == 1 and sketch.ink[i] == FULL and i not in self._spelled:
                votes[piece][file.widths[places[0]] - sketch.widths[i]] += 1
        usual = sum(votes.values(), Counter[int]()).most_common(1)
        return [(votes[piece].most_common(1) or usual or [(0, 0)])[0][0] for piece in pieces]

    @cached_property
    def _share(self) -> float:
        """Of the file's lines that say something, those that the sketch has."""
        texts = set(self._sketch.stripped)
        full = [text for text, ink in zip(self._file.stripped, self._file.ink, strict=True) if ink == FULL]
        return sum(text in texts for text in full) / len(full) if full else 0.0

    @cached_property
    def _names(self) -> set[tuple[str, ...]]:
        file = self._file
        return {
            file.qualified(head)[-k:] for head in file.heads for k in range(1, len(file.chains[head]) + 1)
        }

    def _gone(self) -> Any:
        file, shown = self._file, set(self._sketch.stripped)
        rows = []
        for j, text in enumerate(file.stripped):
            values = {f"gone, {_INK[file.ink[j]]}": 1.0}
            if j in file.heads:
                values["gone head"] = 1.0
            if file.ink[j] >= SHORT and text in shown:
                values["gone, shown elsewhere"] = 1.0
            if file.ink[j] == FULL and file.counts[text] == 1:
                values["gone, unique"] = 1.0
            if is_import(file.texts[j]):
                values["gone import"] = 1.0
            rows.append(_vector(GONE, values))
        return np.array(rows, dtype=float).reshape(len(file.texts), len(GONE))

    def _gaps(self) -> Any:
        """Whether each file line stands in the block that the sketch shows between its lines i - 1 and i."""
        sketch, m = self._sketch, len(self._sketch.texts)
        found = np.zeros((m + 1, len(self._file.texts)))
        for i in range(1, m):
            found[i] = self._inside(i, min(sketch.widths[i - 1], sketch.widths[i]))
        return found

    def _put(self) -> Any:
        """[m, n + 1]: 1 where the first new line below a marker would stand in the block that the sketch shows it in,
        -1 where outside of it."""
        file, sketch = self._file, self._sketch
        m, n = len(sketch.texts), len(file.texts)
        found = np.zeros((m, n + 1))
        last = (
            np.maximum.accumulate(np.where(np.array(file.ink) != BLANK, np.arange(n), -1))
            if n
            else np.array([])
        )
        for i in range(m):
            above = i - 1
            while above >= 0 and not sketch.stripped[above]:
                above -= 1
            if above not in self._spelled or not sketch.stripped[i]:
                continue
            held, openers = self._inside(i, sketch.widths[i]), self._openers
            if not held.any():
                continue
            within = held.copy()
            within[openers] = 1.0
            found[i, 1:] = np.where(last >= 0, within[np.maximum(last, 0)], 0.0)
        return found

    def _shown(self) -> Any:
        file = self._file
        texts = {text for i, text in enumerate(self._sketch.stripped) if i not in self._spelled}
        known = (
            (ink == FULL and file.counts[text] == 1 and text in texts)
            for ink, text in zip(file.ink, file.stripped, strict=True)
        )
        return np.fromiter(known, dtype=float, count=len(file.texts))

    def _sheltered(self) -> Any:
        """-1 for the first file line behind the block that marker i stands in."""
        sketch, m = self._sketch, len(self._sketch.texts)
        found = np.zeros((m, len(self._file.texts)))
        for i in range(m):
            if self._comment[i]:
                # Where the block ends: what is kept beyond is kept outside of it.
                held = self._inside(i, sketch.widths[i])
                inked = np.nonzero(held)[0]
                ends = (held[inked[:-1]] > 0) & (held[inked[1:]] < 0)
                found[i, inked[1:][ends]] = -1.0
        return found

    def _inside(self, i: int, width: int) -> Any:
        """1 for each file line in the innermost block above sketch line i that is open at this width and that the file
        has, -1 for the others and for blank lines 0; all 0 where there is no such block."""
        sketch, file = self._sketch, self._file
        for row in range(i - 1, -1, -1):
            if width == 0:
                break
            text = sketch.stripped[row]
            if not text or row in self._spelled or sketch.widths[row] >= width:
                continue
            width = sketch.widths[row]
            name = sketch.heads.get(row)
            key = name if name is not None and name in self._heads else text
            if name == key or (self._places.get(text) and sketch.ink[row] > BARE):
                self._openers = self._heads[key] if name == key else self._places[text]
                if key not in self._blocks:
                    self._blocks[key] = self._block(self._openers)
                return self._blocks[key]
        return np.zeros(len(file.texts))

    def _block(self, openers: Sequence[int]) -> Any:
        """1 in the blocks that these lines open, -1 elsewhere, 0 for blank lines."""
        file = self._file
        held = [False] * len(file.texts)
        chosen = set(openers)
        for j, above in enumerate(file.parents):
            held[j] = above is not None and (above in chosen or held[above])
        for j in range(len(held) - 2, -1, -1):
            if not held[j] and file.stripped[j] and file.leads(j) and file.widths[j] == file.widths[j + 1]:
                held[j] = held[j + 1]
        ink = np.array(file.ink) != BLANK
        return np.where(ink, np.where(held, 1.0, -1.0), 0.0)

    def _marks(self) -> tuple[Any, Any, Any, Any]:
        sketch = self._sketch
        may_mark, mark, may_note, note = [], [], [], []
        for i, text in enumerate(sketch.texts):
            comment = self._comment[i]
            values: dict[str, float] = {}
            if i in self._spelled:
                values["marker"] = 1.0
            elif comment and begins_with_dots(text):
                values["marker: dots"] = 1.0
            elif comment and _KEPT.search(said_in_comment(text) or ""):
                values["marker: words"] = 1.0
            elif comment:
                values["marker: other comment"] = 1.0
            if comment and self._places.get(sketch.stripped[i]):
                values["marker: as in the file"] = 1.0
            may_mark.append(comment)
            mark.append(_vector(MARK, values))
            removal = comment and removal_note(text) is not None
            may_note.append(comment and not is_decorator(text))
            told = (
                "note of removal"
                if removal
                else "note: words of removal"
                if comment and _REMOVED.search(text)
                else "note: other comment"
            )
            note.append(_vector(NOTE, {told: float(not self._places.get(sketch.stripped[i]))}))
        m = len(sketch.texts)
        return (
            np.array(may_mark, dtype=bool),
            np.array(mark, dtype=float).reshape(m, len(MARK)),
            np.array(may_note, dtype=bool),
            np.array(note, dtype=float).reshape(m, len(NOTE)),
        )

    def _leap(self, i: int) -> list[float]:
        sketch = self._sketch
        m = len(sketch.texts)
        values = {"leap": 1.0}
        if i == 0:
            values["leap at the top"] = 1.0
        if i == m:
            values["leap at the end"] = 1.0
        if not self._spelled:
            values["leap without any marker"] = 1.0
            values["leap, share of the file shown"] = self._share
        below = i
        while below < m and not sketch.stripped[below]:
            below += 1
        above = i - 1
        while above >= 0 and not sketch.stripped[above]:
            above -= 1
        if 0 < i < m and (above < i - 1 or below > i):
            values["leap after a blank line"] = 1.0
        if below < m:
            values["leap to a head"] = float(sketch.begins(below))
            values["leap to an import"] = float(is_import(sketch.texts[below]))
            if above >= 0:
                values["leap outwards"] = float(sketch.widths[below] < sketch.widths[above])
                values["leap to the margin"] = float(sketch.widths[below] == 0)
        if above >= 0 and below < m and not sketch.begins(below):
            inner = sketch.parents[below]
            values["leap within a block"] = float(
                inner is not None and inner in (above, sketch.parents[above])
            )
        if above >= 0 and closes(sketch.texts[above]):
            values["leap after a closer"] = 1.0
        return _vector(LEAP, values)

    def _edges(self) -> tuple[Any, Any]:
        file = self._file
        n = len(file.texts)
        enter, leave = np.zeros((n + 1, len(ENTER))), np.zeros((n + 1, len(LEAVE)))
        begins = [file.begins(j) for j in range(n)]
        for j in range(n):
            blank = not file.stripped[j]
            if blank or (j and closes(file.texts[j - 1])):
                enter[j, 0] = 1.0
            if begins[j]:
                enter[j, 1] = leave[j, 0] = 1.0
            if j and not file.stripped[j - 1]:
                leave[j, 1] = 1.0
        return enter, leave


def _same_opener(sketch: Outline, mine: int, file: Outline, theirs: int) -> bool:
    if sketch.stripped[mine] == file.stripped[theirs]:
        return True
    name = sketch.heads.get(mine)
    return name is not None and name == file.heads.get(theirs)


class Weights:
    """A number for each feature's name."""

    def __init__(self, values: dict[str, float]) -> None:
        self.values = {name: values.get(name, 0.0) for name in NAMES}

    def of(self, group: str) -> Any:
        return np.array([self.values[name] for name in GROUPS[group]])


def _sided(sides: Any, weights: Any) -> Any:
    """The first weight where a side is 1, the second where it is -1."""
    return np.where(sides > 0, weights[0], 0.0) + np.where(sides < 0, weights[1], 0.0)


def scores(features: Features, weights: Weights) -> Scores:
    """The score of each step."""
    m, n = features.shape
    match = np.full((m, n + 1), NEVER)
    match[features.pairs] = features.match @ weights.of("match")
    gone_weights, kept, new = weights.of("gone"), weights.of("keep"), weights.of("new")
    inside = GONE.index("gone in the block shown")
    gone = features.gone @ gone_weights
    shown = _sided(features.inside, gone_weights[inside : inside + 2])
    turns = np.zeros((7, 7))
    for (one, other), weight in zip(TURNED, weights.of("turns"), strict=True):
        turns[one, other] = weight
    return Scores(
        match=match,
        new=np.where(features.spelled, NEVER, features.new @ new)[:, None]
        + _sided(features.put, new[len(NEW) - 2 :]),
        gone=gone[None, :] + shown,
        mark=np.where(features.may_mark, features.mark @ weights.of("mark"), NEVER),
        note=np.where(features.may_note, features.note @ weights.of("note"), NEVER),
        keep=_sided(features.sheltered, kept) + features.shown * kept[2],
        stay=features.shown * kept[2],
        leap=features.leap @ weights.of("leap"),
        enter=features.enter @ weights.of("enter"),
        leave=features.leave @ weights.of("leave"),
        turns=turns,
    )
