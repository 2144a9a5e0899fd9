"""The names that an operation refers to: those of one source, and the members of its classes."""
