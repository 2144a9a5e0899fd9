"""Edit formats: readers that parse each one into the same file operations, and one resolver for all of them."""
