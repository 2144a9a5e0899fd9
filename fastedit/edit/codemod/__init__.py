"""The predicted edit: what an instruction makes of a file where it says one plain thing that code alone can carry out.

It is to instructions what the predicted merge is to updates: a draft for the model, a second opinion on its answer, and
under policy `auto` the result itself where nothing is left open. A sentence that is understood but for a word has one
that is doubted, any other has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace as with_fields

from fastedit.edit.codemod.assign import assign
from fastedit.edit.codemod.block_topics import block_topics
from fastedit.edit.codemod.body_topics import body_topics
from fastedit.edit.codemod.call_line import call_line
from fastedit.edit.codemod.call_topics import call_topics
from fastedit.edit.codemod.code_topics import code_topics
from fastedit.edit.codemod.comment import comment
from fastedit.edit.codemod.comment_topics import comment_topics
from fastedit.edit.codemod.condition_topics import condition_topics
from fastedit.edit.codemod.declared import declared
from fastedit.edit.codemod.delete import delete
from fastedit.edit.codemod.derive import derive
from fastedit.edit.codemod.entry_topics import entry_topics
from fastedit.edit.codemod.enums import member
from fastedit.edit.codemod.expression_topics import expression_topics
from fastedit.edit.codemod.flag import flag
from fastedit.edit.codemod.guard_topics import guard_topics
from fastedit.edit.codemod.head import head
from fastedit.edit.codemod.head_topics import head_topics
from fastedit.edit.codemod.import_line import import_line
from fastedit.edit.codemod.import_topics import import_topics
from fastedit.edit.codemod.insert import insert
from fastedit.edit.codemod.key_sentences import key_sentences
from fastedit.edit.codemod.key_topics import key_topics
from fastedit.edit.codemod.line_topics import line_topics
from fastedit.edit.codemod.lone_body import torn_bodies
from fastedit.edit.codemod.message import message
from fastedit.edit.codemod.modifier import modifier
from fastedit.edit.codemod.name_topics import name_topics
from fastedit.edit.codemod.number import number
from fastedit.edit.codemod.plain_code import with_code_quoted
from fastedit.edit.codemod.raised import raised
from fastedit.edit.codemod.rename import rename
from fastedit.edit.codemod.replace import replace
from fastedit.edit.codemod.sentence import whole_sentences
from fastedit.edit.codemod.shown_topics import shown_topics
from fastedit.edit.codemod.signature import signature
from fastedit.edit.codemod.signature_topics import signature_topics
from fastedit.edit.codemod.source import Codemod, Source, with_lines_quoted
from fastedit.edit.codemod.value_topics import value_topics
from fastedit.edit.codemod.version import version
from fastedit.edit.doubts import UNKNOWN_WORD
from fastedit.edit.instruction import Instruction
from fastedit.edit.merge import Prediction
from fastedit.edit.request import LineRange

__all__ = ["carry_out", "predict_instruction"]

_KINDS: tuple[Callable[[str, Source], Codemod | None], ...] = (
    rename,
    block_topics,
    shown_topics,
    guard_topics,
    signature,
    head,
    import_topics,
    import_line,
    delete,
    call_line,
    message,
    raised,
    modifier,
    declared,
    comment,
    insert,
    flag,
    version,
    key_sentences,
    assign,
    replace,
    key_topics,
    member,
    derive,
    entry_topics,
    name_topics,
    call_topics,
    signature_topics,
    head_topics,
    comment_topics,
    condition_topics,
    body_topics,
    code_topics,
    line_topics,
    value_topics,
    expression_topics,
    number,
)


def predict_instruction(
    lines: Sequence[str], language: str, text: str, scope: LineRange | None = None
) -> Prediction | None:
    """What `text` makes of `lines` (without line ends), changing nothing outside of `scope`; None where it is not sure
    what the text asks for.
    """
    return carry_out(Prediction(tuple(lines), tuple(range(len(lines))), True, ()), language, text, scope)


def carry_out(
    before: Prediction, language: str, text: str, scope: LineRange | None = None
) -> Prediction | None:
    """The same behind what was predicted already: both as one prediction."""
    scope = scope or LineRange(0, len(before.lines))
    source = Source(before.lines, language, scope)
    text = with_code_quoted(with_lines_quoted(text, before.lines), source)
    several = whole_sentences(Instruction(text).parts)
    # With leeway a sentence that says several things would be understood as one of them.
    for parts, leeway in (((text,), 0), (several, 0), (several, 1)):
        done = _in_turn(before, language, parts, scope, leeway)
        if done is not None:
            return done
    return None


def _in_turn(
    before: Prediction, language: str, parts: Sequence[str], scope: LineRange, leeway: int
) -> Prediction | None:
    """All parts carried out, None where one of them cannot be."""
    done = before
    for part in parts:
        grown = len(done.lines) - len(before.lines)
        made = _one(Source(done.lines, language, LineRange(scope.start, scope.stop + grown)), part, leeway)
        if made is None:
            return None
        done = done.then(made.hunks, made.reasons)
    return done


def _one(source: Source, text: str, leeway: int) -> Codemod | None:
    made = next(_read(text, source), None)
    if made is None and leeway:
        made = _roughly(text, with_fields(source, leeway=leeway))
    return made and Codemod(made.hunks, (*made.reasons, *torn_bodies(source, made.hunks)))


def _read(text: str, source: Source) -> Iterator[Codemod]:
    """What each kind of change that understands the text makes of it."""
    return (made for kind in _KINDS if (made := kind(text, source)) is not None)


def _roughly(text: str, source: Source) -> Codemod | None:
    """What the text asks for but for the words left out; None where that may be several things."""
    found = {made.hunks: made for made in _read(text, source)}
    if len(found) != 1:
        return None
    (made,) = found.values()
    return Codemod(made.hunks, (*made.reasons, UNKNOWN_WORD))
