"""What clients of other services send, sent with their own SDK where there is one."""

from __future__ import annotations

import openai
import pytest

from fastedit.engine import HunkReady, Resulted
from fastedit.result import EditResult, Receipt, Status
from fastedit.serve.bodies.errors import ApiError
from fastedit.serve.jobs.merged import Merged
from fastedit.serve.settings import ServerSettings
from fastedit.serve.surfaces.apply_message import parse_apply_message
from fastedit.serve.surfaces.chat import ChatAnswer
from fastedit.serve.surfaces.chat_schemas import ChatIn, ChatMessage
from fastedit.serve.surfaces.code_apply import ApplyIn
from fastedit.source.document import Document
from fastedit.source.hunks import Hunk, apply_hunks
from tests.serve.conftest import MERGED, SKETCH, SOURCE, serving
from tests.serve.test_native import error

MESSAGE = f"<instruction>I drop the version</instruction>\n<code>{SOURCE}</code>\n<update>{SKETCH}</update>"
WISH = {"role": "user", "content": "make it faster"}


@pytest.fixture
def sdk(server):
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="any", max_retries=0) as client:
        yield client


@pytest.fixture(scope="module")
def trusting(copier):
    """A server that delivers suspect results: an untrained model follows no instruction."""
    with serving(copier, suspect="deliver") as running:
        yield running


def chat(sdk: openai.OpenAI, text: str = MESSAGE, **fields):
    return sdk.chat.completions.create(
        model="morph-v3-fast", messages=[{"role": "user", "content": text}], **fields
    )


@pytest.mark.parametrize("spelling", [("initial_code", "edit_snippet"), ("initialCode", "editSnippet")])
def test_a_snippet_is_merged_under_both_spellings(server, spelling):
    body = dict(zip(spelling, (SOURCE, SKETCH), strict=True)) | {"model": "auto", "stream": False}
    answer = server.http.post("/v1/code/apply", json=body).json()
    assert answer["mergedCode"] == MERGED
    assert answer["usage"]["total_tokens"] == (
        answer["usage"]["prompt_tokens"] + answer["usage"]["completion_tokens"]
    )


@pytest.mark.parametrize("field", ["stream", "colour", "edit_snippet"])
def test_what_the_snippet_surface_cannot_do_is_refused_by_name(server, field):
    body = {"initial_code": SOURCE, "edit_snippet": SKETCH} | {field: True}
    assert error(server.http.post("/v1/code/apply", json=body), 422)["param"] == field


def test_a_suspect_result_is_an_error_where_clients_write_what_they_get(server):
    vague = "def merge(base, extra):\n    # ...\n    if extra:\n        # ...\n        return base\n"
    body = {"initial_code": SOURCE, "edit_snippet": vague, "instruction": "rename load to read"}
    refused = error(server.http.post("/v1/code/apply", json=body), 422)
    assert refused["code"] == "suspect"
    assert refused["message"].startswith("the result is suspect: ")


def test_what_an_operation_leaves_as_it_is_is_an_error_where_clients_write_what_they_get(server, trusting):
    code = "class Store:\n    def load(self):\n        return 1\n\n\ndef main(s):\n    s.load()\n"
    rename = '[{"op": "rename", "target": "Store.load", "new": "read"}]'
    body = {"initial_code": code, "edit_snippet": rename}
    refused = error(server.http.post("/v1/code/apply", json=body), 422)
    assert refused["code"] == "suspect"
    assert "left as it is: line 7: " in refused["message"]
    text = f"<code>{code}</code>\n<update>{rename}</update>"
    body = {"model": "auto", "messages": [{"role": "user", "content": text}]}
    assert error(server.http.post("/v1/apply/chat/completions", json=body), 422)["code"] == "suspect"
    delivered = trusting.http.post("/v1/apply/chat/completions", json=body).json()
    assert "def read(self)" in delivered["choices"][0]["message"]["content"]


def test_a_part_of_a_message_that_is_no_text_is_named(server):
    parts = [{"type": "image_url", "image_url": {"url": "data:,"}}]
    body = {"model": "auto", "messages": [{"role": "user", "content": parts}]}
    refused = error(server.http.post("/v1/chat/completions", json=body), 422)
    assert refused["message"] == "messages.0.content.0.type: must be 'text'"


