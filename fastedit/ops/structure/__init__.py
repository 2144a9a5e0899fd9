"""Where code stands in a file: statements, blocks, lines, comments and what belongs to them."""
