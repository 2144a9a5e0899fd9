"""One edit of one document: what code alone makes of it, and whether a result may be delivered."""
