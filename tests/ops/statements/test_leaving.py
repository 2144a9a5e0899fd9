"""Which statements let nothing below them be run."""

from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused
from fastedit.ops.source import Source
from fastedit.ops.structure.blocks import block_of
from fastedit.ops.structure.leaving import leaves
from tests.ops.carried import op, outcome

# A function of each language, whose last statement is looked at.
FUNCTIONS = {
    "python": "def f():\n{}\n",
    "java": "class A {{\n int f() {{\n{}\n}}\n}}\n",
    "go": "package m\nfunc f() int {{\n{}\n}}\n",
    "rust": "fn f() {{\n{}\n}}\n",
    "kotlin": "fun f() {{\n{}\n}}\n",
    "swift": "func f() {{\n{}\n}}\n",
    "csharp": "class A {{\n int f() {{\n{}\n}}\n}}\n",
    "php": "<?php\nfunction f() {{\n{}\n}}\n",
    "ruby": "def f\n{}\nend\n",
    "c": "int f() {{\n{}\n}}\n",
    "cpp": "int f() {{\n{}\n}}\n",
    "javascript": "function f() {{\n{}\n}}\n",
    "typescript": "function f() {{\n{}\n}}\n",
}
LEAVING = [
    ("python", "    if a:\n        return 1\n    else:\n        return 2"),
    ("python", "    if a:\n        return 1\n    elif b:\n        raise x\n    else:\n        return 2"),
    ("python", "    with a:\n        return 1"),
    ("python", "    while True:\n        g()"),
    ("python", "    while 1:\n        g()"),
    ("python", "    try:\n        return 1\n    except E:\n        raise"),
    ("python", "    try:\n        x = 1\n    except E:\n        raise\n    else:\n        return x"),
    ("python", "    try:\n        x()\n    finally:\n        return x"),
    ("python", "    try:\n        return x()\n    finally:\n        y()"),
    ("python", "    match x:\n        case 1:\n            return 1\n        case _:\n            return 2"),
    ("java", "if (a) { return 1; } else if (b) return 2; else { return 3; }"),
    ("java", "switch (x) { case 1: return 1; default: return 2; }"),
    ("java", "switch (x) { case 1: case 2: return 1; default: return 2; }"),
    ("java", "switch (x) { case 1 -> { return 1; } default -> throw e; }"),
    ("java", "synchronized (this) { return 1; }"),
    ("java", "try (A a = b) { return 1; }"),
    ("java", "for (;;) { x(); }"),
    ("java", "while (true) { x(); }"),
    ("go", "if a {\n return 1 } else if b { return 2 } else { return 3 }"),
    ("go", "switch x { \ncase 1: \nreturn 1 \ndefault: \nreturn 2 }"),
    ("go", "select {\ncase <-c:\nreturn 1\n}"),
    ("go", "for { x() }"),
    ("go", "for ;; { x() }"),
    ("rust", "if a { return; } else { return; }"),
    ("rust", "loop { x(); }"),
    ("rust", "match a { 1 => return, _ => { return; } }"),
    ("rust", "unsafe { return; }"),
    ("kotlin", "if (a) { return 1 } else { throw E() }"),
    ("kotlin", "if (a) return 1 else throw E()"),
    ("kotlin", "when (x) { 1 -> return 1\n else -> { return 2 } }"),
    ("kotlin", "while (true) { x() }"),
    ("kotlin", "try { return 1 } catch (e: E) { return 2 } finally { x() }"),
    ("swift", "if a { return 1 } else if b { return 2 } else { throw E() }"),
    ("swift", "switch x { case 1: return 1\n default: return 2 }"),
    ("swift", "while true { x() }"),
    ("swift", "do { return 1 } catch { return 2 }"),
    ("swift", "if let a = b { return 1 } else { return 2 }"),
    ("csharp", "if (a) { return 1; } else { throw e; }"),
    ("csharp", "switch (x) { case 1: return 1; default: return 2; }"),
    ("csharp", "lock (a) { return 1; }"),
    ("csharp", "using (a) { return 1; }"),
    ("csharp", "for (;;) { x(); }"),
    ("csharp", "while (true) { x(); }"),
    ("csharp", "try { return 1; } catch (E) { return 2; }"),
    ("csharp", "unchecked { return 1; }"),
    ("php", "if ($a) { return 1; } elseif ($b) { return 2; } else { throw $e; }"),
    ("php", "if ($a): return 1; else: return 2; endif;"),
    ("php", "switch ($x) { case 1: return 1; default: return 2; }"),
    ("php", "while (true) { x(); }"),
    ("php", "for (;;) { x(); }"),
    ("php", "throw $e;"),
    ("ruby", "if a\n return 1\n elsif b\n return 2\n else\n return 3\n end"),
    ("c", "if (a) { return 1; } else return 2;"),
    ("c", "switch (x) { case 1: return 1; default: return 2; }"),
    ("c", "switch (x) { case 1: case 2: return 1; default: return 2; }"),
    ("c", "while (1) { x(); }"),
    ("c", "for (;;) { x(); }"),
    ("c", "{ return 1; }"),
    ("c", "do { return 1; } while (1);"),
    ("cpp", "try { return 1; } catch (E e) { return 2; }"),
    ("cpp", "co_return 1;"),
    ("cpp", "if constexpr (a) { return 1; } else { return 2; }"),
    ("javascript", "if (a) { return 1; } else if (b) { return 2; } else { return 3; }"),
    ("javascript", "switch (x) { case 1: return 1; default: return 2; }"),
    ("javascript", "try { return 1; } catch (e) { throw e; }"),
    ("javascript", "try { return 1; } finally { g(); }"),
    ("javascript", "for (;;) { g(); }"),
    ("javascript", "while (true) { await g(); }"),
    ("php", "exit(1);"),
]
GOING_ON = [
    ("python", "    if a:\n        return 1\n    elif b:\n        raise x"),
    ("python", "    if a:\n        return 1"),
    ("python", "    if a:\n        return 1\n    else:\n        g()"),
    ("python", "    while True:\n        break"),
    ("python", "    while a:\n        return"),
    ("python", "    for x in a:\n        return"),
    ("python", "    try:\n        return 1\n    except E:\n        pass"),
    ("python", "    try:\n        x()\n    finally:\n        y()"),
    ("python", "    match x:\n        case 1:\n            pass\n        case _:\n            return 2"),
    ("java", "if (a) { return 1; } else if (b) return 2;"),
    ("java", "switch (x) { case 1: return 1; default: }"),
    ("java", "switch (x) { case 1: return 1; default: break; }"),
    ("java", "switch (x) { case 1 -> { return 1; } default -> g(); }"),
    ("java", "try { return 1; } catch (E e) { log(e); }"),
    ("java", "for (int i = 0; i < 3; i++) { return; }"),
    ("java", "for (A a : b) { return; }"),
    ("go", "if a {\n return 1 } else if b { return 2 }"),
    ("go", "switch x { \ncase 1: \nreturn 1 }"),
    ("go", "switch x { \ncase 1:\ndefault: \nreturn 2 }"),
    ("go", "for i := range x { return 1 }"),
    ("go", "for a { return 1 }"),
    ("rust", "loop { break; }"),
    ("rust", "match a { 1 => x(), _ => { return; } }"),
    ("rust", "while let Some(x) = y { return; }"),
    ("rust", "let x = match a { 1 => return, _ => 2 };"),
    ("kotlin", "if (a) g() else { return }"),
    ("kotlin", "if (a) { return } else g()"),
    ("kotlin", "if (a) return"),
    ("kotlin", "when (x) { 1 -> return 1\n else -> g() }"),
    ("kotlin", "try { return 1 } catch (e: E) { g() }"),
    ("swift", "if a { return 1 } else if b { return 2 }"),
    ("swift", "if a { } else { return 2 }"),
    ("swift", "do { return 1 } catch { g() }"),
    ("swift", "guard a else { return }"),
    ("csharp", "switch (x) { case 1: break; default: return 2; }"),
    ("csharp", "foreach (var a in b) { return 1; }"),
    ("php", "if ($a) { return 1; } elseif ($b) { return 2; }"),
    ("php", "foreach ($a as $b) { return 1; }"),
    ("ruby", "if a\n return 1\n elsif b\n return 2\n end"),
    ("ruby", "begin\n return 1\n rescue E\n return 2\n end"),
    ("ruby", "case x\n when 1\n return 1\n end"),
    ("c", "if (a) { return 1; } else g();"),
    ("c", "switch (x) { case 1: g(); break; default: return 2; }"),
    ("c", "for (int i = 0; i < 3; i++) { return; }"),
    ("c", "do { x(); } while (a);"),
    ("c", "do { if (b) continue; return 1; } while (a);"),
    ("cpp", "for (auto a : b) { return 1; }"),
    ("javascript", "if (a) { return 1; } else if (b) { return 2; }"),
    ("javascript", "switch (x) { case 1: return 1; }"),
    ("javascript", "try { g(); } finally { h(); }"),
    ("javascript", "for (const a of b) { return a; }"),
    ("javascript", "if (a) { return () => { return 1; }; }"),
    ("typescript", "const x = a.map(() => { return 1; });"),
    ("python", "    with raises(E):\n        raise E"),
]


