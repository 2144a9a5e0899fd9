"""What becomes of a strong model's answers."""
