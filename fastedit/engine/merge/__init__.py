"""What an update makes of a document: its readings, how likely each is, and what is open."""
