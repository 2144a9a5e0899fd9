"""Operations that the model rooms share: each is a folder with a plain torch reference first.

Knows tensors and slots, not models, tokens or files.
"""
