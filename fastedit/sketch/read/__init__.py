"""What an update and the lines of a file say, line by line and by spelling alone."""
