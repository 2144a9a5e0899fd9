import time
from pathlib import Path

import pytest

from fastedit.check import check_literal
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines
from tests.source.test_syntax import ENDLESS


def held(name, old, new):
    document = Document.from_text(old, Path(name))
    found = check_literal(document, diff_lines(document.lines, Document.from_text(new).lines))
    return [one.rule.code for one in found]


JSX = "export default () => (\n  <main>\n    <h1>Cats</h1>\n  </main>\n);\n"
OVERLOAD = (
    "export function* both(a: string): Generator<string>;\n"
    "export function* both(a: number): Generator<number>;\n"
    "export function* both(a: any): any {\n  yield a;\n}\n"
)
C = "#include <a.h>\n\nint f(int a)\n{\n    a++;\n    return a;\n}\n"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a.jsx", JSX, JSX.replace("Cats", "Cats & dogs, R&D")),
        ("a.tsx", JSX, JSX.replace("Cats", "Cats & {a && b}")),
        ("a.ts", "", OVERLOAD),
        ("a.d.ts", "", "interface A {\n  all: import('b').B[];\n  one: import('b').C<string>;\n}\n"),
        ("a.py", "", 'a = f"{\', \'.join(b)}" f"{c[\'d\']}" f"{\'\\n\'.join(b)} {c["d"]:>{w}}"\n'),
        ("a.py", "", 'a = f"""{\n    b  # all\n} {\'\\n\'}"""\nb = 1\n'),
        ("a.ts", "", "const A = styled.b<{ c: D<E>; f: () => void }>`\n  g: h;\n`;\n"),
        ("a.php", "", "<?php\nuse A\\{\n    B,\n    C,\n};\n"),
        ("a.rs", "fn f() {}\n", "fn f() -> R {\n    let a = try!(g());\n    Ok(a)\n}\n"),
        ("a.swift", "", "func f() -> Future<Void> {\n    return loop.succeeded(())\n}\n"),
        ("a.swift", "", 'class A {\n#warning("later")\n    func f() {}\n}\n'),
        ("a.swift", "", "let f = { (a: A!, b: B) in\n    return b\n}\n"),
        ("A.cs", "", "class A {\n  object[] a = {\n#if B\n    new B(),\n#endif\n    new C()\n  };\n}\n"),
        ("a.c", "", "int a[] = {\n#if LIB_HAS(<a.h>)\n    1,\n#endif\n    2,\n};\n"),
        ("a.h", "", "LIB_EXTERN int f(int);\nLIB_EXTERN void* g(void) LIB_PRINTF(1, 2);\n"),
        ("a.h", "", "BEGIN_DECLS\nint f(int);\nEND_DECLS\n"),
        ("a.h", "", "/* all of them */\nENTRY(LOAD, VALUE, 1)\nENTRY(SAVE, VALUE, (2 + 1))\n"),
        ("a.c", C, C.replace("a++;", "list_foreach(all, item) {\n        a += item;\n    }")),
        ("a.c", C, C.replace("a++;", "a = va_arg(rest, char *);\n    a = va_arg(rest, struct b *);")),
        ("a.c", C, C.replace("int f", "static int IRAM_ATTR f")),
        ("a.cpp", "struct A : B {\n};\n", "struct A : B {\n    using typename B::it;\n};\n"),
        ("a.cpp", "", 'TEST_CASE("it loads", "[load]") {\n  auto a = "x/" NAME "/y";\n}\n'),
        ("a.c", "", 'int a[] = {\n    1,\n#include "more.h"\n    2,\n};\n'),
        ("a.h", "", "void f(const int& a);\nvoid g(int a = 1);\n"),
        ("a.h", "", "@interface A : B\n- (void)f;\n@end\n"),
    ],
)
def test_what_the_grammar_lacks_is_no_syntax_error(name, old, new):
    assert held(name, old, new) == []


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("a.jsx", JSX, JSX.replace("Cats</h1>", "Cats & dogs")),
        ("a.tsx", JSX, JSX.replace("Cats", "Cats & {a &&}")),
        ("a.tsx", JSX, JSX.replace("Cats", "Cats & dogs").replace(");\n", "")),
        ("a.ts", "", OVERLOAD.replace("yield a;", "yield (a;")),
        ("a.py", "", "a = f\"{'\\n'.join(b}\"\n"),
        ("a.py", "", "a = f\"{'\\n'.join(b)}\"\nreturn a\n"),
        ("a.py", "", 'a = f"{}"\n'),
        ("a.rs", "fn f() {}\n", "fn f() -> R {\n    let a = try!(g();\n}\n"),
        ("A.cs", "", "class A {\n  object[] a = {\n#if B\n    new B(,\n#endif\n    new C()\n  };\n}\n"),
        ("A.cs", "", "class A {\n  object[] a = {\n#if B &&\n    new B(),\n#endif\n    new C()\n  };\n}\n"),
        ("a.h", "", "LIB_EXTERN int f(int;\n"),
        ("a.h", "int g(int);\n", "#include <a.h\nLIB_EXTERN int f(int);\n"),
        ("a.c", C, C.replace("a++;", "list_foreach(all, item) {\n        a += item;")),
        ("a.c", C, C.replace("a++;", "a++").replace("int f", "static int IRAM_ATTR f")),
        ("a.c", C, C.replace("a++;", "ASSERT(a);\n    ASSERT(a)\n    a++;")),
        ("a.c", C, C.replace("a++;", "a = ONE\n    TWO(a);")),
        ("a.c", C, C.replace("a++;", "return ONE\n    a++;")),
        ("a.c", C, C.replace("a++;", "Here is the rest, as it was.\n    a++;")),
        ("a.cpp", "struct A : B {\n};\n", "struct A : B {\n    using typename B::it\n};\n"),
        ("a.cpp", "", 'TEST_CASE("it loads", "[load]") {\n  load();\n'),
    ],
)
def test_what_breaks_a_file_next_to_what_the_grammar_lacks_is_one(name, old, new):
    assert held(name, old, new) == ["FE101"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "def f(:\n"),
        ("a.py", 'def f():\n    """Begins.\n'),
        ("a.py", "import {{ a }}\ndef f(:\n"),
        ("a.js", "if (a &lt; b &amp;&amp; c) {\n  d();\n}\n"),
        ("a.go", "package a\n\nfunc f() {\n\tg(\n"),
        ("a.c", "MACRO\nint f() {\n    g();\n"),
    ],
)
def test_a_new_file_that_cannot_be_parsed_is_held_back(name, text):
    assert held(name, "", text) == ["FE101"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "from {{ cookiecutter.a }} import b\n{% if b %}\nc = {{ d }}\n{% endif %}\n"),
        ("a.rb", "class <%= name %>\nend\n"),
        ("a.c", "MACRO\nint f()\n{\n    list_each(a, b)\n    { c(')', \"{\"); }\n}\n"),
        ("a.c", "#if A\nint f() {\n#else\nint g() {\n#endif\n    EACH(a, b) { c(); }\n}\n"),
    ],
)
def test_a_new_file_that_may_be_meant_as_it_is_passes(name, text):
    assert held(name, "", text) == []


