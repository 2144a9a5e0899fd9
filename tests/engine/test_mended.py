"""A local chat model that breaks the file is asked once more; what was streamed stands all the same."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest
from tokenizers import AddedToken
from transformers import PreTrainedTokenizerFast

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine import HunkReady
from fastedit.engine.answers.asked import BESIDE
from fastedit.engine.answers.dialogue import REPAIRED
from fastedit.source.hunks import apply_hunks
from fastedit.train.embedded.tokenizer import train_tokenizer
from tests.prompt.kinds import checkpoint

ASKS, OPEN, CLOSE, FENCE, END = "assistant: ", "<updated-code>\n", "</updated-code>", "```", "<eos>"
FILE = "def load():\n    return 1\n"
BROKEN = ("def load(:\n", "    return 3\n")
MENDED = ("def load():\n", "    return 2\n")


def scripted(folder: Path, *texts: tuple[str, ...], chats: bool = True) -> str:
    """A chat model in which each token alone says the next one: behind the first of a text comes the rest of it."""
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=train_tokenizer(inspect.getsource(textwrap).split("\n"), 300), eos_token=END
    )
    words = dict.fromkeys(word for text in texts for word in text if word != END)
    tokenizer.add_tokens([AddedToken(word, normalized=False) for word in words])
    if chats:
        tokenizer.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}" + ASKS
    return checkpoint(folder, tokenizer, *texts)


@pytest.fixture(scope="module")
def mends(tmp_path_factory) -> Engine:
    """Its first answer does not parse, its second one is right."""
    folder = tmp_path_factory.mktemp("mends")
    first = (OPEN, *BROKEN, CLOSE, END)
    return Engine.load(scripted(folder, first, (ASKS, f"{FENCE}python\n", *MENDED, FENCE, END)))


@pytest.fixture(scope="module")
def stubborn(tmp_path_factory) -> Engine:
    return Engine.load(scripted(tmp_path_factory.mktemp("stubborn"), (ASKS, OPEN, *BROKEN, CLOSE, END)))


def wish(**more) -> EditRequest:
    return EditRequest(Document.from_text(FILE, Path("a.py")), "make it better", **more)


def test_a_failed_check_goes_back_once_and_the_second_answer_counts(mends):
    result = mends.apply(wish())
    assert (result.status, result.text) == (Status.OK, "".join(MENDED))
    assert result.notes == (REPAIRED,)
    assert result.receipt.output_tokens == len(BROKEN) + 1 + len(MENDED) + 2
    assert result.receipt.plan == "rewrite"


def test_hunks_that_were_streamed_stand_and_the_second_answer_is_offered_beside_them(mends):
    *events, last = mends.stream(wish())
    result = last.result
    assert [event.hunk for event in events if isinstance(event, HunkReady)] == list(result.hunks)
    assert (result.status, result.text) == (Status.SUSPECT, "".join(BROKEN))
    assert result.notes == (BESIDE,)
    assert apply_hunks(result.document, result.alternatives[0].hunks) == "".join(MENDED)


def test_where_the_second_answer_fails_too_the_first_one_stays_suspect(stubborn):
    result = stubborn.apply(wish())
    assert (result.status, result.text, result.alternatives) == (Status.SUSPECT, "".join(BROKEN), ())
    assert any("(FE101)" in reason for reason in result.reasons)
    assert result.receipt.output_tokens == 2 * len(BROKEN) + 3


def test_the_second_answer_has_a_time_limit(mends):
    result = mends.apply(wish(time_limit=1e-9))
    assert (result.status, result.text) == (Status.SUSPECT, "".join(BROKEN))


def test_a_region_that_does_not_fit_with_its_answer_is_asked_about_like_a_server(mends):
    more = "".join(f"\n\ndef step_{n}():\n    return '{'x' * 160}'\n" for n in range(28))
    result = mends.apply(EditRequest(Document.from_text(FILE + more, Path("a.py")), "make it better"))
    assert (result.status, result.text) == (Status.OK, "".join(MENDED) + more)
    assert result.receipt.output_tokens == len(MENDED) + 2  # the rewrite was never begun
