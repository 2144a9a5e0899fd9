"""How results are told on a terminal, as a diff or as JSON, and where they go."""
