"""What the tests of placing share: short ways to write hunks, and to place them."""

from fastedit.formats.base import FormatHunk, Replacement
from fastedit.formats.resolution.resolve import Resolution, resolve
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks


def lines(old: str, new: str, **locators) -> Replacement:
    """Whole lines, joined by LF, as diffs and SEARCH/REPLACE blocks have them. An empty text is none."""
    ends = ("\n" * bool(old), "\n" * bool(new))
    return Replacement(old + ends[0], new + ends[1], whole_lines=True, **locators)


def string(old: str, new: str, **locators) -> Replacement:
    """Any substring, as tool calls have it."""
    return Replacement(old, new, whole_lines=False, **locators)


def placed(text: str, *hunks: FormatHunk) -> Resolution:
    return resolve(Document.from_text(text), hunks)


def applied(text: str, *hunks: FormatHunk) -> str:
    """The new text. All hunks must be placed."""
    resolution = placed(text, *hunks)
    assert resolution.is_complete, [str(report) for report in resolution.reports]
    return apply_hunks(Document.from_text(text), resolution.hunks)


def steps(text: str, *hunks: FormatHunk) -> list[str]:
    return [report.step.value for report in placed(text, *hunks).reports]


def problem(text: str, *hunks: FormatHunk) -> str:
    """What is said about the only hunk that is not placed."""
    (failed,) = [report for report in placed(text, *hunks).reports if not report.step.placed]
    assert "\n" not in str(failed)
    return str(failed)
