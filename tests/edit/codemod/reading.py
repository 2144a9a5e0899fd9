"""What becomes of a sentence without a model."""

from __future__ import annotations

from fastedit.edit.codemod import predict_instruction
from fastedit.edit.merge import Prediction

JOB = """\
import log


def run(job):
    first = fetch(job.url)
    second = sep
    send(first)
    return first
"""


def predicted(text: str, source: str, language: str) -> Prediction | None:
    return predict_instruction(source.split("\n"), language, text)


def surely(text: str, source: str, language: str) -> str:
    """The new text, which nothing speaks against."""
    found = predicted(text, source, language)
    assert found is not None, text
    assert not found.reasons, (text, found.reasons)
    return "\n".join(found.lines)


def doubted(text: str, source: str, language: str) -> bool:
    """Whether it is left to the model, or something speaks against what is made of it."""
    found = predicted(text, source, language)
    return found is None or bool(found.reasons)
