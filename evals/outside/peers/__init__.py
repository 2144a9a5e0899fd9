"""Other appliers of edits, installed and run side by side."""
