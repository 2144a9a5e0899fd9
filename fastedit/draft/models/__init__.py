"""Drafters that ask a smaller model, or a part of the same one."""
