"""The torture set: files with one edit each, and every result that leaves all other bytes alone.

A file is the same small module throughout; what changes is how it is spelt (encoding, BOM, line ends, final newline),
what stands on the lines around the edit, and where the edit lands. Its bytes are put together here, without any
code of fastedit's.
"""

from __future__ import annotations

import codecs
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.fidelity.texts import FEATURES, PLAIN, SPELLINGS, Spelling, binaries, degenerate

SEED = 0
ENDS = {
    "LF": ("\n",),
    "CR LF": ("\r\n",),
    "CR": ("\r",),
    "mixed": ("\n", "\r\n", "\r"),
    "LF and CR LF": ("\n", "\r\n"),
    "CR LF and CR": ("\r\n", "\r"),
}
FINALS = ("one", "none", "two")
GAP = "# ... existing code ..."
MANY_LINES = 20_000
HEAD = ("MODE = 1 + 1", "", "", "def first(a):", "    b = a + 5", "    b *= 2", "    return b", "", "")
TARGET = ("def target(value):", "    total = value + 1", "    return total", "", "")
LAST = ("def last(c):", "    d = c * 7", "    return d - 3")


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines of the module that go and come. `at` is the line of `old`, looked for by its text."""

    name: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    update: str


def _within(*lines: str) -> str:
    """A sketch of `target` with these lines behind its header."""
    return "\n".join((GAP, TARGET[0], *(f"    {line}" for line in lines), f"    {GAP}", GAP, ""))


def _ending(*lines: str) -> str:
    """A sketch of `last` that ends with these lines, as the file does."""
    return "\n".join((GAP, LAST[0], f"    {GAP}", LAST[1], *lines, ""))


EDITS = (
    Edit("a line in the middle", TARGET[1:2], ("    total = value + 2",), _within("total = value + 2")),
    Edit(
        "a line more", TARGET[1:2], (TARGET[1], "    total += 3"), _within("total = value + 1", "total += 3")
    ),
    Edit("a line less", HEAD[5:6], (), "\n".join((GAP, *HEAD[3:5], HEAD[6], "", "", GAP, ""))),
    Edit("the first line", HEAD[:1], ("MODE = 1 + 2",), f"MODE = 1 + 2\n{GAP}\n"),
    Edit("the last line", LAST[2:], ("    return d - 4",), _ending("    return d - 4")),
    Edit("the last but one", LAST[1:2], (LAST[1], "    d += 1"), _ending("    d += 1", LAST[2])),
    Edit("nothing", (), (), _within("total = value + 1")),
)
MIDDLE, MORE = EDITS[0], EDITS[1]


@dataclass(frozen=True, slots=True)
class Torture:
    """One file and one edit. `wanted` are the right results; none where the file is no text and must be refused.

    `spelling` is how a client of a surface that takes text would decode the file, None where it cannot.
    `frame` are the bytes before and behind the definition that a model may rewrite, empty where it is another one.
    """

    id: str
    name: str
    data: bytes
    update: str
    wanted: frozenset[bytes]
    spelling: Spelling | None
    frame: tuple[bytes, bytes] = (b"", b"")


def torture(seed: int = SEED) -> list[Torture]:
    """The whole set; the same seed gives the same bytes."""
    rng = random.Random(seed)
    return [
        *_spelt(rng),
        *_featured(rng),
        *_ended(rng),
        *_said_in_other_ends(rng),
        *_named(rng),
        *_no_text(seed),
        *_hardly_there(),
    ]


def _spelt(rng: random.Random) -> Iterator[Torture]:
    for spelling in SPELLINGS:
        for ends in ("LF", "CR LF", "CR", "mixed"):
            for edit in (MIDDLE, _saying(spelling.sample)):
                lines = (f"    # {spelling.sample}",)
                yield from _made(
                    f"{spelling.name}, {ends}, {edit.name}",
                    rng,
                    spelling,
                    lines,
                    ends,
                    rng.choice(FINALS),
                    edit,
                )


def _featured(rng: random.Random) -> Iterator[Torture]:
    for name, lines in FEATURES.items():
        for edit in (*EDITS, _saying(lines[0].strip()[:200])):
            ends, final = rng.choice(list(ENDS)), rng.choice(FINALS)
            yield from _made(
                f"{name}, {edit.name}", rng, PLAIN, tuple(f"    {line}" for line in lines), ends, final, edit
            )
    for ends in ("LF", "CR LF", "mixed"):
        filler = tuple(f"    call_{n}(x{n})" for n in range(MANY_LINES))
        yield from _made(f"{MANY_LINES} lines, {ends}", rng, PLAIN, filler, ends, "one", MORE)


def _ended(rng: random.Random) -> Iterator[Torture]:
    for ends in ENDS:
        for final in FINALS:
            for edit in EDITS:
                yield from _made(
                    f"{ends}, {final} at the end, {edit.name}", rng, PLAIN, (), ends, final, edit
                )


def _said_in_other_ends(rng: random.Random) -> Iterator[Torture]:
    """The sketch has line ends of its own, a BOM, or no final newline; none of it may get into the file."""
    for name, said in (
        ("CR LF", MORE.update.replace("\n", "\r\n")),
        ("CR", MORE.update.replace("\n", "\r")),
        ("no final newline", MORE.update.rstrip("\n")),
        ("a BOM", "\ufeff" + MORE.update),
        ("a fence", f"```python\n{MORE.update}```\n"),
    ):
        edit = Edit(f"a sketch with {name}", MORE.old, MORE.new, said)
        for ends in ("LF", "CR LF", "mixed"):
            yield from _made(f"{edit.name}, {ends}", rng, PLAIN, (), ends, "none", edit)


def _named(rng: random.Random) -> Iterator[Torture]:
    for file in ("a.txt", "Makefile", "a.js", "a b.py", "ä😀.py", "-a.py", "a.PY"):
        for ends in ("LF", "mixed"):
            for made in _made(f"named {file}, {ends}", rng, PLAIN, (), ends, "none", MIDDLE):
                yield Torture(made.id, file, made.data, made.update, made.wanted, made.spelling, made.frame)


def _no_text(seed: int) -> Iterator[Torture]:
    for name, data in binaries(seed).items():
        # An escape that the declared encoding refuses is text to a client, which knows of characters alone.
        before, after = ("\n".join(lines).encode() for lines in (MIDDLE.old, MIDDLE.new))
        edited = data.replace(before, after)
        yield Torture(name, "a.py", data, MIDDLE.update, frozenset({edited} if b"\x1b" in data else ()), None)


def _hardly_there() -> Iterator[Torture]:
    for name, data in degenerate().items():
        wanted = {data}
        if data in (b"", codecs.BOM_UTF8):
            wanted |= {data + b"x = 1\n", data + b"x = 1"}
        elif data.startswith(b"x"):  # it may stand for the line there
            wanted.add(b"x = 1" + data[1:])
        elif not data.strip():  # it may stand above the blank lines
            end = data.splitlines(keepends=True)[0].lstrip(b" \t") or b"\n"
            wanted.add(b"x = 1" + end + data)
        yield Torture(name, "a.py", data, "x = 1\n", frozenset(wanted), PLAIN)


def _saying(text: str) -> Edit:
    """An edit that itself has the characters in question."""
    line = f"    total = value + 1  # {text}"
    return Edit(
        "the same characters", (TARGET[1],), (line,), MIDDLE.update.replace("    total = value + 2", line)
    )


def _made(
    id_: str, rng: random.Random, spelling: Spelling, extra: Sequence[str], ends: str, final: str, edit: Edit
) -> Iterator[Torture]:
    """The module with `extra` lines in the edited definition and in another one; nothing where it cannot be spelt."""
    head = [spelling.declares] * bool(spelling.declares) + list(HEAD)
    target = [*TARGET[:2], *extra, *TARGET[2:]]
    lines = [*head, *target, LAST[0], *extra, *LAST[1:]]
    every = [rng.choice(ENDS[ends]) for _ in lines]
    every[-1] = "" if final == "none" else every[-1]
    tail = every[-1] * (final == "two")
    pairs = list(zip(lines, every, strict=True))
    at = lines.index(edit.old[0]) if edit.old else 0
    try:
        data = spelling.encode(_text(pairs) + tail)
        wanted = {spelling.encode(_text(new) + tail) for new in _results(pairs, at, edit)}
        before, behind = _text(pairs[: len(head)]), _text(pairs[len(head) + len(target) :]) + tail
        frame = spelling.encode(before), behind.encode(spelling.codec)
    except UnicodeEncodeError:
        return
    # Some codecs spell a text otherwise than its parts.
    inside = (not edit.old or edit.old[0] in target) and data.startswith(frame[0]) and data.endswith(frame[1])
    yield Torture(
        id_, "a.py", data, edit.update, frozenset(wanted), spelling, frame if inside else (b"", b"")
    )


def _results(pairs: list[tuple[str, str]], at: int, edit: Edit) -> Iterator[list[tuple[str, str]]]:
    """The new file. A line that takes another's place keeps its end; a line more may end like either neighbour."""
    gone, come = len(edit.old), len(edit.new)
    kept = [end for _, end in pairs[at : at + gone]]
    if come <= gone:
        ends = [[*kept[: come - 1], kept[-1]], kept[:come]] if come else [[]]
    else:
        around = {end for _, end in pairs[max(at - 1, 0) : at + gone + 1] if end} | {kept[-1] or "\n"}
        ends = [[*kept[:-1], *([end] * (come - gone)), kept[-1]] for end in sorted(around)]
        ends += [[*kept, *([end] * (come - gone))] for end in sorted(around)]
    for choice in ends:
        yield [*pairs[:at], *zip(edit.new, choice, strict=True), *pairs[at + gone :]]


def _text(pairs: Sequence[tuple[str, str]]) -> str:
    return "".join(line + end for line, end in pairs)
