"""Keys and values that move within a request's pages."""

from fastedit_kernels.kv.reference import move

__all__ = ["move"]
