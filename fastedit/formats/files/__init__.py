"""Files and sketches that a message shows in code fences and here-documents."""
