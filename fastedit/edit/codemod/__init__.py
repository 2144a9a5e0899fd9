"""The predicted edit: what an instruction makes of a file where it says one plain thing that code alone can carry out.

It is to instructions what the predicted merge is to updates: a draft for the model, a second opinion on its answer, and
under policy `auto` the result itself where nothing is left open. A sentence that is understood but for a word has one
that is doubted, any other has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace as with_fields
from itertools import combinations

from fastedit.edit.codemod.annotation_topics import annotation_topics
from fastedit.edit.codemod.assign import assign
from fastedit.edit.codemod.async_topics import async_topics
from fastedit.edit.codemod.base_topics import base_topics
from fastedit.edit.codemod.block_topics import block_topics
from fastedit.edit.codemod.body_topics import body_topics
from fastedit.edit.codemod.call_line import call_line
from fastedit.edit.codemod.call_topics import call_topics
from fastedit.edit.codemod.code_topics import code_topics
from fastedit.edit.codemod.comment import comment
from fastedit.edit.codemod.comment_topics import comment_topics
from fastedit.edit.codemod.condition_topics import condition_topics
from fastedit.edit.codemod.courtesy import told
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
from fastedit.edit.codemod.sentence import leaning_sentences, whole_sentences
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

_MANY_JOINTS = 6  # so many are taken for such all at once, or one of them

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
    base_topics,
    entry_topics,
    name_topics,
    call_topics,
    annotation_topics,
    signature_topics,
    head_topics,
    async_topics,
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
    for leeway in (0, 1):
        done = _understood(before, language, Instruction(told(text)), scope, leeway)
        if done is not None:
            return done
    return None


def _understood(
    before: Prediction, language: str, said: Instruction, scope: LineRange, leeway: int
) -> Prediction | None:
    """All that is said carried out, divided into as few sentences as are understood; None where that leaves it open."""
    known: dict[tuple[str, ...], Prediction | None] = {(): before}
    most = len(said.joints)
    counts = range(most + 1) if most < _MANY_JOINTS else (0, 1, most)
    # With leeway a sentence that says several things would be understood as one of them.
    for count in (most,) if leeway else counts:
        whole = [whole_sentences(said.divided(joints)) for joints in combinations(said.joints, count)]
        leaning = (filled for parts in whole if (filled := leaning_sentences(parts)) != parts)
        for divisions in (whole, leaning):
            done = (_in_turn(known, language, parts, scope, leeway) for parts in divisions)
            found = {made.lines: made for made in done if made is not None}
            if found:
                return found.popitem()[1] if len(found) == 1 else None
    return None


def _in_turn(
    known: dict[tuple[str, ...], Prediction | None],
    language: str,
    parts: tuple[str, ...],
    scope: LineRange,
    leeway: int,
) -> Prediction | None:
    """All parts carried out, None where one of them cannot be. `known` has, and gets, what the first few come to."""
    if parts not in known:
        done, before = _in_turn(known, language, parts[:-1], scope, leeway), known[()]
        if done is None or before is None:
            return None
        grown = len(done.lines) - len(before.lines)
        made = _one(
            Source(done.lines, language, LineRange(scope.start, scope.stop + grown)), parts[-1], leeway
        )
        known[parts] = None if made is None else done.then(made.hunks, made.reasons)
    return known[parts]


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
