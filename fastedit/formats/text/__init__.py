"""The text that hunks are placed in: its lines as each step of matching sees them, and its changes."""
