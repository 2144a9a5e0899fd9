"""The text that a path writes, and the paths that write a text."""
