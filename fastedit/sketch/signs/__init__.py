"""What a text as a whole tells of whether it is meant."""
