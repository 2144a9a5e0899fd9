"""The three APIs: one question and one answer, however a server writes them."""

from __future__ import annotations

import openai
import pytest

from fastedit import Sampling
from fastedit.connect import Piece, Question, connect
from fastedit.errors import UsageError
from fastedit.result import Receipt
from tests.connect.fake import Handler, chunk, says, sends

MESSAGES = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
APIS = ("openai", "responses", "anthropic")


def ask(name: str, receipt: Receipt | None = None, sampling: Sampling | None = None, **wish) -> list[Piece]:
    limit = wish.pop("time_limit", None)
    question = Question(MESSAGES, sampling or Sampling(), **wish)
    return list(connect(name).chat(question, receipt or Receipt(), time_limit=limit))


def text(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


@pytest.fixture(params=APIS)
def name(request, fake) -> str:
    return f"{request.param}:{fake.url}"


def test_an_answer_comes_piece_by_piece_with_its_finish_and_its_cost(name, fake):
    receipt = Receipt()
    pieces = ask(name, receipt)
    assert text(pieces) == "hello, world"
    assert [piece.finish for piece in pieces if piece.finish] == ["stop"]
    assert (receipt.prompt_tokens, receipt.output_tokens) == (30, 9)


def test_an_answer_cut_off_at_its_limit_says_so(name, fake):
    fake.finish = "length"
    assert [piece.finish for piece in ask(name, max_tokens=20) if piece.finish] == ["length"]
    limits = ("max_tokens", "max_output_tokens")
    assert [fake.bodies[0][limit] for limit in limits if limit in fake.bodies[0]] == [20]


@pytest.mark.parametrize("finish", ["eos_token", "stop_sequence", "eos", "STOP"])
def test_a_whole_answer_ends_with_stop_whatever_the_server_calls_it(fake, finish):
    fake.finish = finish
    assert [piece.finish for piece in ask(fake.url) if piece.finish] == ["stop"]


def test_characters_that_end_lines_elsewhere_come_through(name, fake):
    fake.says = "a\u2028b\x85c\x0b\x1c é 漢\r\n"
    assert text(ask(name)) == fake.says


def test_each_api_is_asked_where_and_how_it_wants(fake):
    for api in APIS:
        ask(f"{api}:{fake.url}")
    chat, responses, messages = fake.asked
    assert chat.path == "/v1/chat/completions"
    assert chat.body["messages"] == MESSAGES
    assert responses.path == "/v1/responses"
    assert (responses.body["input"], responses.body["store"]) == (MESSAGES, False)
    assert messages.path == "/v1/messages"
    assert (messages.body["system"], messages.body["messages"]) == ("be brief", MESSAGES[1:])
    assert messages.headers["anthropic-version"]
    assert {body["model"] for body in fake.bodies} == {"m"}


def test_sampling_and_a_prediction_are_passed_on_where_the_api_has_them(fake):
    ask(fake.url, sampling=Sampling(0.5, 0.9, seed=7), prediction="hello")
    body = fake.bodies[0]
    assert (body["temperature"], body["top_p"], body["seed"]) == (0.5, 0.9, 7)
    assert body["prediction"] == {"type": "content", "content": "hello"}


def test_accepted_tokens_of_a_prediction_are_counted(fake):
    receipt = Receipt()
    ask(fake.url, receipt)
    assert (receipt.accepted, receipt.drafted, receipt.generated_tokens) == (
        {"original": 5},
        {"original": 7},
        4,
    )


def test_a_server_that_does_not_stream_is_read_all_the_same(fake):
    message = {"role": "assistant", "content": "at once"}
    fake.always = says({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert text(ask(fake.url)) == "at once"


def test_a_model_that_no_name_says_is_asked_for(fake):
    ask(fake.root)
    assert fake.bodies[0]["model"] == "big-model"


def test_no_api_takes_top_k(fake):
    with pytest.raises(UsageError, match="top_k"):
        ask(fake.url, sampling=Sampling(temperature=1.0, top_k=5))


def test_the_official_client_reads_the_fake_server_alike(fake):
    with openai.OpenAI(base_url=f"{fake.root}/v1", api_key="any", max_retries=0) as client:
        chunks = client.chat.completions.create(model="m", messages=MESSAGES, stream=True)
        said = [choice.delta.content for chunk in chunks for choice in chunk.choices]
        assert "".join(map(str, said)) == fake.says
        events = client.responses.create(model="m", input="hello", stream=True)
        assert "".join(event.delta for event in events if event.type.endswith("text.delta")) == fake.says


def test_an_event_without_data_says_nothing(fake):
    def answer(handler: Handler) -> None:
        handler.head()
        handler.wfile.write(b"retry: 3000\n\nid: 1\n\n")
        handler.send(chunk("x", "stop"))

    fake.always = answer
    assert text(ask(fake.url)) == "x"


def test_a_delta_may_be_null(fake):
    last = {"choices": [{"delta": None, "finish_reason": "stop"}]}
    fake.always = sends(chunk("x"), last)
    assert text(ask(fake.url)) == "x"
