"""Bodies that several surfaces have: their fields, and errors in one shape."""
