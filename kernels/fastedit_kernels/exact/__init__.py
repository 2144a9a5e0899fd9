"""Arithmetic whose result for a row is the same bits whatever rows run with it, and wherever its keys lie."""

from fastedit_kernels.exact.reference import ROWS, add_norm, attention, gate, linear, rope_write, turns
from fastedit_kernels.exact.splits import Splits

__all__ = ["ROWS", "Splits", "add_norm", "attention", "gate", "linear", "rope_write", "turns"]
