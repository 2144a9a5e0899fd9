"""Whether markers, fences and delimiters stay out of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from fastedit.check.base import Rule
from fastedit.check.change import WORD, Change, non_blank, short
from fastedit.source.examples import examples
from fastedit.source.hunks import Hunk
from fastedit.source.language import notation_in
from fastedit.source.languages import named
from fastedit.source.markers import begins_with_dots, looks_like_marker, said_in_comment
from fastedit.source.outline import definition_at, indent_width, is_comment
from fastedit.source.syntax import has_grammar

_DELIMITER = re.compile(r"</?(?:updated-code|original-code|code|update|instruction|edit)>|<\|\w+\|>")
FENCE = re.compile(r"\s*(?:```|~~~)")
# Dots that stand alone within a line, and that stand for attributes of a tag.
_DOTS = re.compile(r"""(?<=[\s([{<>,"'`=])(?:\.{3}|…)(?=[\s)\]}<>,"'`;])""")
_IN_TAG = re.compile(r"<[\w.:-]++[^>]*\s(?:\.{3}|…)\s*+(?:/?>|[\w@:#.-]++=)")


def _markers_stay(change: Change) -> Iterator[str]:
    """No marker, code fence or delimiter of a prompt gets into the file."""
    asked = {line.text.strip() for line in change.update.lines if not line.marker} if change.update else set()
    given = change.said or ""
    known = (change.document.text, given, *asked)
    shown = set(_in_examples(change))
    going = list(_going(change))
    for text in sorted(asked):
        if change.count_after(text) <= change.count_before(text):
            continue
        if begins_with_dots(text) and text not in shown:
            yield f"the comment {short(text)} may be meant as a marker"
        elif _hides(text, change, going):
            yield f"the dots in {short(text)} would be written into the file; write what they stand for"
        elif _quotes(text, going):
            yield f"the comment {short(text)} has the code of a line that goes, and would be written into the file"
    for hunk in change.hunks:
        if (said := _names_what_goes(hunk, change)) and said in asked:
            yield f"the comment {short(said)} names what goes, and may be meant as a marker"
        if (last := _ends_what_goes(hunk, change)) and last in asked:
            yield f"{short(last)} ends a block of which lines go, and may be meant as a marker"
        for text in non_blank(hunk.lines):
            if text in asked or text in given or change.count_after(text) <= change.count_before(text):
                continue
            if looks_like_marker(text):
                yield f"the marker {short(text)} was written into the file"
            elif has_grammar(change.language) and FENCE.match(text):
                yield "a code fence was written into the file"
            elif (found := _DELIMITER.search(text)) and not any(found[0] in one for one in known):
                yield f"the delimiter {found[0]} was written into the file"


def _in_examples(change: Change) -> Iterator[str]:
    """The lines of the update in examples of prose: one that the file has nothing of may leave code out, as text."""
    if change.update and named(notation_in(change.document)).prose:
        lines = change.update.texts
        yield from (lines[row].strip() for example in examples(lines) for row in example)


def _hides(text: str, change: Change, going: Sequence[str]) -> bool:
    """Whether dots within a line stand for attributes of a tag, or for what a line that goes has there."""
    language = named(notation_in(change.document))
    if language.prose or is_comment(text):
        return False
    if _IN_TAG.match(text):
        return True
    found = _DOTS.search(text)
    if found is None or not text[found.end() :].strip(",; ") or not WORD.search(text, 0, found.start()):
        return False
    before, behind = text[: found.start()].rstrip(), text[found.end() :].lstrip()
    if language.ellipsis and (before[-1] == "[" or behind[0] == "]"):
        return False
    if language.open_parameters and behind[0] == ")":
        return False
    return any(line.startswith(before) and not _DOTS.search(line) for line in going)


def _names_what_goes(hunk: Hunk, change: Change) -> str | None:
    """The comment that stands where a definition stood which it names, with no code beside it: it says that this goes,
    unless that was commented out."""
    new = non_blank(hunk.lines)
    if not new or not all(map(is_comment, new)):
        return None
    going = {_bare(text) for text in non_blank(change.old[hunk.start : hunk.stop])}
    if any(_bare(said_in_comment(text) or "") in going for text in new):
        return None
    names = {name for row in range(hunk.start, hunk.stop) if (name := definition_at(change.old, row))}
    return next((text for text in new if not names.isdisjoint(WORD.findall(text))), None)


def _ends_what_goes(hunk: Hunk, change: Change) -> str | None:
    """The comment, or words that would be a marker in one, below new code at the end of a block of which lines go: what
    a comment speaks of stands below it, and there is nothing."""
    new = [line for line in hunk.lines if line.strip()]
    if len(new) < 2 or not non_blank(change.old[hunk.start : hunk.stop]) or all(map(is_comment, new)):
        return None
    last = new[-1]
    below = next((line for line in islice(change.old, hunk.stop, None) if line.strip()), "")
    ends = indent_width(below) < indent_width(last) <= indent_width(new[-2])
    says = is_comment(last) or looks_like_marker(f"# {last.strip()}")
    is_new = change.count_after(last.strip()) > change.count_before(last.strip())
    return (
        last.strip() if ends and says and is_new and not named(notation_in(change.document)).prose else None
    )


def _quotes(text: str, going: Sequence[str]) -> bool:
    """Whether a comment says something of a line that goes, whose code it has: `# delete this line: load(path)`. The
    code alone is one that was commented out."""
    _, colon, code = (said_in_comment(text) or "").partition(": ")
    return bool(colon) and any(_bare(line) == _bare(code) for line in going)


def _bare(code: str) -> str:
    return code.strip(" ;,`")


def _going(change: Change) -> Iterator[str]:
    """The lines of the file, stripped, of which the result has fewer."""
    lines = (line.strip() for hunk in change.hunks for line in change.old[hunk.start : hunk.stop])
    return (line for line in lines if line and change.count_after(line) < change.count_before(line))


RULE = Rule(
    code="FE103",
    name="marker",
    sentence="No marker, code fence or delimiter of a prompt gets into the file.",
    why=(
        "A marker such as `# ... existing code ...` stands for lines of the file. Written into "
        "it, the lines that it stood for are lost."
    ),
    example=("-def load(path):\n-    return open(path).read()\n+# ... existing code ..."),
    severity="broken",
    applies_to=("merge", "strong"),
    check=_markers_stay,
)
