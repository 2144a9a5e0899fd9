import pytest

from fastedit.source.markers import looks_like_marker, parse_update, said_in_comment
from fastedit.source.update import Update, UpdateLine

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
{{/* ... existing templates ... */}}
{{- /* ... */ -}}
{{-- ... rest of the view ... --}}
<%# ... existing code ... -%>
-- ... existing columns ...
-- ...
; ...
% ... existing code ...
... existing code ...
# ... rest of class ...
# rest of the function remains the same
// [... existing methods ...]
[... existing content ...]
[...]
(…)
[... remaining links unchanged ...]
.. ... existing content ...
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


def test_a_marker_that_the_original_has_in_the_same_place_is_code():
    original = ["a = 1", "# ...", "b = 2"]
    assert marked(parse_update("a = 1\n# ...\nc = 3", original=original)) == []


def test_what_stands_in_an_example_that_the_original_has_nothing_of_is_no_marker():
    text = "Text.\n\n```go\nfunc F() {\n\t//...\n}\n```\n\n<!-- ... -->"
    assert marked(parse_update(text, "markdown", ["Text."])) == ["<!-- ... -->"]
    assert marked(parse_update(text, "markdown", ["Text.", "func F() {"])) == ["//...", "<!-- ... -->"]
    assert marked(parse_update("```\n# ...\n```", "markdown", ["Text."])) == ["# ..."]
    assert marked(parse_update(text, "go", ["Text."])) == ["//...", "<!-- ... -->"]


def test_a_marker_that_the_original_has_elsewhere_still_marks():
    original = ["a = 1", "b = 2", "x = 0", "# ... existing code ...", "y = 0"]
    assert marked(parse_update("a = 2\n# ... existing code ...\nb = 3", original=original)) == [
        "# ... existing code ..."
    ]


ENTRIES = [
    ("## Steps\n\n- ...\n- stop\n", "markdown", ["## Steps", "", "- get", "- run"]),
    ("## Steps\n\n* … existing steps …\n* stop\n", "markdown", ["## Steps", "", "* get", "* run"]),
    ("## Steps\n\n2. [ ] ...\n", "markdown", ["## Steps", "", "1. [ ] get"]),
    ("## Steps\n\n> ...\n> stop\n", "markdown", ["## Steps", "", "> get", "> run"]),
    ("|---|---|\n| ... | ... |\n| c | 3 |\n", "markdown", ["|---|---|", "| a | 1 |"]),
    ("|---|---|\n| ... other rows ... | |\n| c | 3 |\n", "markdown", ["|---|---|", "| a | 1 |"]),
    ("steps:\n  - # ...\n  - run: d\n", "yaml", ["steps:", "  - run: a"]),
    ("steps:\n  - '...'\n  - run: d\n", "yaml", ["steps:", "  - run: a"]),
    ('uses = [\n  "...",\n  "d",\n]\n', "toml", ["uses = [", '  "a",', "]"]),
    ('{\n  "...": "...",\n  "d": 4\n}\n', "json", ["{", '  "a": 1', "}"]),
    ('{\n  "// ... more keys": "",\n  "d": 4\n}\n', "json", ["{", '  "a": 1', "}"]),
    ('{\n  "_comment": "... existing keys ...",\n  "d": 4\n}\n', "json", ["{", '  "a": 1', "}"]),
    ('{\n  ...existing keys...,\n  "d": 4\n}\n', "json", ["{", '  "a": 1', "}"]),
    (
        "/**\n * ...\n * @param b it\n */\nf(a, b) {\n",
        "javascript",
        ["/**", " * F.", " * @param b it", " */"],
    ),
    (  # the original has dots in another comment, in an example
        "/**\n * ...\n * @param b it\n */\nf(a, b) {\n",
        "javascript",
        ["/**", " * F.", " * @param b it", " */", "f(a, b) {", "}", "/**", " *   // ...", " * ...", " */"],
    ),
]


@pytest.mark.parametrize(("text", "language", "original"), ENTRIES)
def test_an_entry_that_says_nothing_but_dots_is_a_marker_in_a_list_of_the_original(text, language, original):
    assert len(marked(parse_update(text, language, original))) == 1


@pytest.mark.parametrize(
    ("text", "language", "original"),
    [
        # a part that the original lacks, a form and one that the original has already
        ("# A\n\n## Steps\n\n1. ...\n\n## B\n", "markdown", ["# A", "", "## B"]),
        ("## Steps\n\n1. ...\n2. ...\n", "markdown", ["## Steps"]),
        ("## Seen\n\n- ...\n", "markdown", ["## Wanted", "", "- ...", "", "## Seen", "", "- it"]),
        # nothing stands there that it could stand for
        ("- get\n- run\n- ...\n\n## B\n", "markdown", ["- get", "- run", "", "## B"]),
        ('uses = [\n  "a",\n  "...",\n]\n', "toml", ["uses = [", '  "a"', "]"]),
        ("- get\n- ... and more\n", "markdown", ["- get", "- run"]),
        ('{\n  "a": "...",\n}\n', "json", ["{", '  "a": "b"', "}"]),
        ('uses = [\n    "...",\n    "d",\n]\n', "python", ["uses = [", '    "a",', "]"]),
        ("/**\n * ...\n * B.\n */\nb() {\n", "javascript", ["/**", " * A.", " */", "a() {", "}"]),
    ],
)
def test_an_entry_of_dots_is_code_where_it_can_stand_for_no_other(text, language, original):
    assert marked(parse_update(text, language, original)) == []


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


@pytest.mark.parametrize("run", [" ", "*", "-", ".", "…", ",", ";", "* ", ". ", "( "])
def test_a_comment_that_repeats_itself_for_long_is_read_at_once(run):
    assert said_in_comment(f"# a{run * 20_000}b") == f"a{run * 20_000}b"


@pytest.mark.parametrize("line", ["# ⋮", "// ⋯", "    ⋮", "/* ‥ */", "# ⋮ existing code ⋮"])
def test_each_sign_that_is_an_ellipsis_counts_as_dots(line):
    assert looks_like_marker(line)
