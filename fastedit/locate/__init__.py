"""Which regions of a file an edit can touch, and what surrounds them."""
