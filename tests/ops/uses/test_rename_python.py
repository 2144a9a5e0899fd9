from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.errors import OperationRefused, TargetUnresolved
from fastedit.ops import carry_out
from fastedit.ops.uses.rename import RenameImported
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks
from tests.ops.carried import carried, op, outcome, refused, rename, renamed

CASES = {
    "a function, its calls and its recursion": ("def §(x):\n    return §(x)\n§(1)\n", "load to read"),
    "not a parameter of the same name": ("def §(): pass\ndef f(load): return load\n§()\n", "load to read"),
    "closures see the local of the function around": (
        "x = 1\ndef f():\n    § = 2\n    def g(): return §\n    return g, §\nx\n",
        "f.x to y",
    ),
    "nonlocal": ("def f():\n    § = 1\n    def g():\n        nonlocal §\n        § = 2\n", "f.x to y"),
    "global": ("§ = 1\ndef f():\n    global §\n    § = 2\ndef g():\n    x = 3\n", "x to y"),
    "comprehensions have a scope but for the first iterable": (
        "def f(§):\n    return [xs for xs in §], [x for x in § if x]\n",
        "f.xs to items",
    ),
    "the walrus binds outside of its comprehension": (
        "def f(y):\n    z = [§ for i in y if (§ := i)]\n    return §\n",
        "f.w to last",
    ),
    "class bodies are not seen from methods": (
        "§ = 0\nclass A:\n    kind = 1\n    def f(self): return §\n",
        "kind to sort",
    ),
    "defaults and annotations are seen from outside": (
        "§ = 1\ndef f(x=§, y: § = 2) -> §: return x\n",
        "x to z",
    ),
    "keyword arguments of calls": (
        "def f(§, b=1): return §\nf(1, b=2); f(§=3, b=b)\nother(a=1)\n",
        "f.a to first",
    ),
    "keyword arguments of constructors": (
        "class A:\n    def __init__(self, §): self.x = §\nA(§=1)\n",
        "A.__init__.x to y",
    ),
    "fields of a dataclass with their keywords": (
        "@dataclass\nclass A:\n    §: int\n    def f(self): return self.§\nA(§=1)\n",
        "A.x to y",
    ),
    "attributes that methods assign": (
        "class A:\n    def __init__(self): self.§ = 1\n    def f(self): return self.§\n",
        "A.x to y",
    ),
    "inherited methods": (
        "class A:\n    def §(self): pass\nclass B(A):\n    def g(self): return self.§(), super().§()\n",
        "A.f to h",
    ),
    "properties with their setters": (
        "class A:\n    @property\n    def §(self): ...\n    @§.setter\n    def §(self, v): ...\n",
        "A.x to y",
    ),
    "__all__": ('__all__ = ["§"]\n__all__ += ["§"]\ndef §(): pass\nx = "load"\n', "load to read"),
    "__all__, of a name that begins like a string": ('__all__ = ["§"]\ndef §(): pass\n', "read_u to load"),
    "f-strings": ('def f(§): return f"x {§!r:>{§}} {{x}}"\n', "f.x to y"),
    "annotations in quotes": (
        'class §:\n    def f(self) -> "list[§]": return x  # A\nk: Literal["A"]\n',
        "A to B",
    ),
    "imported names get an alias": ("from m import load‹ as read›, save\n§(save)\n", "load to read"),
    "aliases": ("import json as §\n§.load()\n", "load to read"),
    "what except, with, for, del and match bind": (
        "def f():\n    try: pass\n    except E as §: §\n    with a as §: pass\n    for § in y: del §\n"
        "    match z:\n        case [§, *_]: §\n        case {'k': §}: pass\n"
        "        case A() as §: pass\n",
        "f.x to q",
    ),
    "lambdas": ("§ = 1\nf = lambda x, y=§: x + y\n", "x to z"),
}


@pytest.mark.parametrize(("text", "names"), CASES.values(), ids=CASES)
def test_a_rename_follows_the_scopes(text, names):
    target, new = names.split(" to ")
    before, after = renamed(text, target, new)
    assert carried(before, rename(target, new)) == after


def test_all_attributes_are_renamed_where_asked_for_but_not_those_known_to_be_anothers():
    text = (
        "import json\nclass A:\n    def load(self): pass\nclass B(A):\n    def load(self): pass\n"
        "class C:\n    def load(self): return self.load()\ndef f(x):\n    x.load()\n    json.load()\n"
    )
    new, found = outcome(text, rename("A.load", "read", attributes="all"))
    assert new.count("read") == 3
    assert "x.read()" in new
    assert "json.load()" in new
    assert "return self.load()" in new
    assert found.left == ()


