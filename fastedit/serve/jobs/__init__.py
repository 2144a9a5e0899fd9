"""Edits under way: what runs them, the threads that wait for them, and their answers over HTTP."""
