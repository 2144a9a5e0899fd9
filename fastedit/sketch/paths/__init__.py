"""The ways to lay a sketch onto a file, as paths of a lattice with weights."""
