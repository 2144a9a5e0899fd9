"""Without a GPU, Triton kernels run through Triton's interpreter, which has to be chosen before anything imports it."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

# Tiny models gain nothing from a second thread, which waits busily for the first; the processes of tests inherit it.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
import torch
from hypothesis import HealthCheck, settings

# How long an example takes says more of the machine than of the code. The examples of `make test` (quick) and
# `make test-all` (thorough) are always the same, so that they fail for a change alone; `explore` draws new ones.
for _profile, _examples in (("quick", 25), ("thorough", 100), ("explore", 1000)):
    settings.register_profile(
        _profile,
        deadline=None,
        max_examples=_examples,
        derandomize=_profile != "explore",
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")

# Whoever runs the tests may have settings and keys of their own.
os.environ["FASTEDIT_CONFIG"] = f"{os.devnull}/none"
os.environ.pop("FASTEDIT_MODEL", None)
for _company in ("OPENAI", "ANTHROPIC"):
    os.environ.pop(f"{_company}_API_KEY", None)
    os.environ.pop(f"{_company}_BASE_URL", None)

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")


def pytest_runtest_teardown() -> None:
    """Ends a worker whose GPU is lost, as it is after an illegal access: pytest-xdist starts another for the tests that
    are left, which would all fail in this one."""
    if "PYTEST_XDIST_WORKER" in os.environ and torch.cuda.is_available() and torch.cuda.is_initialized():
        try:
            torch.cuda.synchronize()
        except Exception as error:
            print(f"the GPU is lost to this process: {error}", file=sys.stderr)
            os._exit(1)


def _dot_row_by_row(
    self: Any, a: Any, b: Any, d: Any, input_precision: Any, max_num_imprecise_acc: Any
) -> Any:
    """A tile's product in which every row is summed alike, as a GPU sums it.

    The interpreter's own leaves that to the BLAS behind numpy, which on some processors treats a tile's last rows
    differently, and so fails tests that compare bits.
    """
    product = np.einsum("ik,kj->ij", a.data.astype(d.data.dtype), b.data.astype(d.data.dtype))
    return TensorHandle(product + d.data, d.dtype.scalar)


def _once_a_launch(patch: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Triton's language is replaced when a kernel is launched, and not again whenever it calls a function.

    The interpreter does the latter too, which takes as long as the function itself and is undone by nobody.
    """
    patched: set[frozenset[str]] = set()

    def once(function: Any) -> Any:
        names = frozenset(
            value.__name__
            for value in function.__globals__.values()
            if inspect.ismodule(value) and value.__name__.startswith("triton.language")
        )
        if names in patched:
            return None
        patched.add(names)
        scope = patch(function)
        restore = scope.restore
        scope.restore = lambda: (patched.clear(), restore())
        return scope

    return once


if os.environ.get("TRITON_INTERPRET") == "1":
    with suppress(ImportError):  # no Triton, no kernels to run
        from triton.runtime import interpreter
        from triton.runtime.interpreter import InterpreterBuilder, TensorHandle

        InterpreterBuilder.create_dot = _dot_row_by_row
        interpreter._patch_lang = _once_a_launch(interpreter._patch_lang)