def test_self_that_is_assigned_is_unknown():
    text = "class A:\n    def f(self):\n        self = other()\n        self.f()\n"
    new, found = outcome(text, rename("A.f", "g"))
    assert new == text.replace("def f", "def g")
    assert [place.line for place in found.left] == [3]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, 'def read(): pass  # load it\nx = "load"\n'),
        ({"comments": True}, 'def read(): pass  # read it\nx = "load"\n'),
        ({"strings": True}, 'def read(): pass  # load it\nx = "read"\n'),
    ],
)
def test_comments_and_strings_are_renamed_where_asked_for(more, expected):
    assert carried('def load(): pass  # load it\nx = "load"\n', rename("load", "read", **more)) == expected


REFUSED = {
    "exists in the scope": ("a = 1\nb = 2\n", "a to b", "`b` exists already on line 2"),
    "would be captured": ("a = 1\ndef f(b): return a\n", "a to b", "`b` would be meant instead on line 2"),
    "is a keyword": ("a = 1\n", "a to class", "`class` cannot be a name in python"),
    "is no name": ("a = 1\n", "a to b c", "`b c` cannot be a name in python"),
    "is the same": ("a = 1\n", "a to a", "`a` is its name already"),
    "dunder": ("class A:\n    def __init__(self): pass\n", "A.__init__ to f", "meaning of its own"),
    "a module's first part": ("import a.b\na.b\n", "a to c", "nothing here is known to define it"),
}


