"""Turns proposals and a model's logits into tokens that are the model's own.

Knows token ids only: no text, no file.
"""
