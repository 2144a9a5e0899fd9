"""Edits as values: calls of tools, in JSON or in tags, and other edits that are JSON."""
