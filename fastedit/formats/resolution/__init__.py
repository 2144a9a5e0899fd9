"""Places the hunks of an edit in a document, each at its one place, or says why not."""
