"""Near-duplicates: texts that share most of their lines, found by MinHash over pairs of neighbouring lines.

Broder, "On the resemblance and containment of documents" (1997); signatures are cut into bands (Leskovec, Rajaraman and
Ullman, "Mining of Massive Datasets", 3.4), so that each text is compared with the few that share a band only.
"""

from __future__ import annotations

import zlib
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BANDS, ROWS = 20, 3
ALIKE = 0.6  # estimated share of line pairs in common (Jaccard) from which a text counts as seen

_draw = np.random.default_rng(0)
_FACTORS = _draw.integers(1, 2**63, BANDS * ROWS, dtype=np.uint64) | np.uint64(1)
_OFFSETS = _draw.integers(0, 2**63, BANDS * ROWS, dtype=np.uint64)


class NearDuplicates:
    """Remembers the texts shown to it. Texts with 0.6 of their pairs in common share a band in 99 of 100 cases."""

    def __init__(self) -> None:
        self._signatures: list[NDArray[np.uint32]] = []
        self._buckets: dict[tuple[int, bytes], list[int]] = {}

    def seen(self, text: str) -> bool:
        """Whether a text like this one was shown before. One that was not is remembered."""
        signature = _signature(text)
        bands = [(band, signature[band * ROWS : (band + 1) * ROWS].tobytes()) for band in range(BANDS)]
        candidates = {index for band in bands for index in self._buckets.get(band, ())}
        if any((self._signatures[index] == signature).mean() >= ALIKE for index in candidates):
            return True
        for band in bands:
            self._buckets.setdefault(band, []).append(len(self._signatures))
        self._signatures.append(signature)
        return False


def _signature(text: str) -> NDArray[np.uint32]:
    """(BANDS * ROWS,) least hashes of the text's pairs of neighbouring lines, blank lines and indentation aside."""
    lines = [line.strip().encode() for line in text.split("\n")]
    sums = [zlib.crc32(line) for line in lines if line]
    pairs = np.fromiter({(a << 32) | b for a, b in pairwise([0, *sums])}, dtype=np.uint64)
    mixed = pairs[:, None] * _FACTORS + _OFFSETS  # wraps at 2**64: multiply-shift hashing
    least: NDArray[np.uint32] = (mixed >> np.uint64(32)).astype(np.uint32).min(axis=0, initial=2**32 - 1)
    return least