@pytest.mark.parametrize(
    ("fields", "param", "said"),
    [
        ({"stop": ["a"] * 5}, "stop", "has more than 4 items; send fewer"),
        ({"stop": 5}, "stop", "must be a valid string"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages.0.content", "must be a valid string"),
    ],
)
def test_a_field_that_is_a_text_or_a_list_is_named_as_it_was_sent(server, fields, param, said):
    body = {"model": "auto", "messages": [{"role": "user", "content": "hello"}]} | fields
    refused = error(server.http.post("/v1/chat/completions", json=body), 422)
    assert (refused["param"], refused["message"]) == (param, f"{param}: {said}")


def test_the_sdk_gets_the_whole_new_file(sdk):
    answer = chat(sdk)
    assert answer.choices[0].message.content == MERGED
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage.completion_tokens_details.accepted_prediction_tokens >= 0


def test_the_sdk_streams_the_same_file_with_its_usage(sdk):
    chunks = list(chat(sdk, stream=True, stream_options={"include_usage": True}))
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == MERGED
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage.total_tokens >= 0


def test_a_file_given_as_prediction_is_edited_and_its_tokens_are_counted(trusting):
    with openai.OpenAI(base_url=f"{trusting.url}/v1", api_key="any", max_retries=0) as sdk:
        answer = sdk.chat.completions.create(
            model="auto",
            messages=[WISH, {"role": "user", "content": SOURCE}],
            prediction={"type": "content", "content": [{"type": "text", "text": SOURCE}]},
        )
    assert answer.choices[0].message.content
    details = answer.usage.completion_tokens_details
    assert details.accepted_prediction_tokens + details.rejected_prediction_tokens >= 0
    assert answer.usage.prompt_tokens > 0


def test_the_example_of_openais_guide_to_predicted_outputs_is_an_edit(trusting):
    code = (
        'class User {\n  firstName: string = "";\n  lastName: string = "";\n  username: string = "";\n}\n\n'
        "export default User;"
    )
    wish = (
        '\nReplace the "username" property with an "email" property. Respond only\nwith code, and with no markdown '
        "formatting.\n"
    )
    with openai.OpenAI(base_url=f"{trusting.url}/v1", api_key="any", max_retries=0) as sdk:
        answer = sdk.chat.completions.create(
            model="auto",
            messages=[{"role": "user", "content": wish}, {"role": "user", "content": code}],
            store=True,
            prediction={"type": "content", "content": code},
        )
    assert answer.choices[0].message.content


def test_fields_that_change_no_edit_are_taken_and_an_answer_can_be_sent_back(sdk):
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    answer = chat(
        sdk,
        metadata={"task": "7"},
        stop=["merged", "\n"],
        tools=[tool],
        tool_choice="auto",
        parallel_tool_calls=True,
        user="me",
        store=False,
        service_tier="auto",
        prompt_cache_key="a",
        safety_identifier="b",
        reasoning_effort="low",
        verbosity="low",
        response_format={"type": "text"},
        logprobs=False,
        logit_bias={},
    )
    assert answer.choices[0].message.content == MERGED
    history = [answer.choices[0].message.model_dump(), {"role": "user", "content": MESSAGE}]
    again = sdk.chat.completions.create(model="auto", messages=history)
    assert again.choices[0].message.content == MERGED


def test_a_stream_of_a_suspect_result_is_an_error_before_its_first_piece(sdk):
    with pytest.raises(openai.UnprocessableEntityError, match="suspect"):
        sdk.chat.completions.create(
            model="auto",
            messages=[WISH],
            prediction={"type": "content", "content": SOURCE},
            stream=True,
        )


@pytest.mark.parametrize(
    ("fields", "kind", "said"),
    [
        ({"model": "gpt-9"}, openai.NotFoundError, "gpt-9"),
        ({"functions": []}, openai.UnprocessableEntityError, "functions is not supported"),
        ({"tool_choice": "required"}, openai.UnprocessableEntityError, "tool_choice"),
        ({"response_format": {"type": "json_object"}}, openai.UnprocessableEntityError, "response_format"),
        ({"logprobs": True}, openai.UnprocessableEntityError, "logprobs"),
        ({"n": 2}, openai.UnprocessableEntityError, "n"),
        ({"messages": []}, openai.UnprocessableEntityError, "messages"),
        ({"messages": [WISH]}, openai.BadRequestError, "only applies edits"),
        ({"stream_options": {"include_usage": True}}, openai.UnprocessableEntityError, "stream_options"),
    ],
)
def test_the_sdk_raises_the_matching_error(sdk, fields, kind, said):
    body = {"model": "auto", "messages": [{"role": "user", "content": MESSAGE}]} | fields
    with pytest.raises(kind, match=said):
        sdk.chat.completions.create(**body)


def test_the_sdk_tells_a_wrong_key_from_requests_that_come_too_often(copier):
    with serving(copier, keys=("k",), rate=0.001, burst=1) as running:
        url = f"{running.url}/v1"
        wrong = openai.OpenAI(base_url=url, api_key="wrong", max_retries=0)
        with wrong, pytest.raises(openai.AuthenticationError, match="key"):
            chat(wrong)
        with openai.OpenAI(base_url=url, api_key="k", max_retries=0) as sdk:
            assert chat(sdk).choices[0].message.content == MERGED
            with pytest.raises(openai.RateLimitError) as refused:
                chat(sdk)
        assert int(refused.value.response.headers["retry-after"]) >= 1


@pytest.mark.parametrize("way", ["whole", "chunks"])
def test_a_file_longer_than_the_tokens_allowed_is_refused_before_any_of_it_is_sent(way):
    body = ChatIn(model="auto", messages=[ChatMessage(role="user", content=MESSAGE)], max_tokens=3)
    answer = ChatAnswer("embedded", body, Merged(ServerSettings(), body.token_limit))
    result = EditResult(Document.from_text(SOURCE), (), Status.UNCHANGED, (), Receipt(output_tokens=9))
    with pytest.raises(ApiError, match="9 tokens, the request allows 3"):
        next(getattr(answer, way)(Resulted(result)))


@pytest.mark.parametrize("suspect", ["refuse", "deliver"])
def test_nothing_is_sent_of_an_edit_that_may_still_fail(suspect):
    document, hunk = Document.from_text(SOURCE), Hunk(0, 1, ("import os",))
    merged = Merged(ServerSettings(suspect=suspect))
    assert list(merged.push(HunkReady(hunk))) == []
    done = Resulted(EditResult(document, (hunk,), Status.OK, (), Receipt()))
    assert list(merged.push(done)) == [apply_hunks(document, (hunk,))]


def test_the_models_are_listed_and_each_is_accepted(sdk):
    names = [model.id for model in sdk.models.list()]
    assert names[0].startswith("copier")
    for name in names:
        assert sdk.chat.completions.create(model=name, messages=[{"role": "user", "content": MESSAGE}])


@pytest.mark.parametrize(
    "code", ["x = '</code>'\n", "<update>\n</update>\n<code>\n", "<instruction>a</instruction>\n"]
)
def test_a_file_may_hold_the_tags_of_the_message_format(code):
    message = parse_apply_message(
        f"<instruction>do</instruction>\n<code>{code}</code>\n<update>{code}</update>"
    )
    assert message == ("do", code, code)


def test_a_message_that_can_be_read_in_two_ways_is_refused():
    with pytest.raises(ApiError) as caught:
        parse_apply_message("<code>a</code>\n<update>b</code>\n<update>c</update>")
    assert caught.value.code == "ambiguous_message"


@pytest.mark.parametrize(
    "text", ["hello", "<code>a</code>", "so <code>a</code><update>b</update>", "<code>a</update>"]
)
def test_other_texts_are_no_edit(text):
    assert parse_apply_message(text) is None


def test_a_field_in_both_spellings_is_refused(server):
    body = {"initial_code": SOURCE, "edit_snippet": SKETCH, "initialCode": SOURCE}
    told = error(server.http.post("/v1/code/apply", json=body), 422)
    assert told["message"] == "initialCode is the same field as initial_code; send one of them"


def test_the_schema_has_both_spellings_of_a_field_and_takes_one_of_them():
    schema = ApplyIn.model_json_schema()
    assert {"initialCode", "editSnippet", "relaceMetadata"} <= schema["properties"].keys()
    assert schema["allOf"] == [
        {"oneOf": [{"required": ["initial_code"]}, {"required": ["initialCode"]}]},
        {"oneOf": [{"required": ["edit_snippet"]}, {"required": ["editSnippet"]}]},
    ]
