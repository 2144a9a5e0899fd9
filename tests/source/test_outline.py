import pytest

from fastedit.source.outline import (
    block_end,
    definition_at,
    definition_name,
    is_comment,
    opens_block,
    parents,
    without_comment,
)


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
        ("            Err(error) if error.is_fatal() => {", None),
        ("func (s *Store) Load(path string) error {", "Load"),
        ("pub(crate) fn parse<T>(text: &str) -> T {", "parse"),
        ("    public static int count(String text) {", "count"),
        ('  it.skip("adds", async () => {', 'it.skip("adds"'),
        ('\tt.Run("adds", func(t *testing.T) {', 't.Run("adds"'),
        ("app.get('/users', (request) => {", "app.get('/users'"),
        ("test('adds', async ({", "test('adds'"),
        ("    py.attach(|py| {", None),
        ("export function load(options: {", "load"),
        (" * function load() {", None),
        ("void Store::load(int a) { // later", "Store::load"),
        ("app.get('/users // all', (request) => {", "app.get('/users // all'"),
        ("bool operator==(const Store& a) {", "operator=="),
        ("Store& Store::operator=(const Store& other) {", "Store::operator="),
        ("impl Store {", "impl Store"),
        ("impl<T: Into<String>> From<T> for Store<'_, T> where T: Sized {", "impl From<T> for Store<T>"),
        ("unsafe impl Send for Store {}", "impl Send for Store"),
        ("impl<F: Fn() -> u8> Run for F {", "impl Run for F"),
        ("    impl = Impl(self)", None),
        ("    impl *next;", None),
        ("    if (ready) {", None),
        ("    } else if (late) {", None),
        ("return load(path)", None),
        ("defer = 1", None),
    ],
)
def test_definitions_are_known_by_their_spelling(line, name):
    assert definition_name(line) == name


@pytest.mark.parametrize(
    ("line", "opens"),
    [
        ("    { // under the lock", True),
        ("for path in paths:  # all", True),
        ("#main {", True),
        ("fn load<'a>(path: &'a str) { // borrowed", True),
        ("paths.push(`a # b`) // for:", False),
        ("# for example:", False),
    ],
)
def test_a_line_opens_a_block_whatever_a_comment_at_its_end_says(line, opens):
    assert opens_block(line) is opens


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("int main(int argc, char **argv)", "main"),
        ("    public override string ToString()", "ToString"),
        ("    public Store(string path, int size = 3) : base(path)", "Store"),
        ("    void Load(T item) where T : class", "Load"),
        ("bool Store::empty() const noexcept", "Store::empty"),
        ("    Store(int size)", "Store"),
        ("    ~Store()", "~Store"),
        ("    void read() throws IOException", "read"),
        ("public class Store", "Store"),
        ("main()", "main"),
        ("    if (ready)", None),
        ("    else if (late)", None),
        ("foreach (var item in items)", None),
        ("    using (var file = Open(path))", None),
        ("    list_for_each(at, head)", None),
        ("    FOREACH(at, head)", None),
        ("    return new Store(path)", None),
        ("    total = load(path)", None),
        ("    load(path),", None),
        ("    case Shape(int side):", None),
    ],
)
@pytest.mark.parametrize("between", [[], [""]], ids=["next", "blank"])
def test_a_definition_may_have_its_brace_on_the_next_line(line, name, between):
    margin = line[: len(line) - len(line.lstrip())]
    assert definition_at([line, *between, f"{margin}{{", f"{margin}}}"], 0) == name


def test_without_a_brace_of_its_own_below_a_line_of_such_spelling_defines_nothing():
    for below in ([], ["{ 1 }"], ["    {"], ["other();", "{"]):
        assert definition_at(["int load(char *path)", *below], 0) is None
    assert definition_at(["int load(char *path);", "{"], 0) is None


@pytest.mark.parametrize(
    "lines",
    [
        ["  override load(", "    path: Path,", "    depth: number", "  ): Data {"],
        ["  public Data load(String path,", "      int depth) {"],
        ["static int load(const char *path,", "                int depth)", "{"],
    ],
)
def test_a_head_over_several_lines_defines_what_its_first_line_names(lines):
    assert definition_at(lines, 0) == "load"


@pytest.mark.parametrize(
    "lines",
    [
        ["load(", "  path,", "  depth", ");"],
        ["load(", "  path,", "  () => {", "    go();", "  });"],
        ["if (", "  path", ") {"],
        ["return load(", "  path)", "{"],
        ["  public Data load(String path,", "      int depth);", "  {"],
    ],
)
def test_a_call_or_a_condition_over_several_lines_defines_nothing(lines):
    assert definition_at(lines, 0) is None


def test_the_bounds_of_a_head_and_the_brace_below_them_belong_to_it():
    lines = [
        "fn load<T>(",
        "    path: T,",
        ") -> Data",
        "where",
        "    T: Path,",
        "{",
        "    read()",
        "}",
        "x!();",
    ]
    assert parents(lines) == [None, 0, 0, 0, 0, 0, 0, 0, None]
    assert block_end(lines, 0) == 8


