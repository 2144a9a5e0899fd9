"""How a strong model is asked for an edit: which way costs least, the prompt of each way, and what its answer says."""
