"""Names read off the tree, without regard to what asks for them."""

import pytest

from fastedit.source.names.names import sites_within
from fastedit.source.names.site import Role
from fastedit.source.syntax import parse


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", "[ } { , , if ) b ,"),
        ("typescript", "{ if ... , const ) , const"),
        ("tsx", "( ... = { ... , return ; ,"),
    ],
)
def test_words_of_a_text_that_is_no_program_are_read_too(language, text):
    syntax = parse((text,), language)
    found = list(sites_within(syntax, 0, len(syntax.data)))
    assert found
    assert {site.role for site in found} <= set(Role)
