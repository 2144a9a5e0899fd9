"""Reads settings from a file."""

import json
import os


def load(path):
    with open(path) as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    return merged


def settings(path, overrides):
    base = load(path)
    return merge(base, overrides)
