"""How fast a machine can be at best, and how ways are timed side by side."""
