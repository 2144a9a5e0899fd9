import pytest

from fastedit.edit.markers import looks_like_marker, parse_update, reindent
from fastedit.edit.update import Update, UpdateLine

MARKERS = """# ... existing code ...
// ... existing code ...
// ... rest of the code ...
# ...
#...
// …
...
    ...
# ... (unchanged)
/* ... keep the rest ... */
# existing code
// rest of file unchanged
# ... existing imports ...
<!-- ... existing markup ... -->
{/* ... existing JSX ... */}
{ /* ... */ }
-- ... existing columns ...
-- ...
; ...
% ... existing code ...
... existing code ...
# ... rest of class ...
# rest of the function remains the same
// [... existing methods ...]
[... existing content ...]
# ... other methods ...
# existing code...
# (existing code)
''' ... existing code ... '''
' ... existing code ...
REM ... existing code ...
# unchanged
// Rest of the code remains unchanged
// ... existing code ... //
/* ... */
# keep existing code
# ... existing code for handling users ...
# ...EXISTING CODE...
# . . .
// ... existing fields ...,
 * ... existing docs ...
# rest of Foo unchanged""".splitlines()

CODE = """...rest
//!     ...).
# ...], and so on
...props,
    ...existing,
# existing users are kept
# Other imports
"...",
"... existing code ..."
'...'
x = ...
def f(): ...
# and then...
# Wait for the rest of the args...
# -----
#
# ...and this continues the sentence above
[...]
[...rest]
{...props}
# Rest
# rest API
# remaining fields
--rest
* ...
# TODO: more...
...,

""".splitlines()


def code(update: Update) -> list[str]:
    return [line.text for line in update.lines if not line.marker]


def marked(update: Update) -> list[str]:
    return [line.text.strip() for line in update.lines if line.marker]


@pytest.mark.parametrize("line", MARKERS)
def test_the_usual_spellings_are_markers(line):
    assert looks_like_marker(line)


@pytest.mark.parametrize("line", CODE)
def test_code_and_plain_comments_are_not_markers(line):
    assert not looks_like_marker(line)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_is_read(end):
    update = parse_update(end.join(["a = 1", "# ...", "", "b = 2", ""]))
    assert update == Update(
        (UpdateLine("a = 1"), UpdateLine("# ...", True), UpdateLine(""), UpdateLine("b = 2"))
    )


@pytest.mark.parametrize(
    ("opened", "closed"), [("```python", "```"), ("~~~", "~~~"), ("````py title=x", "````")]
)
def test_one_outer_fence_is_taken_off(opened, closed):
    assert code(parse_update(f"\n{opened}\na\n```\nb\n```\n{closed}\n\n")) == ["a", "```", "b", "```"]


def test_a_fence_that_does_not_enclose_everything_stays():
    text = "Intro\n```\na\n```"
    assert code(parse_update(text)) == text.split("\n")


def test_a_marker_that_the_original_has_in_the_same_place_is_code():
    original = ["a = 1", "# ...", "b = 2"]
    assert marked(parse_update("a = 1\n# ...\nc = 3", original=original)) == []


def test_a_marker_that_the_original_has_elsewhere_still_marks():
    original = ["a = 1", "b = 2", "x = 0", "# ... existing code ...", "y = 0"]
    assert marked(parse_update("a = 2\n# ... existing code ...\nb = 3", original=original)) == [
        "# ... existing code ..."
    ]


STUBS = [
    "class A(Protocol):",
    "    def read(self) -> str:",
    "        ...",
    "",
    "    def run(self):",
    "        go()",
]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("    def read(self, size: int) -> str:", []),  # a stub in the original, so a stub here
        ("    def close(self) -> None:", []),  # new: nothing for a marker to stand for
        ("    def run(self, now):", ["..."]),  # has a body, which the dots stand for
    ],
)
def test_the_ellipsis_under_a_python_definition_is_read_by_what_the_original_has(header, expected):
    assert marked(parse_update(f"{header}\n        ...", "python", STUBS)) == expected


ORIGINAL = ["class A:", "    def f(self):", "        first()", "        second()"]


def test_a_snippet_pasted_at_the_margin_moves_to_the_originals_indentation():
    update = parse_update("def f(self):\n    # ...\n\n    changed()\n    second()")
    assert [line.text for line in reindent(ORIGINAL, update).lines] == [
        "    def f(self):",
        "        # ...",
        "",
        "        changed()",
        "        second()",
    ]


def test_a_snippet_pasted_too_deep_moves_back():
    update = parse_update("            def f(self):\n                changed()\n                second()")
    assert code(reindent(ORIGINAL, update)) == ["    def f(self):", "        changed()", "        second()"]


def test_tabs_and_spaces_are_brought_to_the_originals():
    tabs = [line.replace("    ", "\t") for line in ORIGINAL]
    update = parse_update("    def f(self):\n        changed()\n        second()")
    assert code(reindent(tabs, update)) == ["\tdef f(self):", "\t\tchanged()", "\t\tsecond()"]
    narrow = parse_update("def f(self):\n  changed()\n  second()")
    assert code(reindent(ORIGINAL, narrow)) == ["    def f(self):", "        changed()", "        second()"]


def test_new_code_in_spaces_is_indented_by_tabs_where_the_file_is_and_the_other_way_round():
    tabs = ["int f() {", "\t/* a", "\t * b", " */", "\treturn 1;", "}"]
    update = parse_update("int f() {\n  if (x)\n    go(1,\n       2);\n  return 2;")
    assert code(reindent(tabs, update)) == ["int f() {", "\tif (x)", "\t\tgo(1,", "\t\t\t 2);", "\treturn 2;"]
    update = parse_update("class A:\n\tdef g(self):\n\t\treturn 2")
    assert code(reindent(ORIGINAL, update)) == ["class A:", "    def g(self):", "        return 2"]
    mixed = [*tabs, "    int x;"]
    assert reindent(mixed, update) == update


def test_code_moved_under_a_new_header_keeps_its_indentation():
    update = parse_update("    def f(self):\n        if ready:\n            first()\n            second()")
    assert reindent(ORIGINAL, update) == update


def test_a_snippet_with_nothing_in_common_stays():
    update = parse_update("x = 1\n  y = 2")
    assert reindent(ORIGINAL, update) == update
