"""Real edits, replayed: every pass is computed by a model with random weights, and which tokens are accepted comes from
the edit that was really made."""
