"""Which nodes of a pass's trees stand, decided where the logits are."""

from fastedit_kernels.tree_verify.forest import Forest, Picked, Walked, forest_arrays
from fastedit_kernels.tree_verify.reference import pick, walk

__all__ = ["Forest", "Picked", "Walked", "forest_arrays", "pick", "walk"]
