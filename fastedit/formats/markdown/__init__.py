"""What stands around the edits of a message: code fences, the lines above them that name files, and thought."""
