"""Which private fields can be renamed where other files may overload or extend anything else."""

from __future__ import annotations

import re

import pytest

from fastedit.errors import OperationRefused
from tests.ops.carried import by_language, outcome, rename

KOTLIN = "class A {{\n    private var n = 0\n    {}\n}}\n"
SWIFT = "class A {{\n    private var n = 0\n    {}\n}}\n"
CSHARP = "class A {{\n    private int n = 0;\n    {}\n}}\n"
FOLLOWED = [
    ("kotlin", KOTLIN.format('fun go() { n += 1; this.n = 2; f("$n ${n}", ::n) }')),
    ("kotlin", KOTLIN.format("val k get() = n\n    init { n = 4 }")),
    ("swift", SWIFT.format('func f() { n += 1; self.n = 2; l.forEach { self.n += $0 }; print("\\(n)") }')),
    ("swift", SWIFT.format("func f() { x { [weak self] in self?.n = 1 } }")),
    ("csharp", CSHARP.format('string F(A o) { this.n = o.n; return $"{n}" + nameof(n); }')),
    ("csharp", CSHARP.format("int F() => n;").replace("class A", "class A : B")),
]
REFUSED = {
    "kotlin: a receiver's may be meant": (KOTLIN.format("fun go() { l.apply { n = 1 } }"),),
    "kotlin: this is a receiver": (KOTLIN.format("fun B.go() { this.n = 1 }"),),
    "kotlin: a property of another type": (KOTLIN.format("val B.z get() = n"),),
    "kotlin: an object's may be meant": (KOTLIN.format("val o = object : B() { fun f() = n }"),),
    "kotlin: of what may be another": (KOTLIN.format("fun go(o: B) { o.n = 1 }"),),
    "kotlin: a parameter at once": ("class A(private val n: Int) {\n    fun f() = n\n}\n",),
    "kotlin: an annotation may name it": ("class A {\n    @Inject private var n = 0\n}\n",),
    "kotlin: a function": ("class A {\n    private fun n() = 0\n}\n",),
    "swift: used where the class is extended": (
        SWIFT.format("") + "extension A {\n    func f() { n = 1 }\n}\n",
    ),
    "swift: of what may be one where the class is extended": (
        SWIFT.format("")
        + "extension A: Equatable {\n    static func == (l: A, r: A) -> Bool { l.n == r.n }\n}\n",
    ),
    "swift: a wrapper may name it": (
        SWIFT.format("func f() { g($n) }").replace("private", "@State private"),
    ),
    "swift: written by its name": (SWIFT.format("").replace("class A", "struct A: Codable"),),
    "swift: made by its name": (SWIFT.format("").replace("class", "struct") + "let a = A(n: 1)\n",),
    "swift: private to be set alone": (SWIFT.format("").replace("private", "private(set)"),),
    "csharp: a class in several files": (CSHARP.format("").replace("class", "partial class"),),
    "csharp: for derived classes too": (CSHARP.format("").replace("private", "private protected"),),
    "csharp: an inner class may inherit one": (CSHARP.format("class C : B { int F() { return n; } }"),),
    "csharp: of any type": (CSHARP.format("B F(B b) => b with { n = 3 };"),),
    "csharp: in a pattern": (CSHARP.format("bool F(B b) => b is { n: 3 };"),),
    "csharp: made with it": (CSHARP.format("A F() => new A { n = 3 };"),),
}


@pytest.mark.parametrize(("language", "text"), FOLLOWED)
def test_a_private_field_is_renamed_with_all_that_means_it(language, text):
    new, found = outcome(text, rename("A.n", "m"), language=language)
    assert new == re.sub(r"\bn\b", "m", text)
    assert (found.notes, found.left) == ((), ())


@pytest.mark.parametrize(("language", "text"), by_language(REFUSED), ids=REFUSED)
def test_a_private_field_is_not_renamed_where_another_thing_may_be_meant(language, text):
    with pytest.raises(OperationRefused, match="use a language server for this one"):
        outcome(text, rename("A.n", "m"), language=language)
