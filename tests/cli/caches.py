"""A file and an update that fits it in two places: nothing says which class is meant."""

from __future__ import annotations

CACHES = """class Memory:
    def load(self):
        return read(self.path)

    def drop(self):
        self.path = None


class Disk:
    def load(self):
        return read(self.path)

    def close(self):
        self.path = None
"""
BODY, STRIPPED = "        return read(self.path)\n", "        return read(self.path).strip()\n"
UPDATE = f"    def load(self):\n{STRIPPED}\n    # ... existing code ...\n"
IN_MEMORY = CACHES.replace(BODY, STRIPPED, 1)
ON_DISK = STRIPPED.join(CACHES.rsplit(BODY, 1))
