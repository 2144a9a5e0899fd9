"""Proposals of the tokens that come next. Drafters know nothing of the model, the tree or each other."""
