"""What an edit is: bytes, requests, updates, hunks, checks and the journal. Knows no model and no tensor."""
