"""Drafters that copy from the prompt, from what was written, and from other texts."""
