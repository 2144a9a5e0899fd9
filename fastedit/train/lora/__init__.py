"""Low-rank adapters of a user's own model."""
