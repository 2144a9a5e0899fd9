"""Fits the alignment model of `fastedit/sketch`: cases, their sketches, the likelihood and the report of it."""