@pytest.mark.parametrize(
    ("new", "codes"),
    [
        ("class Box[T](Base):\n    pass\n", []),
        ("class Box[\n    T,\n    *Ts,\n](Base):\n    pass\n", []),
        ("async def first[T: int](items: list[T]) -> T: ...\n", []),
        ("type Pair[T] = tuple[T, T]\n", []),
        ("type(x) = 3\n", ["FE101"]),
        ("def first[T](items:\n", ["FE101"]),
        ("type Pair = (\n", ["FE101"]),
    ],
)
def test_what_the_grammar_reads_and_an_older_python_does_not_is_no_syntax_error(new, codes):
    assert held("a.py", "x = 1\n", f"x = 1\n\n\n{new}") == codes


def test_an_error_that_was_there_does_not_hold_back_what_is_added_below():
    old = "int a = (;\n\nint f(int);\n\nint g(int);\n"
    added = "// see (b\nLIB_EXTERN void* h(void) LIB_PRINTF(1, 2);\n"
    assert held("a.h", old, old + added) == []
    assert held("a.h", old, old + added.replace("2);", "2;")) == ["FE101"]
    assert held("a.h", old, old.replace("(;\n", f"(;\n{added}")) == ["FE101"]


@pytest.mark.parametrize(
    "name", ["a.js", "a.ts", "a.tsx", "a.py", "a.go", "A.java", "a.kt", "a.rb", "a.swift", "a.php"]
)
def test_typographic_quotes_are_no_part_of_a_name(name):
    old = "<?php\n$a = f(b);\n" if name == "a.php" else "a = f(b)\n"
    assert held(name, old, old.replace("b)", "‘b’)")) == ["FE101"]


@pytest.mark.parametrize(
    ("name", "new"), [("a.js", 'a = "it’s “b” – c"; // don’t\n'), ("a.tsx", "a = <b>it’s “b” – c</b>;\n")]
)
def test_typographic_quotes_are_text_in_strings_comments_and_markup(name, new):
    assert held(name, "a = 1;\n", new) == []


def test_the_line_of_an_error_that_comes_is_named_and_none_that_was_there():
    document = Document.from_text("int a = (;\n\nint f(int);\n", Path("a.h"))
    lines = ("// all of them", *document.lines, "int g(int;")
    (one,) = check_literal(document, diff_lines(document.lines, lines))
    assert "near its line 5: `int g(int;`" in str(one)


def test_a_break_in_a_branch_of_a_condition_is_found_in_every_one_of_them():
    old = "int f(int a)\n{\nout:\n#if A\n    a++;\n#elif B\n    a--;\n#else\n    a = 1;\n#endif\n    return a;\n}\n"
    before = "int g(int);\n"
    assert held("a.c", before, old) == []
    for whole, broken in (("a++;", "a++"), ("a--;", "a--)"), ("a = 1;", "a = ;"), ("#endif\n", "")):
        assert held("a.c", before, old.replace(whole, broken)) == ["FE101"]


@pytest.mark.parametrize(
    "line",
    [
        "F(",
        "A_B ",
        "; // ;\n",
        "\n",
        "A B ",
        "((((",
        "F(a, ",
        "A(\n",
        "/*",
        "*/ A\n",
        "A \\\n",
        "#if A\n",
        "f(\n{",
        ")A",
    ],
)
def test_a_long_text_of_what_looks_like_macros_is_judged_at_once(line):
    started = time.process_time()
    held("a.c", "", line * (30_000 // len(line)) + "\n")
    assert time.process_time() - started < 5


def test_where_the_parser_does_not_get_through_nothing_but_that_is_said():
    assert held("A.kt", "class A {\n    fun f() {}\n}\n", ENDLESS) == ["FE101"]
