"""Without a GPU, Triton kernels run through Triton's interpreter, which has to be chosen before anything imports it."""

from __future__ import annotations

import os

import torch

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")