def test_a_closer_whose_opener_a_marker_hides_does_not_close_the_line_shown_above_the_marker():
    lines = ["class A {", "  size: number;", "  // ...", "    go();", "  }", "}"]
    assert parents(lines, {2}) == [None, 0, None, None, 0, 0]


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


@pytest.mark.parametrize("head", [["class A {"], ["class A", "{"]])
def test_a_brace_belongs_to_the_head_though_labels_stand_between_them(head):
    lines = [*head, "public:", "  int a();", "private:", "  int b;", "};"]
    first = len(head)
    assert parents(lines)[first:] == [0, first, 0, first + 2, 0]
    assert parents(["if a:", "    b()", "else:", "    c()"])[2:] == [0, 2]


def test_a_brace_on_a_line_of_its_own_belongs_to_the_line_above():
    lines = [
        "int a()",
        "{",
        "  if (x)",
        "  {",
        "    y();",
        "  }",
        "  else",
        "  {",
        "    z();",
        "  }",
        "}",
        "b();",
    ]
    assert parents(lines) == [None, 0, 0, 2, 2, 2, 0, 6, 6, 6, 0, None]
    assert block_end(lines, 0) == 11
    assert block_end(lines, 2) == 6


@pytest.mark.parametrize(
    "head",
    [
        ["export class Model", "  extends Base", "  implements Factory<Model>"],
        ["size_t distance(const Range& s,", "                [[maybe_unused]] size_t hint) const"],
        ["def f"],
    ],
)
def test_a_brace_below_the_rest_of_a_head_belongs_to_its_first_line(head):
    lines = [*head, "{", "  x();", "}", "y();"]
    assert parents(lines) == [None, *[0] * (len(head) + 2), None]
    assert block_end(lines, 0) == len(lines) - 1


def test_a_brace_below_deeper_statements_opens_a_block_of_its_own():
    for above in (["if (x)", "  y();"], ["if (x) {", "  y()", "}"], ["x:", "  // y", "  y"]):
        lines = [*above, "{", "  b", "}"]
        assert parents(lines)[len(above) :] == [None, len(above), len(above)]


def test_a_brace_behind_a_comma_or_a_whole_statement_opens_a_block_of_its_own():
    for above in ("a,", "a();", "]"):
        assert parents([above, "{", "  b", "}"]) == [None, None, 1, 1]


def test_a_marker_below_such_a_brace_hides_only_lines_of_its_block():
    assert parents(["int a()", "{", "  // ...", "  x();", "}"], {2}) == [None, 0, None, 0, 0]


def test_a_marker_hides_what_opens_a_deeper_line():
    lines = ["def f():", "    x = 1", "    # ...", "        y = 2", "    z = 3"]
    assert parents(lines, {2}) == [None, 0, None, None, 0]


def test_a_block_ends_with_its_closer_and_before_the_blank_lines_behind_it():
    assert block_end(["def f():", "    x", "", "    y", "", "", "z"], 0) == 4
    assert block_end(["f() {", "  x", "}", "", "g()"], 0) == 3


def test_a_line_of_the_preprocessor_at_the_margin_ends_no_block():
    lines = [
        "class A {",
        "    f() {",
        "        x()",
        "#if B",
        "        y()",
        "#endif",
        "    }",
        "#if B",
        "    g()",
        "#endif",
    ]
    lines += ["}", "#define C", "int c;"]
    assert parents(lines) == [None, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, None, None]
    assert block_end(lines, 0) == 11
    assert block_end(lines, 1) == 7


def test_a_comment_is_told_from_thousands_of_escaped_quotes():
    # A search for the end of a string at each of them would take minutes.
    quotes = '\\"a\\"' * 25_000
    assert without_comment(f"{quotes} // b") == quotes
    assert without_comment(f"{quotes} https://b") == f"{quotes} https://b"


def test_a_word_that_closes_a_block_tells_which_line_opens_it_behind_a_marker():
    lines = ("class A", "  # ...", "  def f", "    g", "  end", "  # ...", "end")
    assert parents(lines, {1, 5}) == [None, None, 0, 2, 2, None, 0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("-- all of it", True),
        ("--", True),
        ("--[[ all of it", True),
        ("--- all of it", True),
        ("--count;", False),
        ("--$this->count;", False),
        ("--(*count);", False),
        ("  --accent: #06c;", False),
        ('--exclude "reports/" \\', False),
        (" * All of it.", True),
        (" */", True),
        (" **/", True),
        ("*args: Any,", False),
        ("**options", False),
        ("*(next + 1) = 2;", False),
    ],
)
def test_dashes_and_stars_begin_a_comment_but_not_right_before_a_word(line, expected):
    assert is_comment(line) is expected
