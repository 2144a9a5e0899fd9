"""Changes of many files, in memory: what an edit makes of each, and what that means between them."""
