"""What a user would pick instead, one file a peer. A peer that is not installed is absent, never slow."""
