"""Drafters that ask heads on the model's hidden states, and those that learn meanwhile."""
