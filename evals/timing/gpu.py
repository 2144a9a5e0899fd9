"""The GPU that a figure was measured on, and its ceilings."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
import transformers

from evals.timing.ceilings import Ceilings
from fastedit.errors import UsageError, not_installed

RESULTS = Path(__file__).parent.parent / "results" / "gpu"  # where figures of GPUs are kept


@dataclass(frozen=True, slots=True)
class Gpu:
    """Versions, and what this very card reaches: bytes read plus written of a large copy, and products of random
    numbers in bf16 and, where it has them, in fp8."""

    name: str
    driver: str
    torch: str
    cuda: str
    triton: str
    transformers: str
    copy_bytes_per_s: float
    matrix_flop_per_s: float
    fp8_flop_per_s: float | None = None

    def ceilings(self, *, fp8: bool = False) -> Ceilings:
        """Bytes read plus written, and products in bf16, or in `fp8` where the card has those."""
        rate = self.fp8_flop_per_s if fp8 else None
        return Ceilings(self.copy_bytes_per_s, rate or self.matrix_flop_per_s)


def check_gpu() -> None:
    """Raises UsageError where this machine does not have what a measurement needs."""
    if not torch.cuda.is_available():
        raise UsageError(
            "no CUDA GPU is at hand: run it on a machine with one (torch 2.11, triton 3.6, transformers 5.17)"
        )
    if importlib.util.find_spec("triton") is None:
        raise UsageError(not_installed("Triton", "gpu"))


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
        transformers.__version__, _copy_rate(), _matrix_rate(), _fp8_rate(),
    )  # fmt: skip


def median_ms(run: Callable[[], object]) -> float:
    """Median milliseconds by device events, the L2 cache cleared between runs."""
    import triton.testing

    return float(triton.testing.do_bench(run, return_mode="median"))


def cold_ms(run: Callable[[], object]) -> float:
    """As `median_ms`, of one call inside a CUDA graph: of a short one the host's launches would count for more."""
    run()  # compiles and chooses
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return median_ms(graph.replay)


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


def _fp8_rate() -> float | None:
    if torch.cuda.get_device_capability() < (8, 9):
        return None
    a, b = (torch.randn(8192, 8192, device="cuda").to(torch.float8_e4m3fn) for _ in range(2))
    rows = torch.ones(8192, 1, device="cuda")

    def run() -> object:
        return torch._scaled_mm(a, b.t(), rows, rows.t(), out_dtype=torch.bfloat16)

    return 2 * 8192**3 / (median_ms(run) / 1000)
