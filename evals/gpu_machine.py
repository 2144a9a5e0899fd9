"""The GPU that a figure was measured on, and its two ceilings."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import torch
import transformers

RESULTS = Path(__file__).parent / "results" / "gpu"  # where figures of GPUs are kept


class Work(NamedTuple):
    """What must be read or written once, and what must be computed, in bytes and operations."""

    bytes: int
    operations: int


@dataclass(frozen=True, slots=True)
class Gpu:
    """Versions, and what this very card reaches: bytes read plus written of a large copy, and bf16 products of random
    numbers."""

    name: str
    driver: str
    torch: str
    cuda: str
    triton: str
    transformers: str
    copy_bytes_per_s: float
    matrix_flop_per_s: float

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


def floor_of(work: Work, card: Gpu) -> tuple[float, str]:
    """Milliseconds, and which of the two ceilings they are due to."""
    # The copy rate counts bytes read and bytes written.
    by_bytes = 1000 * work.bytes / card.copy_bytes_per_s
    by_operations = 1000 * work.operations / card.matrix_flop_per_s
    return (by_bytes, "bytes") if by_bytes > by_operations else (by_operations, "operations")


def lacking() -> str | None:
    """What a measurement needs and this machine does not have; None where it can begin."""
    if not torch.cuda.is_available():
        return (
            "no CUDA GPU is at hand: run it on a machine with one (torch 2.11, triton 3.6, transformers 5.17)"
        )
    if importlib.util.find_spec("triton") is None:
        return "Triton is not installed: pip install 'fastedit-engine[gpu]'"
    return None


def gpu() -> Gpu:
    import triton

    driver = subprocess.run(
        ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split("\n")[0]
    return Gpu(
        torch.cuda.get_device_name(), driver, torch.__version__, str(torch.version.cuda), triton.__version__,
        transformers.__version__, _copy_rate(), _matrix_rate(),
    )  # fmt: skip


def median_ms(run: Callable[[], object], *, warm_ms: int = 25, rep_ms: int = 100) -> float:
    """Median milliseconds by device events, the L2 cache cleared between runs."""
    import triton.testing

    return float(triton.testing.do_bench(run, warmup=warm_ms, rep=rep_ms, return_mode="median"))


def graph_ms(run: Callable[[], object]) -> float:
    """Median milliseconds of many calls inside a CUDA graph, so that the host's launches do not count."""
    import triton.testing

    return float(triton.testing.do_bench_cudagraph(run, return_mode="median"))


def _copy_rate() -> float:
    source = torch.randn(1 << 30, device="cuda")
    target = torch.empty_like(source)
    return 2 * source.nbytes / (median_ms(lambda: target.copy_(source)) / 1000)


def _matrix_rate() -> float:
    a, b = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    return 2 * 8192**3 / (median_ms(lambda: a @ b) / 1000)
