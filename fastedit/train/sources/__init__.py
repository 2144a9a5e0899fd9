"""Source files to learn from, and where they come from: pinned packages, their licences, and what is held out."""
