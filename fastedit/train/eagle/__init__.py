"""EAGLE-3 and P-EAGLE heads, trained on their model's own answers."""