def is_left(language: str, body: str, swallowing: bool = False) -> bool:
    source = Source(tuple(FUNCTIONS[language].format(body).split("\n")), language)
    return leaves(source, block_of(source, "f").statements[-1], swallowing)


@pytest.mark.parametrize(("language", "body"), LEAVING)
def test_a_statement_that_leaves_by_all_ways_through_it_lets_nothing_below_be_run(language, body):
    assert is_left(language, body)


@pytest.mark.parametrize(("language", "body"), GOING_ON)
def test_what_is_below_a_statement_is_run_where_one_way_through_it_may_come_there(language, body):
    assert not is_left(language, body)


def test_long_chains_of_branches_and_deep_switches_are_looked_through():
    branches = "if (a) { return 0; }" + " else if (a) { return 1; }" * 1000
    assert is_left("javascript", branches + " else { return 2; }")
    assert not is_left("javascript", branches)
    deep = "return 1;"
    for _ in range(30):
        deep = f"switch (x) {{ default: {{ {deep} }} }}"
    assert is_left("java", deep)


WITH = "    with a:\n        return 1"


def test_a_with_may_swallow_an_error_where_its_statement_is_asked_about_by_name():
    assert not is_left("python", WITH, swallowing=True)
    text = FUNCTIONS["python"].format(WITH)
    end = op("insert f 'g()' last")
    with pytest.raises(OperationRefused, match="line 2 ends what `f` runs there; insert before it"):
        outcome(text, end)
    new, found = outcome(text, end | {"where": "after", "anchor": "with a:"})
    assert new == text + "    g()\n"
    assert found.notes == ("what follows line 2 is run only where its `with` swallows an error",)
