"""The system that makes the embedded model: corpus, tokenizer, edit synthesis, trainer, evaluation."""
