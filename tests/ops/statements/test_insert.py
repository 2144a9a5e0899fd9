from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, carried, marked, op, outcome, refused


def insert(code: str, where: str, anchor: str | None = None, function: str = "f") -> dict[str, object]:
    return {"op": "insert", "function": function, "code": code, "where": where, "anchor": anchor}


PYTHON = 'def f(a):\n    """Doc."""\n    # one\n    x = 1\n    if x:\n        x = 2\n    return x\n'
CASES = {
    "python: behind the docstring": ((PYTHON, '"""\n', '"""\n    y()\n'), insert("y()", "first")),
    "python: deep inside": ((PYTHON, "x = 2\n", "x = 2\n        y()\n"), insert("y()", "after", "x = 2")),
    "python: by its line": ((PYTHON, "    return", "    y()\n    return"), insert("y()", "before", "@7")),
    "javascript: in braces": ("function f() {\n‹  h();\n›  g();\n}\n", insert("h();", "first")),
    "java: in an empty body": ("class A {\n  void f() {\n‹    g();\n›  }\n}\n", insert("g();", "last")),
    "go: in Go": ("package p\n\nfunc f() {\n\tg()\n‹\th()\n›}\n", insert("h()", "last")),
    "rust: in Rust": ("fn f() {\n‹    h();\n›    g();\n}\n", insert("h();", "first")),
    "c: in C": ("int f(void)\n{\n‹  h();\n›  g();\n}\n", insert("h();", "first")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(CASES), ids=CASES)
def test_statements_are_inserted_with_the_indentation_of_their_place(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


def test_what_needs_a_removed_statement_is_reported():
    text = "def f(rows):\n    total = 0\n    total += len(rows)\n    return total\n"
    _, found = outcome(text, op("remove-statement 'total = 0' f"))
    assert [place.line for place in found.left] == [2, 3]
    text = "def f(rows):\n    total = 0\n    total = 1\n    return total\n"
    assert not outcome(text, op("remove-statement 'total = 0' f"))[1].left


@pytest.mark.parametrize(
    ("text", "operation", "reason"),
    [
        ("def f(): pass\n", insert("y()", "last"), "shares a line"),
        ("def f():\n    x = 1; y = 2\n", insert("y()", "last"), "line 2 holds other code too"),
        (
            "def f():\n    x\n    x\n",
            insert("y()", "before", "x"),
            "can mean 2 things (line 2: here; line 3: here)",
        ),
        ("def f():\n    x\n", insert("y()", "before", "z"), "z: is no statement of `f`"),
        (
            "def f():\n    x; z\n",
            insert("y()", "before", "@2"),
            "line 2 holds other code too; break it up first",
        ),
        ("def f():\n    x = z\n", insert("y()", "after", "z"), "z: is no statement of `f`"),
        ("def f():\n    x\n", insert("y()", "before", "@" + "9" * 5000), "is no statement of `f`"),
        ("def f():\n    x\n", insert("y(", "last"), "correct the fields of the operation"),
        ("def f():\n    x\n", insert("return = 1", "last"), "correct the fields of the operation"),
        ("def f():\n    x\n", insert("y()", "before"), "`anchor` goes with"),
        ("class A:\n    def g(self): pass\n", insert("y()", "last", None, "f"), "is not in this file"),
    ],
)
def test_a_place_that_is_not_one_is_refused(text, operation, reason):
    assert reason in refused(text, operation)


def wrap(code: str, anchor: str, last: str | None = None, function: str | None = None) -> dict[str, object]:
    return {"op": "wrap", "code": code, "anchor": anchor, "last": last, "function": function}


def remove(anchor: str, last: str | None = None, function: str | None = None) -> dict[str, object]:
    return {"op": "remove-statement", "anchor": anchor, "last": last, "function": function}


SCRIPT = "function f() {\n  g();\n  const x = 1;\n  h(x);\n}\n"
# What is wrapped in it, and the change.
WRAPPED = {
    "python: with": ("def f():\n‹    with a:\n    ›    x = 1\n    return x\n", wrap("with a:", "x = 1")),
    "python: a loop of several": (
        "def f():\n\t«x()\n\n»‹for _ in a:\n\t\tx()\n\n\t›\ty()\n",
        wrap("for _ in a:", "x()", "y()", "f"),
    ),
    "python: a statement of the file": ("‹if a:\n    ›x()\n", wrap("if a:", "x()")),
    "javascript: braces": ((SCRIPT, "g();", "if (a) {\n    g();\n  }"), wrap("if (a)", "g();")),
    "rust: unsafe": ("fn f() {\n    «g();»‹unsafe {\n        g();\n    }›\n}\n", wrap("unsafe", "g();")),
    "c: braces of C": ("int f()\n{\n  «g();»‹if (a) {\n    g();\n  }›\n}\n", wrap("if (a) {", "g();")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(WRAPPED), ids=WRAPPED)
def test_statements_are_wrapped_in_the_form_of_their_language(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


REMOVED = {
    "javascript: one": ((SCRIPT, "  g();\n", ""), remove("g();")),
    "javascript: several": ((SCRIPT, "  const x = 1;\n  h(x);\n", ""), remove("const x = 1;", "h(x);", "f")),
    "python: all of a block of Python": ("if a:\n    «b()»‹pass›\n", remove("b()")),
    "python: one between blank lines": ("a()\n\n«b()\n\n»c()\n", remove("b()")),
    "go: a whole if": ("package p\n\nfunc f() {\n\t«if a {\n\t}\n\t»g()\n}\n", remove("@4")),
}


@pytest.mark.parametrize(("language", "text", "operation"), by_language(REMOVED), ids=REMOVED)
def test_statements_go_with_their_lines(language, text, operation):
    before, after = marked(text)
    assert carried(before, operation, language=language) == after


FIXED = {
    "javascript: what is used behind": (SCRIPT, wrap("if (a)", "const x = 1;"), "line 4 uses `x`"),
    "python: no place for them": ("x()\n", wrap("f()", "x()"), "give `code` one line `...`"),
    "python: statements of two blocks": (
        "if a:\n    b()\nc()\n",
        wrap("if d:", "b()", "c()"),
        "are not of one block",
    ),
    "python: a loop that would be left": (
        "for x in y:\n    if x:\n        break\n",
        wrap("while a:", "if x:"),
        "`break` on line 3 would belong to the new code",
    ),
    "c: a loop that a switch would be left for": (
        "void f(void) {\n  while (a) {\n    break;\n  }\n}\n",
        wrap("switch (b) {\ncase 1:\n  ...\n}", "break;", function="f"),
        "`break` on line 3 would belong to the new code",
    ),
    "rust: a result that would be passed on": (
        "fn f() -> Option<u8> {\n    g()?;\n    None\n}\n",
        wrap("h(|| {\n    ...\n});", "g()?;", function="f"),
        "`g()?` on line 2 would belong to the new code",
    ),
    "rust: a result that would be there in some cases": (
        "fn f() -> u8 {\n    1\n}\n",
        wrap("if a {", "1", function="f"),
        "line 2 is what `f` returns, and would not be in every case",
    ),
    "javascript: what waits, in a function that cannot": (
        "async function f() {\n  await g();\n}\n",
        wrap("each(() => {\n  ...\n});", "await g();", function="f"),
        "`await` on line 2 would belong to the new code",
    ),
    "python: a value that a lambda would give": (
        "def f():\n    yield 1\n",
        wrap("g = lambda: (\n    ...\n)", "yield 1", function="f"),
        "`yield` on line 2 would belong to the new code",
    ),
    "java: fields": (
        "class A {\n  int x;\n}\n",
        wrap("if (a)", "int x;"),
        "declares there are not statements",
    ),
}


@pytest.mark.parametrize(("language", "text", "operation", "reason"), by_language(FIXED), ids=FIXED)
def test_blocks_that_others_depend_on_are_refused(language, text, operation, reason):
    assert reason in refused(text, operation, language=language)


GO = "package p\n\nfunc f() error {\n\tv, err := load()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn g(v)\n}\n"
RUST = "fn f() {\n    let (a, b) = pair();\n    let Some(c) = opt() else {\n        return;\n    };\n    g(%s);\n}\n"
PATTERNS = "function f() {\n  const { a, b: [c] } = g();\n  class K {}\n  %s;\n}\n"
SEEN = {
    "go: several of Go": (GO, "if ok {", "v, err := load()", "line 8 uses `v` of line 4"),
    "go: one of Go that is there before": (
        GO.replace("\tv, err", "\tvar err error\n\tv, err").replace("g(v)", "nil"),
        "if ok {",
        "v, err := load()",
        "line 6 would mean the `err` of line 4",
    ),
    "rust: a pair of Rust": (RUST % "b", "if ok", "let (a, b) = pair();", "`b` of line 2"),
    "rust: a let else of Rust": (RUST % "c", "if ok", "let Some(c) = opt() else {", "`c` of line 3"),
    "javascript: an object": (PATTERNS % "h(a)", "if (x)", "@2", "`a` of line 2"),
    "typescript: an array in an object": (PATTERNS % "h(c)", "if (x)", "@2", "`c` of line 2"),
    "javascript: a class": (PATTERNS % "new K()", "if (x)", "class K {}", "`K` of line 3"),
    "cpp: a structured binding": (
        "int f() {\n  auto [a, b] = g();\n  return b;\n}\n",
        "if (x)",
        "@2",
        "`b` of line 2",
    ),
    "java: a second variable": (
        "class A {\n  int f() {\n    int a = 1, b = 2;\n    return b;\n  }\n}\n",
        "if (x)",
        "@3",
        "`b` of line 3",
    ),
    "csharp: a tuple of C#": (
        "class A {\n  int F() {\n    var (a, b) = G();\n    return b;\n  }\n}\n",
        "if (x)",
        "@3",
        "`b` of line 3",
    ),
}


@pytest.mark.parametrize(("language", "text", "code", "anchor", "said"), by_language(SEEN), ids=SEEN)
def test_declarations_that_others_use_are_not_wrapped(language, text, code, anchor, said):
    assert said in refused(text, wrap(code, anchor), language=language)


@pytest.mark.parametrize(
    ("language", "text", "code", "anchor"),
    [
        ("python", "def f():\n    x = g()\n    return x\n", "try:\n    ...\nexcept E:\n    x = 1", "x = g()"),
        ("javascript", "function f() {\n  var x = g();\n  return x;\n}\n", "if (a)", "@2"),
        ("rust", "fn f() {\n    let x = g();\n    let x = h();\n    k(x);\n}\n", "if a", "let x = g();"),
        ("c", "static int x = 1;\nint f() { return x; }\n", "#ifdef A\n...\n#endif", "@1"),
    ],
)
def test_what_is_seen_as_before_is_wrapped(language, text, code, anchor):
    assert code.split("\n")[0] in carried(text, wrap(code, anchor), language=language)


SWITCH = "switch (x) {\n    case 1:\n        x = 2;\n        break;\n    default:\n        break;\n    }\n"
SWITCHES = {
    "c": f"int f(int x)\n{{\n    {SWITCH}}}\n",
    "java": f"class A {{\n  void f(int x) {{\n    {SWITCH}  }}\n}}\n",
    "csharp": f"class A {{\n  void f(int x) {{\n    {SWITCH}  }}\n}}\n",
    "javascript": f"function f(x) {{\n    {SWITCH}}}\n",
}


@pytest.mark.parametrize(("language", "text"), SWITCHES.items(), ids=SWITCHES)
def test_statements_stand_in_the_cases_of_a_switch_and_cases_are_none_themselves(language, text):
    new = carried(text, insert("g(x);", "before", "x = 2;"), language=language)
    assert new.replace(" ", "") == text.replace(" ", "").replace("x=2;", "g(x);\nx=2;")
    assert "`case 1:` is a case, not a statement" in refused(
        text, insert("g(x);", "before", "case 1:"), language=language
    )


def test_a_statement_behind_a_directive_of_the_preprocessor_is_one():
    text = "int f(int x)\n{\n#ifdef A\n    x = 2;\n#else\n    x = 3;\n#endif\n    return x;\n}\n"
    assert carried(text, insert("g(x);", "after", "x = 3;"), language="c") == text.replace(
        "x = 3;\n", "x = 3;\n    g(x);\n"
    )


BARE = {
    "if": "void f(int x) {\n    if (x)\n        g(x);\n    h();\n}\n",
    "else": "void f(int x) {\n    if (x) { h(); }\n    else\n        g(x);\n    h();\n}\n",
    "for": "void f(int x) {\n    for (;;)\n        g(x);\n}\n",
}


@pytest.mark.parametrize("language", ["c", "cpp", "java", "csharp"])
@pytest.mark.parametrize("text", BARE.values(), ids=BARE)
def test_a_body_without_braces_gets_them_by_a_wrap_before_it_holds_more(language, text):
    if language in ("java", "csharp"):
        text = f"class A {{\n{text}}}\n"
    with pytest.raises(OperationRefused, match=r"line \d is a body without braces; wrap it in `{` first"):
        carried(text, insert("k();", "before", "g(x);"), language=language)
    assert "is a body without braces" in refused(text, op("remove-statement 'g(x);' f"), language=language)
    braced = carried(text, op("wrap '{' 'g(x);' f"), language=language)
    assert "        {\n            g(x);\n        }\n" in braced
    assert "k();\n            g(x);" in carried(braced, insert("k();", "before", "g(x);"), language=language)


@pytest.mark.parametrize("code", ["unless (x)", "with lock", "synchronized (x)", "foreach (x) {"])
def test_what_c_takes_for_the_type_of_a_function_wraps_nothing(code):
    wrapped = {"op": "wrap", "code": code, "anchor": "g(x);", "function": "f"}
    assert "is not a statement of c" in refused("void f(int x) {\n    g(x);\n}\n", wrapped, language="c")


def test_code_that_is_indented_to_fit_keeps_the_lines_of_its_strings_but_those_of_a_docstring():
    text = "def f():\n    g()\n"
    code = 'x = """\n  a\nb \n"""\nif x:\n    y()'
    assert carried(text, insert(code, "last")) == text + '    x = """\n  a\nb \n"""\n    if x:\n        y()\n'
    documented = 'def h():\n    """Doc.\n\n    More.\n    """'
    assert carried("class A:\n    x = 1\n", {"op": "add", "code": documented, "anchor": "A"}) == (
        'class A:\n    x = 1\n\n    def h():\n        """Doc.\n\n        More.\n        """\n'
    )


def test_a_wrap_moves_the_parts_of_a_joined_string_with_their_statement():
    text = "def f():\n    x = (\n        'a'\n        'b'\n    )\n"
    wrapped = op("wrap 'with y:' 'x = (' f")
    assert carried(text, wrapped) == (
        "def f():\n    with y:\n        x = (\n            'a'\n            'b'\n        )\n"
    )


def test_nothing_is_inserted_below_the_expression_that_a_function_returns():
    text = "fn f() -> i32 {\n    g();\n    if a { 1 } else { 2 }\n}\n"
    assert "line 3 ends what `f` runs there; insert before it" in refused(
        text, insert("h();", "last"), language="rust"
    )
    after = text.replace("g();\n", "g();\n    h();\n")
    assert carried(text, insert("h();", "after", "g();"), language="rust") == after
    nothing = text.replace(" -> i32", "")
    assert carried(nothing, insert("h();", "last"), language="rust").endswith("2 }\n    h();\n}\n")


def test_a_result_may_be_wrapped_in_what_has_one_in_every_case():
    around = wrap("unsafe {", "1", function="f")
    wrapped = "fn f() -> u8 {\n    unsafe {\n        1\n    }\n}\n"
    assert carried("fn f() -> u8 {\n    1\n}\n", around, language="rust") == wrapped


def test_what_leaves_a_loop_or_a_function_within_the_statements_may_be_wrapped_in_others():
    text = (
        "async function f() {\n  for (const a of b) {\n    if (a) break;\n  }\n  g(() => { return 1; });\n}\n"
    )
    around = wrap("each(async () => {\n  ...\n});", "for (const a of b) {", "g(() => { return 1; });")
    assert "    for (const a" in carried(text, around | {"function": "f"}, language="javascript")


@pytest.mark.parametrize(
    ("language", "text", "where"),
    [
        ("python", "def f():\n    g()\n    return 1\n", {"where": "last"}),
        (
            "go",
            "package p\n\nfunc f() {\n\tfor {\n\t\tbreak\n\t}\n}\n",
            {"where": "after", "anchor": "break"},
        ),
        ("java", "class A { void f() {\n  throw e;\n} }\n", {"where": "last"}),
        ("rust", "fn f() {\n    return;\n}\n", {"where": "last"}),
        ("rust", "fn f(a: u8) -> u8 {\n    a\n}\n", {"where": "last"}),
    ],
    ids=["return", "break", "throw", "return of Rust", "a result"],
)
def test_nothing_is_inserted_where_it_would_never_be_run(language, text, where):
    with pytest.raises(OperationRefused, match=r"ends what `.*f` runs there; insert before it"):
        carried(text, {"op": "insert", "function": "f", "code": "h()", **where}, language=language)


def test_what_needs_a_removed_value_before_it_gets_another_is_reported():
    text = "def f(e):\n    x = e\n    x = g(x)\n    for a in x:\n        d = a()\n        h(d)\n"
    text += "    for d in y:\n        h(d)\n    return x, d\n"
    for anchor, left in (
        ("x = e", "line 3: may use `x`: x = g(x)"),
        ("d = a()", "line 6: may use `d`: h(d)"),
    ):
        _, found = outcome(text, {"op": "remove-statement", "anchor": anchor, "function": "f"})
        assert [str(place) for place in found.left] == [left]


def test_a_directive_stays_the_first_statement_of_its_function():
    text = 'function f() {\n  "use strict";\n  g();\n}\n'
    assert carried(text, insert("h();", "first"), language="javascript") == text.replace("  g", "  h();\n  g")


def test_a_name_that_is_assigned_in_each_of_many_lines_is_wrapped_at_once():
    lines = "".join("    x = x + 1\n" for _ in range(1000))
    new = carried(f"def f(x):\n{lines}", wrap("if y:", "@2", "@1001", function="f"))
    assert new == "def f(x):\n    if y:\n" + lines.replace("    x =", "        x =")


@pytest.mark.parametrize(
    ("language", "line", "anchor"),
    [
        ("python", "x = 1  # done", "x = 1"),
        ("c", "x = 1; /* done */", "x = 1;"),
        ("c", "x = 1; // a /* b", "x = 1;"),
    ],
)
def test_a_statement_is_named_with_or_without_the_comment_behind_it(language, line, anchor):
    frame = {"python": "def f():\n    %s\n", "c": "void f() {\n    %s\n}\n"}[language]
    for said in (anchor, line):
        made = carried(frame % line, insert("g();", "before", said), language=language)
        assert made == frame % f"g();\n    {line}"


def test_a_line_of_swift_that_begins_with_a_dot_does_not_go_on_with_a_new_one():
    text = "func f() -> V {\n    .count(1)\n}\n"
    assert "would be one statement" in refused(text, op("insert f 'log()' first"), language="swift")


def test_what_uses_a_name_that_a_guard_of_swift_binds_is_left_and_reported():
    line = "guard let x = n else { return 0 }"
    text = f"func f(n: Int?) -> Int {{\n    {line}\n    return x\n}}\n"
    found = outcome(text, {"op": "remove-statement", "function": "f", "anchor": line}, language="swift")[1]
    assert [str(place) for place in found.left] == ["line 3: may use `x`: return x"]


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("python", "def f(x):\n    g(x)\n", "def h():"),
        ("python", "def f(x):\n    g(x)\n", "class A:"),
        ("javascript", "function f(x) {\n  g(x);\n}\n", "function h() {"),
        ("javascript", "function f(x) {\n  g(x);\n}\n", "const h = () => {"),
        ("javascript", "function f(x) {\n  g(x);\n}\n", "const h = () => {\n  ...\n};"),
    ],
)
def test_a_definition_wraps_no_statement_since_it_would_not_run(language, text, code):
    anchor = "g(x)" + ";" * (language == "javascript")
    assert "would not run what stands in it" in refused(
        text, wrap(code, anchor, function="f"), language=language
    )


def test_a_definition_that_the_code_calls_wraps_a_statement():
    text = "def f(x):\n    g(x)\n    k()\n"
    wanted = "def f(x):\n    def h():\n        g(x)\n    retry(h)\n    k()\n"
    assert carried(text, wrap("def h():\n    ...\nretry(h)", "g(x)")) == wanted
