from __future__ import annotations

import re
from json import loads
from pathlib import Path

import pytest

from fastedit import Engine
from fastedit.check import Rule, check_merge, held_against_merge, parse_ignored, rules
from fastedit.check.registry import rule_of
from fastedit.errors import UsageError
from fastedit.request import EditRequest
from fastedit.sketch.paths.fitted import WEIGHTS
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk
from fastedit.source.update import Update
from tests.check.document import DOCUMENT, END, START, written


def test_the_document_says_what_the_rules_say_of_themselves():
    text = DOCUMENT.read_text("utf-8")
    assert START in text
    assert END in text
    assert text == written(), "run `python -m tests.check.document`"


def test_no_two_rules_share_a_code_or_a_name():
    assert len({rule.code for rule in rules()}) == len({rule.name for rule in rules()}) == len(rules())


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_a_rule_is_a_sentence_with_a_reason_an_example_and_authors(rule: Rule):
    assert re.fullmatch(r"FE1\d\d", rule.code)
    assert rule.sentence.endswith(".")
    assert rule.why.endswith(".")
    assert rule.example
    assert rule.applies_to


def test_the_codes_that_documents_quote_keep_their_meaning():
    names = ["syntax", "data", "marker", "code", "lost name", "scope", "definition"]
    assert [rule_of(f"FE10{number}").name for number in range(1, 8)] == names


def test_each_objection_that_the_merge_weighs_is_a_rule_for_merges():
    signs = loads(WEIGHTS.read_text("utf-8"))["evidence"]
    weighed = {sign.removeprefix("objection: ") for sign in signs if sign.startswith("objection: ")}
    assert weighed
    assert weighed <= {rule.name for rule in rules() if "merge" in rule.applies_to}


def test_a_rule_that_objects_is_known_before_all_that_it_says():
    document = Document.from_text("import os\nimport re\n\nos.close(re.I)\n", Path("a.py"))
    hunks = (Hunk(0, 2, ()),)
    held = held_against_merge(document, hunks, Update(()))
    assert [rule.code for rule in held.rules].count("FE105") == 1
    assert [one.reason for one in held.objections if one.rule.code == "FE105"] == [
        "the import os vanishes, but result line 2 still uses it",
        "the import re vanishes, but result line 2 still uses it",
    ]
    assert held.objections == check_merge(document, hunks, Update(()))


def test_an_unknown_code_is_refused_with_those_that_exist():
    with pytest.raises(UsageError, match=r"rule 'FE999' is none of FE101, FE102"):
        parse_ignored(["FE999"])


@pytest.mark.parametrize("code", ["FE101", "FE102", "FE103"])
def test_a_rule_that_guards_against_a_broken_file_cannot_be_ignored(code):
    with pytest.raises(UsageError, match=rf"{code} cannot be ignored"):
        parse_ignored([code])


def test_an_edit_that_only_an_ignored_rule_held_back_is_delivered():
    update = "x = 1\n>>>>>>> theirs\ny = 2\n"
    document = Document.from_text("x = 1\ny = 2\n", Path("a.cfg"))
    held = Engine.load().apply(EditRequest(document, update=update, policy="merge"))
    assert held.status == "suspect"
    assert any(reason.endswith("(FE104)") for reason in held.reasons)
    ignored = EditRequest(document, update=update, policy="merge", ignore=frozenset({"fe104"}))
    assert Engine.load().apply(ignored).status == "ok"
