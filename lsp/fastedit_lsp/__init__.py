"""The language server's package. It holds no server yet: editors use the command line until it does."""
