"""Which methods a change loses that their class still calls."""

from pathlib import Path

import pytest

from fastedit.check import check_merge
from fastedit.source.document import Document
from fastedit.source.hunks import diff_lines
from fastedit.source.update import Update

CLASSES = {
    "a.py": (
        "class A:\n    def load(self):\n        return self.clean(1)\n",
        "\n    def clean(self, x):\n        return x\n",
        "",
    ),
    "a.ts": (
        "class A {\n  load(): number {\n    return this.clean(1);\n  }\n",
        "  clean(x: number): number {\n    return x;\n  }\n",
        "}\n",
    ),
    "A.java": (
        "class A {\n    int load() {\n        return clean(1);\n    }\n",
        "    int clean(int x) {\n        return x;\n    }\n",
        "}\n",
    ),
    "A.cs": (
        "class A\n{\n    int Load()\n    {\n        return Clean(1);\n    }\n",
        "    int Clean(int x)\n    {\n        return x;\n    }\n",
        "}\n",
    ),
    "a.php": (
        "<?php\nclass A {\n    function load() {\n        return $this->clean(1);\n    }\n",
        "    function clean($x) {\n        return $x;\n    }\n",
        "}\n",
    ),
    "A.kt": (
        "class A {\n    fun load(): Int {\n        return clean(1)\n    }\n",
        "    fun clean(x: Int): Int {\n        return x\n    }\n",
        "}\n",
    ),
    "a.swift": (
        "class A {\n    func load() -> Int {\n        return clean(1)\n    }\n",
        "    func clean(_ x: Int) -> Int {\n        return x\n    }\n",
        "}\n",
    ),
}


def lost(old: str, new: str, name: str) -> list[str]:
    document = Document.from_text(old, Path(name))
    hunks = tuple(diff_lines(document.lines, Document.from_text(new).lines))
    found = check_merge(document, hunks, Update(()))
    return [one.reason.lower() for one in found if one.rule.code == "FE125"]


@pytest.mark.parametrize("name", CLASSES)
def test_a_method_that_goes_while_its_class_calls_it_is_told(name):
    above, method, below = CLASSES[name]
    assert [reason.split(",")[0] for reason in lost(above + method + below, above + below, name)] == [
        "the method a.clean vanishes"
    ]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("self.clean(1)", "tidy(1)"),  # its use goes too
        ("self.clean(1)", "self.other.clean(1)"),  # of another object
        ("    def load", "    clean = None\n\n    def load"),  # something else is called so
    ],
)
def test_a_method_that_nothing_of_its_own_object_calls_may_go(was, now):
    above, method, _ = CLASSES["a.py"]
    assert not lost(above + method, above.replace(was, now), "a.py")


def test_a_method_that_moves_to_another_class_is_not_lost():
    above, method, _ = CLASSES["a.py"]
    assert not lost(above + method, f"class Base:{method}\n\n{above}", "a.py")
