"""Instructions as typed operations: the exact commands, or a reason to leave an instruction to a model."""

from fastedit.english.reading import Abstained, Understood, understand

__all__ = ["Abstained", "Understood", "understand"]
