"""The facade: a request goes in, hunks and a result come out. The one place where text and tokens meet."""

from fastedit.engine.engine import Engine, Verification
from fastedit.engine.events import Event, HunkReady, Located, Progressed, Resulted

__all__ = ["Engine", "Event", "HunkReady", "Located", "Progressed", "Resulted", "Verification"]
