"""Triton kernels run on the CPU through Triton's interpreter, which has to be chosen before they are first imported."""

from __future__ import annotations

import os

import torch

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")
