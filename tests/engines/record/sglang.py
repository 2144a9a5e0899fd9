"""SGLang: its argument parser with all that it derives from it, and its EAGLE-3 class."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from tests.engines.record.documented import arguments, commands
from tests.engines.record.head import Example, loaded, poison


class _Positions(torch.nn.Module):
    """In place of SGLang's, which wants kernels of a GPU; there are no parameters in it."""

    def __init__(self, *sizes: Any, base: float, rope_scaling: Any = None, **options: Any) -> None:
        super().__init__()
        self.base, self.scaling = base, rope_scaling


def record(target: Path, examples: list[Example], parallel: Path) -> dict[str, Any]:
    head = examples[0].folder
    settings = {
        command: _settings(_arguments(arguments(command, target, head, parallel)))
        for command in commands("sglang")
    }
    known = [example for example in examples if not example.shape.query_norms]  # of which its heads have none
    return {"settings": settings, "heads": [_head(target, example) for example in known]}


def _arguments(words: list[str]) -> Any:
    """What the server would start with, on a CPU."""
    from sglang.srt.server_args import prepare_server_args

    made = prepare_server_args([*words, "--device", "cpu", "--skip-tokenizer-init"])
    made.resolve_once()
    return made


def _settings(made: Any) -> dict[str, Any]:
    values = made.resolved_dict()
    return {
        "algorithm": values["speculative_algorithm"],
        "tokens": values["speculative_num_draft_tokens"],
        "steps": values["speculative_num_steps"],
        "topk": values["speculative_eagle_topk"],
        "breadth": values["speculative_ngram_max_bfs_breadth"],
    }


def _head(target: Path, example: Example) -> dict[str, Any]:
    from sglang.srt.configs.model_config import ModelConfig
    from sglang.srt.distributed import parallel_state
    from sglang.srt.model_loader.utils import get_model_architecture
    from sglang.srt.runtime_context import SpawnRanks, publish

    made = _arguments(
        f"--model-path {target} --speculative-algorithm EAGLE3 --speculative-draft-model-path {example.folder} "
        "--speculative-num-steps 3 --speculative-eagle-topk 1 --speculative-num-draft-tokens 4".split()
    )
    publish(made, role="scheduler", ranks=SpawnRanks(0))
    with tempfile.TemporaryDirectory() as folder:
        if not parallel_state.model_parallel_is_initialized():
            parallel_state.init_distributed_environment(1, 0, f"file://{folder}/store", 0, "gloo")
            parallel_state.initialize_model_parallel("gloo")
    config = ModelConfig.from_server_args(made, model_path=str(example.folder), is_draft_model=True)
    with mock.patch("sglang.srt.models.llama.get_rope", _Positions):
        model = get_model_architecture(config)[0](config.hf_config)
    parameters = list(model.named_parameters())
    poison(parameters)
    model.load_weights(iter(example.tensors()))
    hot = model.get_hot_token_id()  # of each id of the draft vocabulary, the target's
    mapping = [] if hot is None else [("hot_token_id", hot - torch.arange(len(hot)))]
    given = config.hf_config.eagle_config["eagle_aux_hidden_state_layer_ids"]
    return loaded(example, [*parameters, *mapping]) | {
        "class": type(model).__name__,
        "layers": [layer + 1 for layer in given],  # as its target models do, which count a layer's output
        "theta": model.model.layers[0].self_attn.rotary_emb.base,
        "norm_output": model.model.norm_output,
    }
