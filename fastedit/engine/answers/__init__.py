"""Edits that a strong model writes: its questions, its answers, and what these make of a document."""
