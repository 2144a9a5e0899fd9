"""vLLM with its two drafters that need no second model."""

from __future__ import annotations

from typing import Any

from evals.peers.base import Bench, Peer
from evals.ways import Decode
from fastedit.prompt.base import Prompt

_NGRAM = {"method": "ngram", "num_speculative_tokens": 10, "prompt_lookup_max": 5, "prompt_lookup_min": 2}
_SUFFIX = {"method": "suffix", "num_speculative_tokens": 32}


def _peer(name: str, speculation: dict[str, Any] | None) -> Peer:
    def decoder(bench: Bench) -> Decode:
        from vllm import LLM, SamplingParams
        from vllm.inputs import TokensPrompt

        model = LLM(str(bench.standard_folder()), skip_tokenizer_init=True, speculative_config=speculation)

        def run(prompt: Prompt) -> list[int]:
            wish = SamplingParams(
                temperature=0.0,
                max_tokens=prompt.answer_limit,
                stop_token_ids=sorted(prompt.stop),
                detokenize=False,
            )
            [answer] = model.generate(TokensPrompt(prompt_token_ids=list(prompt.ids)), wish, use_tqdm=False)
            return [token for token in answer.outputs[0].token_ids if token not in prompt.stop]

        return run

    return Peer(name, "vllm", decoder, needs_gpu=True)


PEERS = (_peer("vLLM", None), _peer("vLLM, n-gram", _NGRAM), _peer("vLLM, suffix", _SUFFIX))
