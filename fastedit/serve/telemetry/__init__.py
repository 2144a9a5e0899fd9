"""What the server tells those who run it: metrics, their history, and traces."""
