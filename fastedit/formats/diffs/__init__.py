"""Edits as old and new lines: diffs, patches and blocks."""
