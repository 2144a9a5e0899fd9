"""What speaks for and against each step of a path."""
