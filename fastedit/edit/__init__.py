"""What an edit is: bytes, requests, updates, hunks and checks. Knows no model and no tensor."""
