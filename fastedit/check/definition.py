"""Whether definitions vanish or double."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fastedit.check.base import Rule
from fastedit.check.change import Change
from fastedit.source.definitions import Definition, definitions
from fastedit.source.languages import named
from fastedit.source.outline import definition_at


def _definitions_stay(change: Change) -> Iterator[str]:
    """No definition vanishes that nobody asked to lose, and none is there twice that was there once."""
    if not change.hunks or _kept_on_purpose(change) or (change.near and _expected_definitions(change)):
        return
    if change.old_syntax is None or change.new_syntax is None:
        return
    before, after = definitions(change.old_syntax), definitions(change.new_syntax)
    kept, lost = {item.path for item in after}, set[tuple[str, ...]]()
    for item in before:
        if item.path in kept or item.path[:-1] in lost:
            lost |= {item.path} if item.path not in kept else set()
            continue
        lost.add(item.path)
        if change.asks_for(item.name):
            if not change.foretold and len(item.path) == 1 and (line := _used(change, item.name)) is not None:
                yield f"the {item.kind} {item.dotted} vanishes, but is still used at line {line + 1}"
        elif not _goes_on_purpose(change, item):
            yield f"the {item.kind} {item.dotted} vanishes, and nobody asked for that"
    if not named(change.language).overloads:
        yield from _doubled(change, before, after)


def _goes_on_purpose(change: Change, item: Definition) -> bool:
    """Whether a definition that the instruction does not name was meant to go.

    An update leaves it out plainly. A strong model that writes text anew and means it takes the definition's uses with
    it; where it forgets one, they stay as they were.
    """
    if change.author != "strong":
        return change.leaves_out_line(item.header)
    assert change.old_syntax is not None
    assert change.new_syntax is not None
    before = (
        line
        for line in change.old_syntax.identifiers.get(item.name, ())
        if not item.start <= line < item.stop
    )
    return len(change.new_syntax.identifiers.get(item.name, ())) < sum(1 for _ in before)


def _used(change: Change, name: str) -> int | None:
    """A line of the result that has this name, and not as somebody's attribute."""
    assert change.new_syntax is not None
    own = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    lines = change.new_syntax.identifiers.get(name, ())
    return next((line for line in lines if own.search(change.new[line])), None)


def _expected_definitions(change: Change) -> bool:
    """Whether near the hunks none is lost that was not to go, and those that come have names new to the file."""
    before = [item.moved(old.start) for old, _ in change.near for item in definitions(old.syntax)]
    after = Counter(item.path for _, new in change.near for item in definitions(new))
    gained = after - Counter(item.path for item in before)
    return all(count == 1 and path[-1] not in change.document.text for path, count in gained.items()) and all(
        item.path in after
        or (change.foretold and change.asks_for(item.name))
        or change.leaves_out_line(item.header)
        for item in before
    )


def _doubled(change: Change, before: Sequence[Definition], after: Sequence[Definition]) -> Iterator[str]:
    def counted(items: Sequence[Definition]) -> Counter[tuple[str, str]]:
        # A decorator such as @overload or @x.setter makes a second definition of a name a matter of course.
        plain = (item for item in items if item.kind != "impl" and item.start == item.header)
        return Counter((item.kind, item.dotted) for item in plain)

    old = counted(before)
    sketch = change.update.texts if change.update is not None else ()
    given = Counter(definition_at(sketch, index) for index in range(len(sketch)))
    for (kind, name), count in counted(after).items():
        if count > max(old[kind, name], given[name.rsplit(".", 1)[-1]], 1):
            yield f"the {kind} {name} is now defined {count} times"


def _kept_on_purpose(change: Change) -> bool:
    """Whether a strong model showed changed lines alone, or left as many definitions as before: one that goes has
    another name now."""
    if change.author != "strong" or not change.anew:
        return change.author == "strong"
    old, new = change.old_syntax, change.new_syntax
    return old is None or new is None or len(definitions(old)) == len(definitions(new))


RULE = Rule(
    code="FE107",
    name="definition",
    sentence=(
        "No definition vanishes that nobody asked to lose, and none is there twice that was there once."
    ),
    why=(
        "A rewrite easily loses something. A strong model is held to this only where it rewrote a whole file or "
        "region, and not where uses of the definition went with it: then it was meant to go."
    ),
    example=(" class Store:\n-    def load(self): ...\n     def save(self): ..."),
    severity="wrong",
    applies_to=(
        "merge",
        "strong",
        "embedded",
    ),
    check=_definitions_stay,
)
