"""The accepted path moves to the front, in plain torch."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from fastedit_kernels.tree_attention import Batch
from fastedit_kernels.tree_verify import Walked


def move(stores: Sequence[Tensor], batch: Batch, walked: Walked) -> None:
    """In each store [slots, ..], the nodes that stand follow their request's trunk, in the order of the path."""
    for span, (count, _), path in zip(batch.spans, walked.found.tolist(), walked.paths.tolist(), strict=True):
        forest = span.prefix + span.trunk
        source = [int(span.slots(forest + node, forest + node + 1)[0]) for node in path[:count]]
        target = span.slots(forest, forest + count)
        for store in stores:
            store[target] = store[source]
