"""What is known of a neural drafter: how often it is right where it says that it is this sure, and how far it gets.

Learned from every answer, kept for each model and head in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
import platformdirs
from numpy.typing import NDArray

if TYPE_CHECKING:
    from fastedit.model.target import Target

Counts = NDArray[np.float64]

# A drafter's own probability of a token, and how often such tokens are right before anything is known.
_EDGES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97)
_RIGHT = (0.01, 0.03, 0.06, 0.12, 0.22, 0.35, 0.48, 0.6, 0.72, 0.82, 0.92)
_WEIGHT = 12.0  # tokens that the prior counts as
_MEMORY = 2000.0  # tokens of one kind after which old counts fade
_HOPE = 0.55  # chance of each further token, before anything is known
_ANSWER_WEIGHT = 6.0  # tokens of a depth that what is known of all answers counts as within one
_SAVE_S = 10.0


class Confidence:
    """Counts of one drafter on one model. Any thread may ask and tell."""

    def __init__(self, depth: int, file: Path | None = None) -> None:
        self.depth = depth
        self._file, self._saved, self._changed = file, float("-inf"), False
        self._lock = Lock()
        self._tried: Counts = np.full(len(_RIGHT), _WEIGHT)
        self._right: Counts = np.asarray(_RIGHT) * _WEIGHT
        self._offered: Counts = np.full(depth, _WEIGHT)  # by depth, tokens after such as were right
        self._kept: Counts = np.full(depth, _WEIGHT * _HOPE)  # of these, the right ones
        if file is not None:
            self._load(file)

    def chances(self, said: Sequence[float]) -> list[float]:
        """How likely tokens are right that the drafter gives these probabilities."""
        rates = self._right / self._tried
        return [float(rates[bisect_right(_EDGES, chance)]) for chance in said]

    def rates(self) -> Counts:
        """float64[depth]: how often the token at each depth was right where those before it were."""
        rates: Counts = self._kept / self._offered
        return rates

    def tell(self, said: Sequence[float], right: Sequence[bool]) -> None:
        """Tokens with these probabilities, of which each was right or not; those before them were right."""
        with self._lock:
            for chance, hit in zip(said, right, strict=True):
                kind = bisect_right(_EDGES, chance)
                self._tried[kind] += 1.0
                self._right[kind] += hit
            _fade(self._tried, self._right)
            self._changed = True

    def proposed(self, tried: int, reached: int) -> None:
        """Of a proposal's tokens the first `tried` were seen to be right or not, and the first `reached` were right."""
        with self._lock:
            self._offered[:tried] += 1.0
            self._kept[:reached] += 1.0
            _fade(self._offered, self._kept)
            self._changed = True

    def save(self) -> None:
        """Keep what is known, unless that was done a moment ago."""
        with self._lock:
            if self._file is None or not self._changed or monotonic() - self._saved < _SAVE_S:
                return
            known = {
                name: getattr(self, f"_{name}").tolist() for name in ("tried", "right", "offered", "kept")
            }
            self._saved, self._changed = monotonic(), False
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part = self._file.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(known), "utf-8")
            part.replace(self._file)
        except OSError:
            pass  # without a cache folder each process learns anew

    def _load(self, file: Path) -> None:
        try:
            kept = json.loads(file.read_text("utf-8"))
            arrays = {name: np.asarray(kept[name], dtype=np.float64) for name in kept}
            whole = all(arrays[n].shape == getattr(self, f"_{n}").shape for n in ("tried", "offered"))
            if whole and (arrays["right"] <= arrays["tried"]).all() and (arrays["tried"] > 0).all():
                self._tried, self._right = arrays["tried"], arrays["right"]
                self._offered, self._kept = arrays["offered"], arrays["kept"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass  # the prior will do


class AnswerHopes:
    """How far proposals get in this answer, beginning with how far they got in all others."""

    def __init__(self, known: Confidence) -> None:
        self._offered: Counts = np.full(known.depth, _ANSWER_WEIGHT)
        self._kept: Counts = known.rates() * _ANSWER_WEIGHT

    def hopes(self) -> Counts:
        """float64[depth]: how likely a proposal's first 1, 2, ... tokens are right."""
        return np.cumprod(self._kept / self._offered, dtype=np.float64)

    def proposed(self, tried: int, reached: int) -> None:
        self._offered[:tried] += 1.0
        self._kept[:reached] += 1.0


def known_of(name: str, target: Target, depth: int, *head: object) -> Confidence:
    """What earlier answers have told of the drafter of this name, with this head, on this target."""
    key = hashlib.sha256(repr((target.fingerprint, *head)).encode()).hexdigest()[:16]
    folder = Path(platformdirs.user_cache_dir("fastedit")) / "drafters"
    return Confidence(depth, folder / f"{name}-{key}.json")


def _fade(counts: Counts, hits: Counts) -> None:
    over = np.maximum(counts / _MEMORY, 1.0)
    counts /= over
    hits /= over
