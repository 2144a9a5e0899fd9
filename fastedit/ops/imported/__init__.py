"""How each language writes its imports."""
