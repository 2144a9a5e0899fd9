"""SGLang, plain and with its n-gram drafter."""

from __future__ import annotations

from typing import Any

from evals.peers.base import Bench, Peer
from evals.ways import Decode
from fastedit.prompt.base import Prompt


def _peer(name: str, options: dict[str, Any]) -> Peer:
    def decoder(bench: Bench) -> Decode:
        import sglang

        engine = sglang.Engine(model_path=str(bench.standard_folder()), skip_tokenizer_init=True, **options)

        def run(prompt: Prompt) -> list[int]:
            wish = {
                "temperature": 0.0,
                "max_new_tokens": prompt.answer_limit,
                "stop_token_ids": sorted(prompt.stop),
            }
            answer = engine.generate(input_ids=list(prompt.ids), sampling_params=wish)
            return [token for token in answer["output_ids"] if token not in prompt.stop]

        return run

    return Peer(name, "sglang", decoder, needs_gpu=True)


PEERS = (_peer("SGLang", {}), _peer("SGLang, n-gram", {"speculative_algorithm": "NGRAM"}))
