"""Comments that a sketch begins with, right above code."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit.engine.merge.merge import Merge
from fastedit.request import LineRange
from fastedit.sketch.rivals.headings import NEXT_TO_ANOTHER
from fastedit.source.document import Document
from fastedit.source.hunks import apply_hunks

OLD = """import json


def orders(customer):
    return query("orders", customer)


# The invoices of a customer
def invoices(customer):
    return query("invoices", customer)


def payments(customer):
    return query("payments", customer)
"""


def merge_of(sketch: str, old: str = OLD) -> Merge:
    document = Document.from_text(old, Path("a.py"))
    return Merge(document, sketch, LineRange(0, len(document.lines)))


def text_of(merge: Merge) -> str:
    return apply_hunks(merge._document, merge.best.hunks)


def shown(name: str, comment: str) -> str:
    return f'{comment}\ndef {name}(customer):\n    return query("{name}", customer, newest=True)\n'


def test_a_comment_that_heads_a_shown_function_is_written():
    merge = merge_of(shown("payments", "# Reads all payments from the table of the customer."))
    assert text_of(merge).endswith(
        "\n\n\n# Reads all payments from the table of the customer.\n"
        'def payments(customer):\n    return query("payments", customer, newest=True)\n'
    )
    assert merge.best.sure


def test_one_that_may_speak_of_the_edit_holds_it_back_and_is_named():
    comment = "# Newest first, as the accountants want it"
    merge = merge_of(shown("payments", comment))
    assert comment in text_of(merge) or any(comment in note for note in merge.left_out(merge.best))
    assert not merge.best.sure


def test_it_comes_in_place_of_the_one_that_the_function_has():
    comment = "# Lee las facturas de un cliente, las más nuevas primero"
    merge = merge_of(shown("invoices", comment))
    assert text_of(merge) == OLD.replace("# The invoices of a customer", comment).replace(
        '("invoices", customer)', '("invoices", customer, newest=True)'
    )
    assert any("The invoices" in apply_hunks(merge._document, one.hunks) for one in merge.offered)


CACHED = """from functools import lru_cache


@lru_cache(
    maxsize=1000,
)
def invoices(customer):
    return query("invoices", customer)


class Orders:
    size = 3

    # The name on the bill
    @property
    def name(self):
        return self.customer.name

    @staticmethod
    def create(customer):
        return Orders(customer)
"""


@pytest.mark.parametrize(
    ("sketch", "old", "new"),
    [
        (
            '@cache\ndef invoices(customer):\n    return query("invoices", customer)\n',
            "@lru_cache(\n    maxsize=1000,\n)\n",
            "@cache\n",
        ),
        (
            "class Orders:\n    # ...\n    @cached_property\n    def name(self):\n"
            "        return self.customer.name\n    # ...\n",
            "    @property\n",
            "    @cached_property\n",
        ),
        (
            "# ...\n    @classmethod\n    def create(cls, customer):\n        return cls(customer)\n",
            "    @staticmethod\n    def create(customer):\n        return Orders(customer)\n",
            "    @classmethod\n    def create(cls, customer):\n        return cls(customer)\n",
        ),
    ],
)
def test_a_decorator_may_come_in_place_of_the_one_that_is_not_shown(sketch: str, old: str, new: str):
    merge = merge_of(sketch, CACHED)
    assert not merge.best.sure
    offered = (apply_hunks(merge._document, one.hunks) for one in merge.offered)
    assert CACHED.replace(old, new).split() in map(str.split, offered)


def test_a_decorator_next_to_one_that_is_shown_is_added():
    shown = "@lru_cache(\n    maxsize=1000,\n)\n@timed\ndef invoices(customer):\n"
    merge = merge_of(shown + '    return query("invoices", customer)\n', CACHED)
    assert text_of(merge) == CACHED.replace("\n)\ndef", "\n)\n@timed\ndef")
    assert merge.best.sure


def test_a_comment_below_a_marker_may_come_in_place_of_the_one_that_is_not_shown():
    comment = "# Newest invoices come first here.\n"
    merge = merge_of(f"# ... existing code ...\n\n{comment}def invoices(customer):\n    return []\n")
    assert not merge.best.sure
    assert any("The invoices" not in apply_hunks(merge._document, one.hunks) for one in merge.offered)


def test_a_line_of_a_comment_that_is_shown_whole_may_come_next_to_the_others_of_it():
    above, below = "class Server {\n", "    void stop() {\n        ask();\n    }\n}\n"
    comment = "    /**\n     * Requests\n     *\n     * @param raw As they are\n     *\n     * @return Text\n     */\n"
    code = "    List<Text> received(boolean raw) {\n        return raw ? ask() : read(ask());\n    }\n"
    old = above + comment + code + "\n" + below
    new = comment.replace("     * @param raw As they are\n     *\n", "").replace("Text", "Request")
    new += "    List<Request> received() {\n        return read(ask());\n    }\n"
    merge = merge_of(new, old)
    assert NEXT_TO_ANOTHER.name not in merge.best.evidence
    assert text_of(merge) == above + new + "\n" + below
