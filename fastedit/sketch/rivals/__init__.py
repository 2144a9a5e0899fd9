"""Kinds of texts that may be meant in place of a path's, and what tells of each."""
