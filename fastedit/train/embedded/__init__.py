"""The embedded model, from its tokenizer to its data card."""
