"""Data files as keys: how each notation writes them, and the operations on them."""
