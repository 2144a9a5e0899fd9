"""fastedit's drafter in vLLM: the code in the prompt, the update and the answer so far draft what comes next.

vLLM 0.33.0 makes one proposer for all requests (`vllm/v1/spec_decode/custom_class_proposer.py`) and asks it after every
step for a chain of tokens for each row of its batch. It names no request: rows change places, and a row is known again
by its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fastedit.draft import Drafter, drafters_for
from fastedit.prompt.base import Prompt

LEAST = 0.25  # chance of being right below which a token is not proposed
IDLE = 256  # steps after which a request that did not come again is forgotten
FENCE = "```"

Ids = NDArray[np.integer[Any]]
Fences = Callable[[Sequence[int]], Sequence[bool]]


class Answer:
    """One request: its tokens so far, and its drafters."""

    def __init__(self, prompt: Sequence[int], fences: Fences) -> None:
        self.tokens = np.array(prompt)
        self.asked = 0  # the step in which it was last asked
        self._drafters = _drafters(prompt, fences(prompt))

    def goes_on_as(self, tokens: Ids, new: int) -> bool:
        """Whether these are its tokens and `new` further ones."""
        return len(tokens) == len(self.tokens) + new and bool(
            (tokens[: len(tokens) - new] == self.tokens).all()
        )

    def observe(self, tokens: Ids, new: int) -> None:
        self.tokens = tokens.copy()
        for drafter in self._drafters:
            drafter.observe(tokens[len(tokens) - new :].tolist())

    def chain(self, limit: int) -> list[int]:
        """The branch that promises most, as far as its tokens are likely."""
        best: list[int] = []
        most = 0.0
        for drafter in self._drafters if limit > 0 else ():
            for branch in drafter.propose(limit):
                survival = np.asarray(branch.survival)
                likely = int((survival >= LEAST).sum())
                hoped = float(survival[:likely].sum())
                if hoped > most:
                    best, most = list(branch.tokens[:likely]), hoped
        return [int(token) for token in best]


class Proposer:
    """What `--speculative-config '{"model": "fastedit_vllm.Proposer", ...}'` names."""

    def __init__(self, vllm_config: Any) -> None:
        model, speculative = vllm_config.model_config, vllm_config.speculative_config
        self._most: int = speculative.num_speculative_tokens
        self._longest: int = model.max_model_len
        self._fences = _fences_of(model)
        self._answers: list[Answer] = []
        self._step = 0

    def load_model(self, *args: Any, **kwargs: Any) -> None:
        """There is none."""

    def propose(
        self,
        sampled_token_ids: list[list[int]],
        num_tokens_no_spec: Ids,
        token_ids_cpu: Ids,
        slot_mappings: Any = None,
    ) -> list[list[int]]:
        """A chain for each row, empty where nothing is likely. Row i has the tokens `token_ids_cpu[i,
        :num_tokens_no_spec[i]]`, the last of which are `sampled_token_ids[i]`; none where its prompt is still read."""
        self._step += 1
        drafts = []
        for row, sampled in enumerate(sampled_token_ids):
            tokens = token_ids_cpu[row, : int(num_tokens_no_spec[row])]
            drafts.append(self._drafted(tokens, len(sampled)) if sampled else [])
        self._answers = [answer for answer in self._answers if self._step - answer.asked < IDLE]
        return drafts

    def _drafted(self, tokens: Ids, new: int) -> list[int]:
        room = min(self._most, self._longest - len(tokens) - 1)
        answer = self._answer(tokens, new)
        answer.asked = self._step
        answer.observe(tokens, new)
        return answer.chain(room)

    def _answer(self, tokens: Ids, new: int) -> Answer:
        """That of a row that was not asked in this step yet."""
        for answer in self._answers:
            if answer.asked != self._step and answer.goes_on_as(tokens, new):
                return answer
        made = Answer(tokens[: len(tokens) - new].tolist(), self._fences)
        self._answers.append(made)
        return made


def _drafters(prompt: Sequence[int], fences: Sequence[bool]) -> tuple[Drafter, ...]:
    """The longest fenced block is the original, what else is fenced the update; without fences all is the original."""
    blocks = _blocks(prompt, fences) or [list(prompt)]
    longest = max(blocks, key=len)
    update = [token for block in blocks if block is not longest for token in block]
    return drafters_for(Prompt(tuple(prompt), tuple(longest), tuple(update), None, frozenset(), 0))


def _blocks(prompt: Sequence[int], fences: Sequence[bool]) -> list[list[int]]:
    """The tokens between every second fence and the next."""
    places = [place for place, fence in enumerate(fences) if fence]
    spans = zip(places[::2], places[1::2], strict=False)
    return [list(prompt[begin + 1 : end]) for begin, end in spans if end > begin + 1]


def _fences_of(model: Any) -> Fences:
    """Which tokens have a code fence in them, by the model's tokenizer; none where vLLM is to load no tokenizer."""
    if model.skip_tokenizer_init:
        return lambda ids: [False] * len(ids)

    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(
        model.tokenizer, revision=model.tokenizer_revision, trust_remote_code=model.trust_remote_code
    )

    def fences(ids: Sequence[int]) -> list[bool]:
        return [token is not None and FENCE in token for token in tokenizer.convert_ids_to_tokens(list(ids))]

    return fences
