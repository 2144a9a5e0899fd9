"""Operations as a tool call in the three APIs, and in words where a server takes no tools."""

from __future__ import annotations

import json
from pathlib import Path

import openai
import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.connect import Tool
from fastedit.errors import ModelUnavailable, UnreadableAnswer
from tests.connect.fake import chunk, refuses, says, sends
from tests.connect.test_apis import APIS, ask, text

TEXT = "class Store:\n    pass\n\n\nstore = Store()\n"
RENAME = '{"operations": [{"op": "rename", "target": "Store", "new": "Shop"}]}'
RENAMED = TEXT.replace("Store", "Shop")
TOOL = Tool("apply_operations", "Edit.", {"type": "object", "properties": {}})
BLOCK = "<<<<<<< SEARCH\nclass Store:\n    pass\n=======\nclass Store:\n    x = 1\n>>>>>>> REPLACE\n"


@pytest.fixture(params=APIS)
def name(request, fake) -> str:
    return f"{request.param}:{fake.url}"


def wish(**more) -> EditRequest:
    document = Document.from_text(TEXT, Path("store.py"))
    return EditRequest(document, "the class should be called Shop", plan="operations", **more)


def schema_in(body: dict) -> dict:
    """The tool's schema, wherever the API has it."""
    (tool,) = body["tools"]
    tool = tool.get("function", tool)
    assert tool["name"] == "apply_operations"
    return tool.get("parameters") or tool["input_schema"]


def test_operations_that_a_model_calls_are_carried_out(name, fake):
    fake.calls, fake.says = True, RENAME
    result = Engine.load(name).apply(wish())
    assert (result.status, result.text) == (Status.OK, RENAMED)
    (body,) = fake.bodies
    known = schema_in(body)["properties"]["operations"]["items"]["properties"]["op"]["enum"]
    assert "rename" in known
    assert "set-key" not in known  # of data, not of Python


def test_the_arguments_come_piece_by_piece_behind_what_was_said(name, fake):
    fake.calls, fake.says = True, RENAME
    pieces = ask(name, tools=[TOOL])
    assert text(pieces) == f"I call.\n{RENAME}"
    assert len(pieces) > 5
    assert [piece.finish for piece in pieces if piece.finish] in (["stop"], ["tool_calls"])


def test_a_server_without_tools_is_asked_in_words_and_remembered(name, fake):
    fake.refused, fake.says = ("tools",), RENAME
    assert Engine.load(name).apply(wish()).text == RENAMED
    assert Engine.load(name).apply(wish()).text == RENAMED
    assert ["tools" in body for body in fake.bodies] == [True, False, False]
    asked = json.dumps(fake.bodies[-1])
    assert "- rename(" in asked


def test_without_a_plan_operations_are_asked_for_where_they_cost_least_and_only_of_servers_with_tools(
    name, fake
):
    more = "".join(f"\n\ndef step_{n}(value):\n    return value + {n}\n" for n in range(20))
    document = Document.from_text(TEXT + more, Path("store.py"))
    wanted = EditRequest(document, "`step_7` -> `first_step`, pls")
    fake.refused, fake.says = (
        ("tools",),
        '{"operations": [{"op": "rename", "target": "step_7", "new": "first_step"}]}',
    )
    first = Engine.load(name).apply(wanted)
    assert first.text == document.text.replace("step_7", "first_step")
    assert (first.receipt.plan, first.receipt.other_plan) == ("operations", "sketch")
    fake.says = "<<<<<<< SEARCH\ndef step_7(value):\n=======\ndef first_step(value):\n>>>>>>> REPLACE\n"
    second = Engine.load(name).apply(wanted)
    assert (second.text, second.receipt.plan) == (first.text, "sketch")


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(400, "m does not support tools"),
        refuses(
            400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
        ),
        refuses(404, "No endpoints found that support tool use"),
        refuses(422, "function calling is not available for this model"),
        refuses(500, "tools param requires --jinja flag", "server_error"),
        refuses(500, "Unsupported param: tools", "server_error"),
    ],
)
def test_a_refusal_of_tools_is_known_in_its_many_words(fake, refusal):
    fake.faults, fake.says = [refusal], RENAME
    assert Engine.load(fake.url).apply(wish()).text == RENAMED
    assert ["tools" in body for body in fake.bodies] == [True, False]
    assert "stream_options" in fake.bodies[1]


def test_a_wrong_model_is_not_asked_again_for_its_tools(fake):
    fake.always = refuses(404, "The model m does not exist")
    with pytest.raises(ModelUnavailable, match="404"):
        Engine.load(fake.url).apply(wish())
    assert len(fake.asked) == 1


def test_a_model_may_answer_with_blocks_though_it_has_the_tool(name, fake):
    fake.says = BLOCK
    assert Engine.load(name).apply(wish()).text == TEXT.replace("pass", "x = 1")


def test_several_calls_are_one_edit(fake):
    def call(index: int, arguments: str) -> dict:
        calls = [
            {
                "index": index,
                "id": f"c{index}",
                "function": {"name": "apply_operations", "arguments": arguments},
            }
        ]
        return {"choices": [{"index": 0, "delta": {"tool_calls": calls}}]}

    more = '{"operations": [{"op": "rename", "target": "store", "new": "shop"}]}'
    fake.always = sends(call(0, RENAME), call(1, more), chunk("", "tool_calls"), "[DONE]")
    result = Engine.load(fake.url).apply(wish())
    assert result.text == RENAMED.replace("store", "shop")


def test_a_call_from_a_server_that_does_not_stream_is_read(fake):
    call = {"id": "c", "type": "function", "function": {"name": "apply_operations", "arguments": RENAME}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    fake.always = says({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    assert Engine.load(fake.url).apply(wish()).text == RENAMED


def test_arguments_that_are_no_operations_are_an_error_of_the_models(name, fake):
    fake.calls, fake.says = True, '{"operations": [{"op": "explode"}]}'
    with pytest.raises(UnreadableAnswer, match="no such operation"):
        Engine.load(name).apply(wish())
    assert len(fake.asked) == 2


def test_other_ways_offer_no_tools(fake):
    fake.says = BLOCK
    Engine.load(fake.url).apply(EditRequest(wish().document, "give it an x", plan="sketch"))
    assert "tools" not in fake.bodies[0]


def test_the_official_client_reads_the_fake_calls_alike(fake):
    fake.calls, fake.says = True, RENAME
    tool = {"type": "function", "function": {"name": "apply_operations", "parameters": {"type": "object"}}}
    with openai.OpenAI(base_url=f"{fake.root}/v1", api_key="any", max_retries=0) as client:
        chunks = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "x"}], tools=[tool], stream=True
        )
        calls = [
            call.function.arguments
            for chunk in chunks
            for choice in chunk.choices
            for call in choice.delta.tool_calls or ()
        ]
    assert "".join(calls) == RENAME
