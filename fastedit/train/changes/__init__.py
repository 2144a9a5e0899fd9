"""Changes of regions of real files, made at random."""
