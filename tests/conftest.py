"""Without a GPU, Triton kernels run through Triton's interpreter, which has to be chosen before anything imports it."""

from __future__ import annotations

import os

import torch
from hypothesis import HealthCheck, settings

# How long an example takes says more of the machine than of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

if not torch.cuda.is_available():
    os.environ.setdefault("TRITON_INTERPRET", "1")
