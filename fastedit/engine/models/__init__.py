"""The model that a name stands for, its chat, and the regions that one which runs here rewrites."""
