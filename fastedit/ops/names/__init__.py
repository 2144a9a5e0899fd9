"""What names mean: the symbols and members of a file, its variables, and what a target means."""
