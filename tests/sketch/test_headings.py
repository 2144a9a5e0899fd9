"""Comments that a sketch begins with, right above code."""

from __future__ import annotations

from pathlib import Path

from fastedit.engine.merge import Merge
from fastedit.request import LineRange
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
