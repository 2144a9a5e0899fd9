"""Every number that the documents quote is made by a command in this package."""
