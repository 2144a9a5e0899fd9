"""Edits of lines that are named by their numbers and hashes."""
