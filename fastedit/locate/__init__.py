"""Which lines an edit can touch, and what surrounds them."""
