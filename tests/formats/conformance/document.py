"""`python -m tests.formats.conformance.document`: writes what the cases show into docs/formats.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from fastedit.formats.registry import FORMATS
from fastedit.train.table import table
from tests.document import rewritten
from tests.formats.conformance.cases import CASES, Case

DOCUMENT = Path(__file__).parents[3] / "docs" / "formats.md"
START, END = "<!-- from the conformance cases -->", "<!-- end of the conformance cases -->"
BEHAVIOURS = {
    "replace": "replaces text",
    "insert": "inserts lines",
    "delete-lines": "deletes lines",
    "append": "adds to the end of a file",
    "many-hunks": "several hunks in a file",
    "any-order": "hunks in another order than the file",
    "build": "a hunk that builds on one before it",
    "many-files": "several files",
    "create": "a new file",
    "delete": "a deleted file",
    "rename": "a renamed file",
    "replace-all": "every place, where it asks for that",
    "by-line": "one of several places, told by its line",
    "by-scope": "one of several places, told by the block around it",
    "by-end": "one of several places, told by the end of the file",
    "indentation": "text at another depth",
    "white-space": "text with other white space",
    "look-alikes": "typographic quotes and dashes",
    "escapes": "text that is escaped once too often",
    "elided": "`...` for lines that stay",
    "numbers": "wrong or missing line numbers",
    "crlf": "CR LF stays CR LF",
    "no-final-newline": "a last line without an end",
    "wrapped": "prose, fences and shell around the edit",
    "already": "an edit that was made before",
    "nothing": "an edit that changes nothing",
    "ambiguous": "text that stands in several places",
    "absent": "text that stands nowhere",
    "similar": "text that is only similar",
    "overwrite": "a new name that another file has",
    "missing-file": "a file that is not there",
    "all-or-nothing": "one file of several that fails",
    "stale": "a file that changed since it was read",
    "overlap": "hunks that overlap",
    "malformed": "markers in the wrong place",
    "broken": "a message that breaks off",
}


def block() -> str:
    """The table of format by behaviour, and what other tools do otherwise."""
    return "\n\n".join([_behaviours(), "### What other tools do otherwise", *_differences()])


def _behaviours() -> str:
    cells: defaultdict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in CASES:
        cells[case.does, case.format].append(case)
    rows = [
        [text, *(_cell(cells[does, format]) for format in FORMATS)]
        for does, text in BEHAVIOURS.items()
        if any(cells[does, format] for format in FORMATS)
    ]
    return table(["", *(f"`{format}`" for format in FORMATS)], rows)


def _cell(cases: list[Case]) -> str:
    refused = sum(case.refuse is not None for case in cases)
    if not cases:
        return ""
    if refused in (0, len(cases)):
        return "refused" if refused else "yes"
    return "some"


def _differences() -> Iterator[str]:
    tools: defaultdict[str, list[Case]] = defaultdict(list)
    for case in CASES:
        if case.differs:
            tools[case.tool].append(case)
    for tool, cases in tools.items():
        rows = [
            [case.name, case.differs or "", "refused" if case.refuse else "as the case says"]
            for case in cases
        ]
        yield f"#### {tool}\n\n" + table(["case", tool, "fastedit"], rows)


def main() -> None:
    DOCUMENT.write_text(rewritten(DOCUMENT.read_text("utf-8"), START, END, block()), "utf-8")


if __name__ == "__main__":
    main()
