"""What a path takes lines for and what carried it, in words."""
