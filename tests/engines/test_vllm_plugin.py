"""fastedit's drafts in vLLM, asked as its runner asks: by rows of token ids that change places and name no request."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import fastedit_vllm
import numpy as np
import pytest
from fastedit_vllm import Proposer
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from fastedit.train.embedded.tokenizer import train_tokenizer
from tests.engines.test_settings import table

TABLE = table("vllm")
CALL = TABLE["propose"]
LENGTH = 2048
ORIGINAL = "".join(f"def function_{i}(value):\n    return value + {i}\n\n\n" for i in range(12))
UPDATE = "def function_5(value, *, log):\n    log(value)\n    return value + 55\n"
NEW = ORIGINAL.replace("def function_5(value):\n    return value + 5\n", UPDATE)
PROMPT = f"Edit this file:\n```python\n{ORIGINAL}```\nby this update:\n```python\n{UPDATE}```\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("model")
    lines = inspect.getsource(inspect).splitlines() + ["```python", "```"] * 50
    PreTrainedTokenizerFast(tokenizer_object=train_tokenizer(lines, 600)).save_pretrained(folder)
    return str(folder)


def config(folder: str, most: int = 24, longest: int = LENGTH, skip_tokenizer: bool = False) -> Any:
    """What a proposer reads of vLLM's configuration."""
    return SimpleNamespace(
        model_config=SimpleNamespace(
            max_model_len=longest,
            tokenizer=folder,
            tokenizer_revision=None,
            trust_remote_code=False,
            skip_tokenizer_init=skip_tokenizer,
        ),
        speculative_config=SimpleNamespace(num_speculative_tokens=most),
    )


class Batch:
    """Rows as the runner has them. A row's answer is known, so what is drafted is right up to the first difference."""

    def __init__(
        self, proposer: Proposer, prompts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]
    ):
        self.proposer, self.answers = proposer, [list(answer) for answer in answers]
        self.token_ids_cpu = np.zeros((len(prompts), LENGTH), dtype=np.int32)
        self.num_tokens_no_spec = np.array([len(prompt) for prompt in prompts], dtype=np.int32)
        self.done, self.drafts = [0] * len(prompts), [[] for _ in prompts]
        for row, prompt in enumerate(prompts):
            self.token_ids_cpu[row, : len(prompt)] = prompt

    def step(self, waiting: Sequence[int] = ()) -> list[list[int]]:
        """One pass; rows in `waiting` are not part of it."""
        sampled = [[] if row in waiting else self._verified(row) for row in range(len(self.answers))]
        self.drafts = self.proposer.propose(
            sampled, self.num_tokens_no_spec, self.token_ids_cpu, slot_mappings=None
        )
        return self.drafts

    def swap(self, one: int, other: int) -> None:
        places = [one, other], [other, one]
        for held in (self.token_ids_cpu, self.num_tokens_no_spec):
            held[places[0]] = held[places[1]]
        for rows in (self.answers, self.done, self.drafts):
            rows[one], rows[other] = rows[other], rows[one]

    def _verified(self, row: int) -> list[int]:
        right, count = self.answers[row][self.done[row] :], 0
        while count < min(len(self.drafts[row]), len(right) - 1) and self.drafts[row][count] == right[count]:
            count += 1
        tokens, length = right[: count + 1], self.num_tokens_no_spec[row]
        self.token_ids_cpu[row, length : length + len(tokens)] = tokens
        self.num_tokens_no_spec[row] += len(tokens)
        self.done[row] += len(tokens)
        return tokens


def test_the_runner_of_the_recorded_release_can_call_it():
    signature = inspect.signature(Proposer.propose)
    signature.bind(None, *CALL["positional"], **dict.fromkeys(CALL["keywords"]))
    names = [name.rsplit(".", 1)[-1] for name in CALL["positional"]]
    assert list(signature.parameters)[1:] == [*names, *CALL["keywords"]]


def test_vllms_own_objects_got_a_draft_where_a_row_repeats_its_prompt():
    assert TABLE["drafted"] == [[4, 5, 6, 7, 8, 9, 10, 11], []]


def test_an_edit_is_written_in_far_fewer_passes_than_tokens(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    prompt, answer = tokenizer.encode(PROMPT), tokenizer.encode(NEW)
    batch = Batch(Proposer(config(folder)), [prompt], [answer])
    passes = 0
    while batch.done[0] < len(answer):
        drafts = batch.step()
        assert all(isinstance(token, int) for token in drafts[0])
        assert len(drafts[0]) <= 24
        passes += 1
    assert len(answer) / passes > 6


def test_rows_that_change_places_or_wait_keep_their_drafts(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    answers = [tokenizer.encode(text) for text in (NEW, NEW.replace("value", "number"))]
    prompts = [tokenizer.encode(text) for text in (PROMPT, PROMPT.replace("value", "number"))]

    def passes(disturbed: bool) -> int:
        batch, count = Batch(Proposer(config(folder)), prompts, answers), 0
        while min(len(a) - d for a, d in zip(batch.answers, batch.done, strict=True)) > 30:
            batch.step()
            if disturbed:
                batch.swap(0, 1)
                batch.drafts[1] = batch.step(waiting=[1])[1] or batch.drafts[1]
            count += 1
        assert len(batch.proposer._answers) == 2
        return count

    assert passes(disturbed=True) <= passes(disturbed=False) + 1


def test_without_a_tokenizer_the_whole_prompt_is_the_original(tmp_path):
    prompt = [*range(40)] * 3
    batch = Batch(Proposer(config(str(tmp_path), skip_tokenizer=True)), [prompt], [prompt[:40]])
    assert batch.step() == [prompt[1:25]]


def test_a_prompt_that_is_still_read_gets_no_draft_and_none_leads_beyond_the_context(folder):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    prompt, answer = tokenizer.encode(PROMPT), tokenizer.encode(NEW)
    batch = Batch(Proposer(config(folder, longest=len(prompt) + 12)), [prompt], [answer])
    assert batch.step(waiting=[0]) == [[]]
    while batch.done[0] < 11:
        drafted = batch.step()[0]
        assert not drafted or batch.done[0] + len(drafted) < 12


def test_a_request_that_does_not_come_again_is_forgotten(folder, monkeypatch):
    monkeypatch.setattr(fastedit_vllm, "IDLE", 4)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    batch = Batch(Proposer(config(folder)), [tokenizer.encode(PROMPT)], [tokenizer.encode(NEW)])
    batch.step()
    for _ in range(5):
        batch.step(waiting=[0])
    assert not batch.proposer._answers
    assert batch.step()[0] is not None