@pytest.mark.parametrize(("text", "names", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_rename_that_would_change_meaning_is_refused(text, names, reason):
    assert reason in refused(text, rename(*names.split(" to ")))


def test_an_ambiguous_target_gives_the_candidates_with_their_lines():
    text = "class A:\n    def f(self): pass\nclass B:\n    def f(self): pass\n"
    with pytest.raises(TargetUnresolved) as error:
        carried(text, rename("f", "g"))
    assert "line 2: `A.f`; line 4: `B.f`" in str(error.value)
    assert [candidate.line for candidate in error.value.candidates] == [1, 3]


@pytest.mark.parametrize("target", ["load", "A.load", "load@7", "lo ad", "@3", ""])
def test_a_missing_target_is_refused(target):
    with pytest.raises(OperationRefused):
        carried("lode = 1\n", rename(target, "x"))


def test_a_name_in_what_a_syntax_error_leaves_of_a_string_is_no_use_of_it():
    text = '"""\nBLANK = re.compile(rb"^[ \\t\\f]*(?:#.*)?$")'
    assert "BLANK: is not" in refused(text, rename("BLANK", "EMPTY"))


def test_similar_names_are_said_where_there_is_none():
    assert "similar: settings" in refused("settings = 1\n", rename("setings", "x"))


@pytest.mark.parametrize("target", ["load", "function_700.value", "function_3.path", "Store.get"])
def test_a_long_file_gives_what_a_short_one_does(target):
    block = "def function_%d(path):\n    value = path\n    return load(value)\n"
    store = "class Store:\n    def get(self): return self.get()\n\n"
    head = f'"""Doc."""\nimport os\n\n\n@cache\ndef load(x):\n    return load(x)\n\n{store}'
    texts = [head + "".join(block % i for i in chosen) for chosen in (range(800), (3, 700))]
    long, short = (carried(text, rename(target, "zz")) for text in texts)
    assert long.count("zz") == short.count("zz") + (798 if target == "load" else 0)
    assert long.replace("zz", target.split(".")[-1]) == texts[0]


def test_a_parameter_of_a_function_that_others_call_is_noted_and_calls_that_may_pass_it_are_left():
    text = "def f(a, b=1): return a\n\ndef g(): f(**k)\n"
    new, found = outcome(text, rename("f.a", "c"))
    assert new == text.replace("a, b", "c, b").replace("return a", "return c")
    assert found.notes == ("calls in other files may pass `a` by name",)
    assert [str(place) for place in found.left] == ["line 3: may pass `a` by name: def g(): f(**k)"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("def f(a, /): return a\n", "f.a"),
        ("def f(*a): return a\n", "f.a"),
        ("class A:\n    def f(self): pass\n", "A.f.self"),
        ("def f():\n    def g(a): return a\n", "f.g.a"),
    ],
)
def test_a_parameter_that_no_call_of_another_file_can_name_is_not_noted(text, target):
    assert not outcome(text, rename(target, "c"))[1].notes


@pytest.mark.parametrize("base", ["A", "B"])
def test_a_class_that_derives_from_itself_is_renamed_in_like_another(base):
    text = f"class A({base}):\n    def f(self): self.f()\n\n\nclass B(A): pass\n"
    assert carried(text, rename("A.f", "g")) == text.replace("f(self)", "g(self)").replace("self.f", "self.g")


def test_a_private_name_as_it_is_called_outside_of_its_class_is_left():
    text = "class _A:\n    __x = 1\n    y = __x\n\nprint(_A._A__x)\n"
    new, found = outcome(text, rename("_A.__x", "__z"))
    assert new == text.replace(" __x", " __z")
    assert [str(place) for place in found.left] == ["line 5: its name outside of its class: print(_A._A__x)"]


def test_what_is_only_assigned_from_outside_of_its_class_is_defined_by_none():
    text = "class A:\n    pass\n\n\nA.limit = 1\nprint(A.limit)\n"
    with pytest.raises(
        TargetUnresolved, match=r"nothing here is known to define it \(it stands first on line 5\)"
    ):
        carried(text, rename("A.limit", "most"))
    derived = (
        "class A:\n    pass\n\n\nA.limit = 1\n\n\nclass B(A):\n    def f(self):\n        self.limit = 2\n"
    )
    new, found = outcome(derived, rename("B.limit", "most"))
    assert new == derived.replace("self.limit", "self.most")
    assert [place.line for place in found.left] == [4]


@pytest.mark.parametrize("call", ["f(d=4)", "f(c=3, d=4)"])
def test_a_parameter_does_not_take_the_name_of_what_a_call_passes_on(call):
    assert "`d` is passed already on line 4" in refused(
        f"def f(c=1, **kw):\n    return c, kw\n\n{call}\n", rename("f.c", "d")
    )


def test_private_names_that_have_the_name_of_a_renamed_class_are_left():
    text = "class _A:\n    def f(self): self.__x = 1\n\nprint(_A()._A__x, y._A__init__)\n"
    new, found = outcome(text, rename("_A", "B"))
    assert new == text.replace("class _A", "class B").replace("print(_A", "print(B")
    assert [place.line for place in found.left] == [3]


def test_what_a_class_body_binds_is_until_then_that_of_the_file():
    text = (
        "n = 1\ndef outer(n):\n    class C:\n        n = n\n        def f(self): return n\n    return C.n\n"
    )
    assert carried(text, rename("outer.n", "m")) == text.replace("(n)", "(m)").replace("return n", "return m")
    assert carried(text, rename("n", "m")) == "m" + text[1:].replace("n = n", "n = m")
    assert "would be meant instead on line 3" in refused(
        "def f(a):\n    class C:\n        b = a\n", rename("f.a", "b")
    )


DATA = "@dataclass\nclass A:\n    x: int\n"


@pytest.mark.parametrize(
    "text",
    [
        DATA + "    def f(self): return replace(self, x=self.x + 1)\n",
        DATA + "replace(A(1), x=2)\ndataclasses.replace(A(x=1), x=2)\n",
        DATA + "    @classmethod\n    def f(cls): return cls(x=1)\n",
        DATA + "@dataclass\nclass B(A):\n    y: int\nB(x=1, y=2)\n",
        "class A(NamedTuple):\n    x: int\n    def f(self): return self._replace(x=self.x)\n",
    ],
)
def test_a_field_is_renamed_where_an_object_is_made_or_copied(text):
    assert carried(text, rename("A.x", "z")) == text.replace("x:", "z:").replace("x=", "z=").replace(
        ".x", ".z"
    )


def test_a_field_of_what_is_copied_is_left_where_its_class_is_not_known():
    text = DATA + "replace(p, x=1)\np._replace(x=1)\np.replace(x=1)\n"
    _, found = outcome(text, rename("A.x", "z"))
    assert [place.line for place in found.left] == [3, 4]


@pytest.mark.parametrize("listed", ['("x", "y")', '["x"]', '"x"', '"x", "y"', '{"x", "y"}'])
def test_an_attribute_is_renamed_in_what_its_class_lists_by_name(listed):
    text = f"class A:\n    __slots__ = {listed}\n    __match_args__ = ('x',)\n    def f(self): self.x = 'x'\n"
    expected = text.replace('"x"', '"z"').replace("('x'", "('z'").replace("self.x", "self.z")
    assert carried(text, rename("A.x", "z")) == expected


def test_a_name_in_slots_declares_the_attribute():
    text = 'class A:\n    __slots__ = ("x", "y")\n\nA().x = 1\n'
    assert carried(text, rename("A.x", "z")) == text.replace('"x"', '"z"').replace(".x", ".z")
    assert "`y` is an attribute already on line 2" in refused(text, rename("A.x", "y"))


def test_a_key_of_a_typed_dict_is_left_to_a_language_server():
    text = 'class A(TypedDict):\n    x: int\n\nclass B(A): pass\n\nB()["x"]\n'
    assert "`x` is a key, which strings name" in refused(text, rename("A.x", "z"))


TYPES = (
    "T = int\ntype Vec[T: int] = list[T] | Vec[T]\ndef first[T](x: T, y=T) -> T:\n    z: T = x\n"
    "class Box[T, *Ts, **P](Base[T]):\n    Inner = int\n"
    "    def get[U: T](self, x: Inner, y: U) -> T: return x\n"
    "y: T = 1\nv: Vec[T]\n"
)


@pytest.mark.parametrize(
    ("target", "lines"),
    [
        ("T", {1: "Q = int", 3: "def first[T](x: T, y=Q) -> T:", 8: "y: Q = 1", 9: "v: Vec[Q]"}),
        ("Vec", {2: "type Q[T: int] = list[T] | Q[T]", 9: "v: Q[T]"}),
        ("Vec.T", {2: "type Vec[Q: int] = list[Q] | Vec[Q]"}),
        ("first.T", {3: "def first[Q](x: Q, y=T) -> Q:", 4: "    z: Q = x"}),
        ("Box.Ts", {5: "class Box[T, *Q, **P](Base[T]):"}),
        ("Box.get.U", {7: "    def get[Q: T](self, x: Inner, y: Q) -> T: return x"}),
        ("Box.Inner", {6: "    Q = int", 7: "    def get[U: T](self, x: Q, y: U) -> T: return x"}),
        ("Box.get.x", {7: "    def get[U: T](self, Q: Inner, y: U) -> T: return Q"}),
    ],
)
def test_a_type_parameter_is_seen_in_what_it_is_given_to(target, lines):
    expected = [lines.get(number, line) for number, line in enumerate(TYPES.split("\n"), 1)]
    assert carried(TYPES, rename(target, "Q")).split("\n") == expected


FIXTURES = (
    "@pytest.fixture\ndef db():\n    return 1\n\n\ndef test_a(db):\n    assert db\n\n\n"
    '@pytest.mark.parametrize("x", [1])\ndef test_b(x):\n    assert x\n'
)


@pytest.mark.parametrize(
    ("operation", "line"),
    [
        (rename("db", "base"), 6),
        (op("delete db"), 6),
        (rename("test_a.db", "base"), 2),
        (rename("test_b.x", "y"), 10),
    ],
)
def test_parameters_that_a_fixture_or_a_decorator_names_are_left_and_reported(operation, line):
    assert [place.line + 1 for place in outcome(FIXTURES, operation)[1].left] == [line]


def test_the_last_name_of_a_path_in_a_quoted_annotation_is_another_files():
    text = 'class A: pass\nx: "b.A" = 1\ny: "list[A | b.c.A]" = 2\n'
    assert carried(text, rename("A", "B")) == 'class B: pass\nx: "b.A" = 1\ny: "list[B | b.c.A]" = 2\n'


def test_a_definition_is_meant_by_the_line_of_its_decorator_or_one_within_it():
    text = "@cache\ndef f(p):\n    x = 1\n    return p\n\n\ndef g(): f(1)\n"
    for line in (1, 2, 4):
        assert "def h(p)" in carried(text, rename(f"f@{line}", "h"))


IMPORTING = "import store\nimport store as kept\nfrom store import load\nstore.load(); kept.load(); load(); b.load()\n"


def test_an_imported_name_whose_file_renames_it_is_renamed_behind_its_module_too():
    document = Document.from_text(IMPORTING, Path("a.py"))
    found = carry_out(document, [RenameImported("load", "read")])
    text = apply_hunks(document, found.hunks)
    assert text.endswith("from store import read\nstore.read(); kept.read(); read(); b.load()\n")


@pytest.mark.parametrize(
    ("above", "within", "called"),
    [("", "store", "read"), ("import store\n", "other as store", "load"), ("", "other as store", "load")],
)
def test_a_module_that_a_function_imports_is_known_by_its_import(above, within, called):
    text = above + "from store import load\ndef f():\n    import {}\n    return store.{}()\n"
    document = Document.from_text(text.format(within, "load"), Path("a.py"))
    found = carry_out(document, [RenameImported("load", "read")])
    assert apply_hunks(document, found.hunks) == text.replace("t load", "t read").format(within, called)
