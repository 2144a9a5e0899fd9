"""Update sketches laid onto a file: one alignment, the likeliest text of it, and how likely that is."""
