"""vLLM: its argument parser, its EAGLE-3 class and its custom proposers."""

from __future__ import annotations

import ast
import inspect
import json
import tempfile
from pathlib import Path
from typing import Any

import torch

from tests.engines.record.documented import arguments, commands
from tests.engines.record.head import CONTEXT, VOCAB, Example, loaded, poison

ROWS, PROMPT = 2, [*range(40)] * 3


def record(target: Path, examples: list[Example], parallel: Path) -> dict[str, Any]:
    head = examples[0].folder
    settings = {
        command: _settings(_config(arguments(command, target, head, parallel)))
        for command in commands("vllm")
    }
    return {
        "settings": settings,
        "heads": [_head(target, example) for example in examples],
        "propose": _call(),
        "drafted": _drafted(target),
    }


def _config(words: list[str]) -> Any:
    """What `vllm serve` would start with."""
    from vllm.engine.arg_utils import EngineArgs
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = EngineArgs.add_cli_args(FlexibleArgumentParser())
    model, *options = words
    parsed = parser.parse_args(["--model", model, "--skip-tokenizer-init", *options])
    return EngineArgs.from_cli_args(parsed).create_engine_config()


def _settings(config: Any) -> dict[str, Any]:
    made = config.speculative_config
    return {
        "method": made.method,
        "tokens": made.num_speculative_tokens,
        "parallel": made.parallel_drafting,
        "class": made.draft_model_config.architectures[0] if made.method == "eagle3" else None,
    }


def _head(target: Path, example: Example) -> dict[str, Any]:
    from vllm.config import set_current_vllm_config
    from vllm.distributed import (
        init_distributed_environment,
        initialize_model_parallel,
        model_parallel_is_initialized,
    )
    from vllm.model_executor.model_loader.utils import initialize_model

    speculation = {"method": "eagle3", "model": str(example.folder), "num_speculative_tokens": 3}
    config = _config([str(target), "--speculative-config", json.dumps(speculation)])
    with set_current_vllm_config(config), tempfile.TemporaryDirectory() as folder:
        if not model_parallel_is_initialized():
            init_distributed_environment(1, 0, f"file://{folder}/store", 0, "gloo")
            initialize_model_parallel(1, 1)
        model = initialize_model(config, model_config=config.speculative_config.draft_model_config)
    parameters = list(model.named_parameters())
    poison(parameters)
    model.load_weights(iter(example.tensors()))
    read = config.speculative_config.draft_model_config.hf_config
    return loaded(example, parameters) | {
        "class": type(model).__name__,
        "layers": list(read.eagle_aux_hidden_state_layer_ids),
        "theta": model.model.layers[0].self_attn.rotary_emb.base,
        "norm_output": model.model.norm_output,
    }


def _call() -> dict[str, list[str]]:
    """The arguments with which the runner asks a custom proposer."""
    from vllm.v1.worker import gpu_model_runner

    branch = next(
        node.body
        for node in ast.walk(ast.parse(inspect.getsource(gpu_model_runner)))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "spec_config.method == 'custom_class'"
    )
    calls = (node for part in branch for node in ast.walk(part) if isinstance(node, ast.Call))
    call = next(node for node in calls if node.args and node.keywords)
    return {
        "positional": [ast.unparse(argument) for argument in call.args],
        "keywords": [str(keyword.arg) for keyword in call.keywords],
    }


def _drafted(target: Path) -> list[list[int]]:
    """What our proposer, made by vLLM, drafts for vLLM's own batch: a row that repeats its prompt, one that waits."""
    from vllm import SamplingParams
    from vllm.v1.spec_decode.custom_class_proposer import create_custom_proposer
    from vllm.v1.worker.gpu_input_batch import CachedRequestState, InputBatch

    speculation = {"model": "fastedit_vllm.Proposer", "num_speculative_tokens": 8}
    proposer = create_custom_proposer(_config([str(target), "--speculative-config", json.dumps(speculation)]))
    proposer.load_model()
    batch = InputBatch(ROWS, CONTEXT, CONTEXT, torch.device("cpu"), VOCAB, [16], [CONTEXT // 16])
    sampled = [PROMPT[:4], []]
    for row, tokens in enumerate(sampled):
        state = CachedRequestState(
            req_id=str(row),
            prompt_token_ids=PROMPT,
            mm_features=[],
            sampling_params=SamplingParams(temperature=0.0),
            generator=None,
            block_ids=([row],),
            num_computed_tokens=0,
            output_token_ids=list(tokens),
        )
        batch.add_request(state)
    drafted: list[list[int]] = proposer.propose(
        sampled, batch.num_tokens_no_spec, batch.token_ids_cpu, slot_mappings=None
    )
    return drafted
