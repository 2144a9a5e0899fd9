"""How agents spell markers and notes of what is gone, by language."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from fastedit.train.change import KEYWORDS
from fastedit.train.families.speech import comment_of

_USUAL = (
    "... existing code ...",
    "... existing code ...",
    "... existing code ...",
    "...",
    "... rest of code ...",
)
_WORDED = (
    "... rest of the file ...",
    "rest of the methods unchanged",
    "... other methods ...",
    "(existing code)",
    "unchanged",
    "... unchanged ...",
    "... keep the rest as it is ...",
    "existing code above",
    "rest of file unchanged",
    "... existing imports ...",
    "... (rest unchanged)",
    "the rest stays the same",
    "... same as before",
    "remaining code unchanged",
    "[existing code]",
)
_NAMED = ("... {name} unchanged ...", "{name} stays as is", "... existing {name} ...")
_NOTES = (
    "removed: {what}",
    "{what} removed",
    "removed {what}",
    "deleted: {what}",
    "Removed the old {what}",
    "old {what} is gone now",
    "{what} is no longer needed",
    "dropped {what}, nobody calls it any more",
    "no more {what} here",
    "{what} was unused",
    "(removed)",
    "deleted",
    "REMOVED",
    "got rid of {what}",
)
_NAME = re.compile(r"[A-Za-z_]\w{2,}")


class Spelling:
    """One agent's way to write comments that are no code: the same for a whole sketch."""

    def __init__(self, language: str, rng: random.Random) -> None:
        self._rng = rng
        self._comment = comment_of(language) or ("// ", "")
        usual = rng.random() < 0.6
        self._said = rng.choice(_USUAL) if usual else rng.choice(_WORDED)
        self._names = not usual and rng.random() < 0.3

    def marker(self, names: Sequence[str]) -> str:
        """A marker for hidden definitions of these names, without indentation."""
        if self._names and 0 < len(names) < 3:
            return self._comment_of(self._rng.choice(_NAMED).format(name=" and ".join(names)))
        return self._comment_of(self._said)

    def inline(self) -> str:
        """A marker behind code on its line."""
        if self._comment[0].startswith("#"):
            return f"  # {self._said}"
        return f" /* {self._said} */"

    def note(self, gone: Sequence[str]) -> str:
        """A comment in place of these lines."""
        names = [name for name in _NAME.findall(" ".join(gone[:2])) if name not in KEYWORDS]
        what = names[0] if names and self._rng.random() < 0.7 else gone[0].strip()[:50]
        return self._comment_of(self._rng.choice(_NOTES).format(what=what))

    def _comment_of(self, said: str) -> str:
        return said.join(self._comment)
