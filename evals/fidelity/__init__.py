"""Does an edit leave every byte alone that it does not concern? A generated torture set through every surface."""
