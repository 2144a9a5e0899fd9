"""A file's text: bytes, lines, hunks, syntax, languages. Knows no model and no tensor."""
