"""A base model behind an address goes on with a text: no chat template, no tools, no second question."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.errors import AnchorNotFound, ModelUnavailable, UnreadableAnswer
from tests.connect.fake import refuses
from tests.connect.test_apis import ask, text

FILE = "def load():\n    return 1\n\n\ndef save():\n    return 2\n"
FILLER = "".join(f"\n\ndef step_{n}(value):\n    return value + {n}\n" for n in range(200))
LOAD = "def load():\n    return 3"


def engine(fake) -> Engine:
    return Engine.load(f"completions:{fake.url}")


def wish(instruction: str, text: str = FILE, **more) -> EditRequest:
    return EditRequest(Document.from_text(text, Path("a.py")), instruction, **more)


def test_a_region_is_written_behind_the_file_and_the_instruction(fake):
    fake.says = LOAD
    result = engine(fake).apply(wish("`load` should give 3, I think", symbol="load"))
    assert (result.status, result.text) == (Status.OK, FILE.replace("return 1", "return 3"))
    (asked,) = fake.asked
    assert asked.path == "/v1/completions"
    assert asked.body["prompt"].endswith(
        "Instruction: `load` should give 3, I think\n\nBefore:\n```python\ndef load():\n    return 1\n```\n\n"
        "After:\n```python\n"
    )
    assert asked.body["stop"] == ["```"]
    assert asked.body["max_tokens"] > 256
    assert result.receipt.plan == "rewrite"
    assert result.receipt.output_tokens == 9


def test_what_follows_the_closing_fence_is_no_part_of_the_region(fake):
    fake.says = f"{LOAD}\n```\n\n## Edit 3\n"
    result = engine(fake).apply(wish("`load` should give 3, I think", symbol="load"))
    assert result.text == FILE.replace("return 1", "return 3")


def test_each_region_is_a_question(fake):
    def says(body: dict) -> str:
        code = body["prompt"].rpartition("Before:\n```python\n")[2].partition("\n```")[0]
        return code.replace("return 1", "return 3").replace("return 2", "return 4")

    fake.says = says
    far = FILE.replace("\n\n\ndef save", f"\n{FILLER}\n\ndef save")
    result = engine(fake).apply(wish("`load` and `save` should give two more, I think", far))
    assert len(fake.asked) == 2
    assert result.text == far.replace("return 1\n", "return 3\n").replace("return 2\n", "return 4\n")


def test_a_failed_check_is_not_told_to_a_model_that_does_not_talk(fake):
    fake.says = "def load(:\n    return 3\n"
    result = engine(fake).apply(wish("`load` should give 3, I think", symbol="load"))
    assert result.status is Status.SUSPECT
    assert len(fake.asked) == 1


def test_an_answer_that_never_ends_is_an_error(fake):
    fake.says, fake.finish = LOAD, "length"
    with pytest.raises(UnreadableAnswer, match="cut off"):
        engine(fake).apply(wish("`load` should give 3, I think", symbol="load"))


def test_a_long_file_without_a_place_is_refused_without_a_question(fake):
    with pytest.raises(AnchorNotFound, match="name a definition"):
        engine(fake).apply(wish("be quicker, please", FILE + FILLER * 10))
    assert not fake.asked


def test_fields_that_such_a_server_refuses_are_left_out(fake):
    fake.says, fake.refused = LOAD, ("stream_options", "stop")
    result = engine(fake).apply(wish("`load` should give 3, I think", symbol="load"))
    assert result.text == FILE.replace("return 1", "return 3")


def test_a_talk_is_written_as_text(fake):
    assert text(ask(f"completions:{fake.url}")) == "hello, world"
    assert fake.bodies[0]["prompt"] == "system: be brief\n\nuser: hello\n\nassistant:"


def test_a_chat_with_a_model_that_has_no_template_says_how_it_is_asked(fake):
    fake.always = refuses(400, "you must provide a chat template if the tokenizer does not define one.")
    with pytest.raises(ModelUnavailable, match=f"write completions:{fake.root}/v1#m"):
        Engine.load(fake.url).apply(wish("`load` should give 3, I think"))
