from __future__ import annotations

import pytest

from fastedit.errors import OperationRefused, TargetUnresolved
from tests.ops.keys.keyed import delete_key, done, refused, rename_key, set_key

TEXT = """\
/*! normalize */
@charset "utf-8";
@import url(x);

/**
 * 1. Correct.
 */
html {
  line-height: 1.15; /* 1 */
  text-size-adjust: 100% /* 2 */
}

button,
input { font: inherit; margin: 0 }
a{color:red!important;}
b {}
i {
}
@media print {
  html { color: black; }
  p { color: black; color: rgb(0 0 0); }
}
@font-face { font-family: "x"; }
.x > .y{ a: b; &:hover { c: d; } }
[type='button'] { q: 'x' }
@keyframes k { from { a: b } 50% { c: d } }
"""


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (set_key("html.line-height", "1.5"), "1.15;", "1.5;"),
        (set_key("html.line-height", 1.25), "1.15;", "1.25;"),
        (set_key("html.text-size-adjust", "90%"), "100% /*", "90% /*"),
        (set_key("line-height", "1.5"), "1.15;", "1.5;"),
        (set_key("html.top", "0"), "100% /* 2 */\n", "100%; /* 2 */\n  top: 0;\n"),
        (set_key("button, input.margin", "1px"), "margin: 0 }", "margin: 1px }"),
        (set_key("/button, input/color", "red"), "margin: 0 }", "margin: 0; color: red; }"),
        (set_key("a.color", "blue !important"), "red!important", "blue !important"),
        (set_key("a.top", "0"), "!important;}", "!important; top:0;}"),
        (set_key("b.x", "y"), "b {}", "b { x: y; }"),
        (set_key("i.x", "y"), "i {\n", "i {\n  x: y;\n"),
        (set_key("@media print.html.color", "white"), "html { color: black", "html { color: white"),
        (set_key("@font-face.src", "url(y)"), '"x"; }', '"x"; src: url(y); }'),
        (set_key("/.x > .y/a", "z"), "a: b; &", "a: z; &"),
        (set_key("&:hover.c", "z"), "{ c: d; }", "{ c: z; }"),
        (set_key("50%.c", "z"), "{ c: d }", "{ c: z }"),
        (set_key('/[type="button"]/q', ".5em"), "q: 'x'", "q: .5em"),
        (delete_key("html.line-height"), "  line-height: 1.15; /* 1 */\n", ""),
        (delete_key("button, input.font"), "font: inherit; ", ""),
        (delete_key("b"), "b {}\n", ""),
        (delete_key("/html"), TEXT[TEXT.index("/**\n") : TEXT.index("button,")], ""),
        (delete_key("@media print.p"), "  p { color: black; color: rgb(0 0 0); }\n", ""),
        (rename_key("html.line-height", "lh"), "line-height:", "lh:"),
        (rename_key("b", "b > em"), "b {}", "b > em {}"),
    ],
)
def test_only_what_changes_is_written(operation, old, new):
    assert TEXT.count(old) == 1
    assert done("a.css", TEXT, operation) == TEXT.replace(old, new)
    crlf = TEXT.replace("\n", "\r\n").rstrip()
    assert done("a.css", crlf, operation) == TEXT.replace(old, new).replace("\n", "\r\n").rstrip()


def test_of_several_rules_with_one_selector_the_line_chooses():
    text = "p { a: b }\n\np { c: d }\n\np { a: e }\n"
    with pytest.raises(OperationRefused, match="can mean 3 things"):
        done("a.css", text, delete_key("p"))
    assert done("a.css", text, delete_key("p@1")) == "p { c: d }\n\np { a: e }\n"
    assert done("a.css", text, set_key("p.x@3", "y")) == text.replace("c: d }", "c: d; x: y; }")
    assert done("a.css", text, set_key("p.c", "f")) == text.replace("c: d", "c: f")


def test_the_rule_for_a_new_property_is_told_as_it_can_be_named():
    text = ".b { c: d }\n\n.b { e: f }\n"
    with pytest.raises(TargetUnresolved, match=r"say which, such as /\.b/x@1$"):
        done("a.css", text, set_key("/.b/x", "y"))
    assert done("a.css", text, set_key("/.b/x@3", "y")) == text.replace("e: f }", "e: f; x: y; }")


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (set_key("p.color", "red"), "can mean 2 things"),
        (set_key("html.color", "white"), "is not there, but line 20: `@media print.html.color`"),
        (set_key("a.color", "blue"), "`a.color` is !important"),
        (set_key("html.line-height", "1; x: y"), "would not come out as it should"),
        (set_key("html.line-height", "1}"), "would not come out as it should"),
        (set_key("html.line-height", True), "the value is text here"),
        (set_key("@media print.a", "b"), "no properties; name one of them too, such as /@media print/html/a"),
        (set_key("top", "b"), "no properties; name one of them too, such as /html/top"),
        (set_key("/html", "b"), "`html` is a rule; set its properties one by one"),
        (set_key("input.margin", "0"), "`input` is not there"),
        (rename_key("html.line-height", "l h"), "would not come out as it should"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(operation, reason):
    assert reason in refused("a.css", TEXT, operation)


def test_a_rule_with_a_hack_is_left_alone_and_others_are_not():
    text = "a { *zoom: 1; color: red }\nb { color: red }\n"
    with pytest.raises(OperationRefused):
        done("a.css", text, set_key("a.color", "blue"))
    assert done("a.css", text, set_key("b.color", "blue")) == text.replace(
        "b { color: red", "b { color: blue"
    )
