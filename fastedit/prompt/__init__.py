"""How a region, an instruction and an update become token ids, and how the answer's ids become lines again."""
