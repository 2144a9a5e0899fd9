"""Language models as the decoder sees them: rows of tokens in, logits out.

Knows nothing of files, prompts or drafts.
"""
