import pytest

from fastedit.edit.outline import block_end, definition_name, parents


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("    async def read(self) -> str:", "read"),
        ("class Store(Base):", "Store"),
        ("class Store:", "Store"),
        ("void Store::load(int a) {", "Store::load"),
        ("function Store:load(path)", "Store:load"),
        ("export default function load(path) {", "load"),
        ("  const save = async (path) => {", "save"),
        ("func (s *Store) Load(path string) error {", "Load"),
        ("pub(crate) fn parse<T>(text: &str) -> T {", "parse"),
        ("    public static int count(String text) {", "count"),
        ("    if (ready) {", None),
        ("    } else if (late) {", None),
        ("return load(path)", None),
        ("defer = 1", None),
    ],
)
def test_definitions_are_known_by_their_spelling(line, name):
    assert definition_name(line) == name


def test_lines_belong_to_the_line_that_opened_their_block():
    lines = [
        "def f(",
        "    a,",
        "):",
        "    if a:",
        "        b()",
        "    else:",
        "        c()",
        "",
        "# note",
        "    d()",
    ]
    assert parents(lines) == [None, 0, 0, 0, 3, 3, 5, None, None, 0]


def test_a_brace_belongs_to_the_line_that_it_closes():
    assert parents(["func a() {", "  x()", "}", "", "func b() {", "}"]) == [None, 0, 0, None, None, 4]


def test_a_marker_hides_what_opens_a_deeper_line():
    lines = ["def f():", "    x = 1", "    # ...", "        y = 2", "    z = 3"]
    assert parents(lines, {2}) == [None, 0, None, None, 0]


def test_a_block_ends_with_its_closer_and_before_the_blank_lines_behind_it():
    assert block_end(["def f():", "    x", "", "    y", "", "", "z"], 0) == 4
    assert block_end(["f() {", "  x", "}", "", "g()"], 0) == 3
