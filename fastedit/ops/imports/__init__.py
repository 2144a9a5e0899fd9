"""How each language writes its imports, and the operations on them."""
