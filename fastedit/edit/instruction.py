"""What an instruction says, as far as its words tell without a model: names, quoted code, lines, a rename, a deletion.

Knows English and spellings; whether the file has what is named is not its business.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fastedit.edit.request import LineRange

KIND = r"""(?:function|method|class|def|definition|struct|enum|interface|trait|impl|module|namespace|type|macro|record
    |variable|parameter|argument|param|arg|field|attribute|property|constant|const|identifier|name|symbol|import
    |decorator|line|statement|call|expression|value|key|section|constructor|test|helper|local|global|instance)s?"""
_KIND_WORD = re.compile(KIND, re.VERBOSE | re.IGNORECASE)
_NOISE = (
    r"(?:the|a|an|every|all|each|any|this|that|both|uses?|occurrences?|references?|of|to|entire|whole|old)"
)
_FILLER = rf"(?:(?:{_NOISE}|{KIND})\s+)*"
_NAME = r"(?P<{0}q>[`'\"])?(?P<{0}>[\w$]+(?:(?:\.|::)[\w$]+)*)(?:\(\))?(?({0}q)(?P={0}q))"
_OLD, _NEW = _NAME.format("old"), _NAME.format("new")
_BEHIND = r"(?:to|into|as|with|by|->|=>|→|-->)"
_RENAMES = tuple(
    re.compile(pattern, re.VERBOSE | re.IGNORECASE)
    for pattern in (
        rf"(?<!to\s)\brename\s+{_FILLER}{_OLD}(?:\s+{KIND})?\s*{_BEHIND}\s*{_FILLER}{_NEW}",
        rf"\bchange\s+(?:the\s+)?names?\s+(?:of\s+)?{_FILLER}{_OLD}\s*{_BEHIND}\s*{_FILLER}{_NEW}",
        rf"{_OLD}\s+(?:should|must|ought\s+to)\s+be\s+(?:called|named|renamed(?:\s+to)?)\s+{_NEW}",
        rf"\b(?:use|call)\s+(?:it|the\s+name)\s+{_NEW}\s+(?:instead\s+of|rather\s+than)\s+{_OLD}",
        rf"\breplace\s+(?:all|every)\s+{_FILLER}{_OLD}\s+(?:with|by)\s+{_FILLER}{_NEW}",
    )
)
_PIECE = r"(?:(?P<{0}t>`+)(?P<{0}>.+?)(?P={0}t)|(?P<{0}b>[^\s`]+?))"
_A, _B = _PIECE.format("old"), _PIECE.format("new")
_REPLACES = tuple(
    re.compile(
        rf"\s*(?:please\s+)?{pattern}(?:\s+(?:in|inside|within|of)\b[^`]*)?[.!]?\s*",
        re.IGNORECASE | re.DOTALL,
    )
    for pattern in (
        rf"(?:replace|swap|change)\s+{_A}\s+(?:with|by|for|to)\s+{_B}",
        rf"use\s+{_B}\s+(?:instead\s+of|rather\s+than)\s+{_A}",
        rf"{_A}\s+should\s+be\s+{_B}",
        rf"set\s+it\s+to\s+{_B}\s+where\s+it\s+says\s+{_A}",
    )
)
_INSERTS = re.compile(
    r"""\s*(?:please\s+)?(?:(?:add|insert|put)\s+(?:this\s+)?)?
    (?P<side>before|above|after|below)\s+(?:the\s+line\s+)?(?:(?P<q>`+|\"|')(?P<anchor>.+?)(?P=q))\s*
    (?:add|insert|put)?\s*:\s*(?:`+(?P<new>[^`\n]+)`+|\n(?P<block>.+))[.]?\s*""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BARE_IMPORT = re.compile(r"\b(?:import\s+(?!import\b|from\b)[A-Za-z_][\w.]*|from\s+[\w.]+\s+import\s+\w+)")
# A line that imports something, in any language.
IMPORT_LINE = re.compile(
    r"\s*(?:import\s+[\w{*.'\"(]|from\s+[\w.]+\s+import\b|#\s*include\b|use\s+[\w:]+|using\s|extern\s+crate\b"
    r"|(?:const|let|var)\s.*\brequire\()"
)
_DELETES = re.compile(
    r"\b(?:delete|remove|drop|get\s+rid\s+of|take\s+out|erase|strip|eliminate|(?:can|must|should|has\s+to)\s+go"
    r"|(?:do\s+not|don't)\s+import)\b",
    re.IGNORECASE,
)
_NOT_NEEDED = re.compile(r"\bno\s+longer\s+(?:needed|used|required)\b", re.IGNORECASE)
_BESIDES = re.compile(
    r"\b(?:also|besides|apart\s+from|in\s+addition|additionally|furthermore|moreover|other\s+than|as\s+well)\b",
    re.IGNORECASE,
)
_PLACE_WORDS = frozenset(
    {"in", "inside", "within", "of", "from", "to", "on", "into", "onto", "at", "for", "document"}
)
_STRONG_PLACE = frozenset({"in", "inside", "within", "into"})
_ARTICLES = frozenset(
    {"the", "a", "an", "every", "all", "each", "this", "that", "existing", "whole", "entire"}
)
_LINES = re.compile(
    r"\blines?\s+(\d+)(?:\s*(?:-|–|:|to|through|and|until)\s*(?:line\s+)?(\d+))?", re.IGNORECASE
)
# Between two things that are asked for at once.
_JOINT = re.compile(
    r"(?:[;,.]\s+|\s+)(?:and\s+(?:then\s+|also\s+)?|then\s+|also\s+)|;\s+|\.\s+(?=[A-Z])|\n+", re.IGNORECASE
)
# Where it may go on to the next one, or not.
_MAY_JOIN = re.compile(rf"{_JOINT.pattern}|\.\s+(?=\S)", re.IGNORECASE)
_FENCE = re.compile(r"```[^\n`]*\n(.*?)\n?[ \t]*```", re.DOTALL)
_BLOCK = re.compile(r":[ \t]*\n(.+)\Z", re.DOTALL)
_TOKEN = re.compile(
    r"""(?P<tick>`+)(?P<ticked>.+?)(?P=tick)
      | "(?P<double>[^"\n]+)" | (?<!\w)'(?P<single>[^'\n]+)'(?!\w) | “(?P<curly>[^”\n]+)”
      | (?P<word>[^\W\d][\w$]*(?:(?:\.|::|\#)[^\W\d][\w$]*)*(?:\(\))?)
      | (?P<other>\S)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTES = ("ticked", "double", "single", "curly")
_BARE = re.compile(r".*(?:[a-z0-9][A-Z]|_|\.\w|::|\(\)|\w\d)|[A-Z]{2,}[A-Z0-9_]*$")


def whole_word(text: str) -> re.Pattern[str]:
    """Finds the text where no word goes on beyond it."""
    left = r"(?<![\w$])" if re.match(r"[\w$]", text) else ""
    right = r"(?![\w$])" if re.search(r"[\w$]\Z", text) else ""
    return re.compile(left + re.escape(text) + right)


def _cut(text: str, joints: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """What stands between these spans."""
    cuts = [0, *(place for joint in joints for place in joint), len(text)]
    return tuple(text[a:b].strip() for a, b in zip(cuts[::2], cuts[1::2], strict=True))


def first_imports(lines: Sequence[str]) -> range:
    """The first lines in a row that import something; empty where none does."""
    start = next((i for i, line in enumerate(lines) if IMPORT_LINE.match(line)), len(lines))
    stop = start
    while stop < len(lines) and IMPORT_LINE.match(lines[stop]):
        stop += 1
    return range(start, stop)


@dataclass(frozen=True, slots=True)
class Rename:
    """`alone` where the instruction asks for nothing besides."""

    old: str
    new: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """One piece of text to stand where another stood, and nothing else."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Insertion:
    """Lines, stripped, to be put right before or behind the line `anchor`, and nothing else."""

    anchor: str
    before: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """Something named. `quoted`: in quotes or backticks; `kind`: next to a word such as "function"; `coded`: spelled
    as only code is; `place`: behind a word such as "in" or "to", of which `inside` are those that mean within.
    `literal` is the text with its quotes where these may be the code's own; `start` the place of the text in the
    sentence, `end` the one behind it and its quotes.
    """

    text: str
    start: int = 0
    end: int = 0
    quoted: bool = False
    kind: bool = False
    coded: bool = False
    place: bool = False
    inside: bool = False
    literal: str | None = None

    @property
    def sure(self) -> bool:
        """Whether it surely names code and is no mere word of the sentence."""
        return self.quoted or self.kind or self.coded


@dataclass(frozen=True)
class Instruction:
    text: str

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """Code given on lines of its own: fenced, or all that follows a colon at a line's end."""
        fenced = tuple(_FENCE.findall(self.text))
        block = None if fenced else _BLOCK.search(self.text)
        return fenced or ((block[1],) if block else ())

    @cached_property
    def sentence(self) -> str:
        """The instruction with blanks for its blocks of code, so that places in one are places in the other."""
        blanked = _FENCE.sub(lambda found: " " * len(found[0]), self.text)
        return _BLOCK.sub("", blanked) if self.blocks else self.text

    @cached_property
    def prose(self) -> str:
        """The sentence with blanks for all that is quoted, so that places in one are places in the other."""
        return self._with_quoted(" ")

    def _with_quoted(self, sign: str) -> str:
        """The sentence with a sign in place of each that is quoted."""
        return _TOKEN.sub(
            lambda found: found[0] if found["word"] or found["other"] else sign * len(found[0]), self.sentence
        )

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The pieces that may each ask for something of its own; "and" and the like between them are left out."""
        joints = [found.span() for found in _JOINT.finditer(self._with_quoted("_"))]
        pieces = _cut(self.sentence, joints)
        return tuple(piece for piece in pieces if piece) if not self.blocks else (self.text,)

    @cached_property
    def joints(self) -> tuple[tuple[int, int], ...]:
        """The spans of "and" and the like, wherever it may go on to something else that it asks for."""
        return tuple(found.span() for found in _MAY_JOIN.finditer(self._with_quoted("_")))

    def divided(self, joints: Sequence[tuple[int, int]]) -> tuple[str, ...]:
        """The text in pieces, without these joints; code on lines of its own stays with the last."""
        return _cut(self.text, joints)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All that the sentence names, in its order."""
        found: list[Mention] = []
        before: list[str] = []
        tokens = list(_TOKEN.finditer(self.sentence))
        for index, token in enumerate(tokens):
            word = token["word"]
            quoted = next((token[group] for group in _QUOTES if token[group]), None)
            if quoted or (word and word.lower() not in _ARTICLES and not _KIND_WORD.fullmatch(word)):
                following = tokens[index + 1]["word"] if index + 1 < len(tokens) else None
                literal = token[0] if token["double"] or token["single"] else None
                found.append(_mention(token, word or quoted or "", before, following, literal))
            before.append(word.lower() if word else "" if quoted else token[0])
        return tuple(found)

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """Code and text in quotes, and the blocks."""
        return tuple(mention.text for mention in self.mentions if mention.quoted) + self.blocks

    @cached_property
    def rename(self) -> Rename | None:
        for pattern in _RENAMES:
            if (found := pattern.search(self.sentence)) and found["old"] != found["new"]:
                rest = self.sentence[: found.start()] + self.sentence[found.end() :]
                alone = not re.search(r"\b(?:and|then|also|but|plus)\b|[;`]", re.sub(r"\bin\b.*", "", rest))
                return Rename(found["old"], found["new"], alone)
        return None

    @cached_property
    def replacement(self) -> Replacement | None:
        """The replacement that is all the instruction asks for.

        "change `timeout` to `30`" is none: what has the name gets the value, and the name stays.
        """
        if self.rename is not None or self.blocks:
            return None
        for pattern in _REPLACES:
            if found := pattern.fullmatch(self.text):
                old, new = (found[name] or found[name + "b"] for name in ("old", "new"))
                names = re.fullmatch(r"[\w$]+", old) and not re.fullmatch(r"\d.*", old)
                return (
                    None if names and not re.fullmatch(r"[A-Za-z_$][\w$.()]*", new) else Replacement(old, new)
                )
        return None

    @cached_property
    def insertion(self) -> Insertion | None:
        """The insertion that is all the instruction asks for."""
        found = _INSERTS.fullmatch(self.text)
        if found is None:
            return None
        lines = (found["new"] or found["block"]).split("\n")
        kept = tuple(line.strip() for line in lines if line.strip())
        return Insertion(found["anchor"].strip(), found["side"].lower() in ("before", "above"), kept)

    @cached_property
    def given(self) -> tuple[str, ...]:
        """Text that the instruction hands over or points at, line by line: all that is quoted, the blocks, imports."""
        lines = [line.strip() for text in self.quoted for line in text.split("\n")]
        return tuple(line for line in (*lines, *_BARE_IMPORT.findall(self.prose)) if line)

    @cached_property
    def deletes(self) -> bool:
        """Whether it asks for something to go."""
        return bool(_DELETES.search(self.prose) or _NOT_NEEDED.search(self.prose))

    @cached_property
    def deleted(self) -> Mention | None:
        """What is asked to go: the first thing named behind the verb, else the first one named."""
        if not self.deletes:
            return None
        verb, unneeded = _DELETES.search(self.prose), _NOT_NEEDED.search(self.prose)
        start = verb.end() if verb and not (unneeded and unneeded.start() < verb.start()) else 0
        behind = Instruction(self.sentence[start:]).mentions
        return next(iter([mention for mention in behind if mention.sure] or behind), None)

    def beyond(self, shown: str) -> bool:
        """Whether it asks for something besides, or speaks of what a text has not: then the text may not show all."""
        if _BESIDES.search(self.prose):
            return True
        change = self.rename or self.replacement
        goes = {change.old} if change is not None else set()
        named = {*(mention.text for mention in self.mentions if mention.sure), *self.given} - goes
        named |= {change.new} if change is not None else set()
        return any(re.split(r"\.|::|#", text)[-1] not in shown for text in named)

    @cached_property
    def lines(self) -> LineRange | None:
        """The lines it gives by number, which count from 1 there and from 0 here."""
        found = _LINES.search(self.prose)
        if found is None:
            return None
        first = int(found[1])
        # "change line 12 to 5" speaks of one line.
        last = max(first, int(found[2] or first))
        return LineRange(first - 1, last) if first else None

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(re.findall(r"[\w$]+", self.text))


def _mention(
    token: re.Match[str], text: str, before: list[str], following: str | None, literal: str | None
) -> Mention:
    """A word or quotation in the light of the words before it and the one behind."""
    index, kind, quoted = len(before), False, token["word"] is None
    while index and (before[index - 1] in _ARTICLES or _KIND_WORD.fullmatch(before[index - 1])):
        kind = kind or before[index - 1] not in _ARTICLES
        index -= 1
    if following is not None and (quoted or index < len(before)):
        kind = kind or _KIND_WORD.fullmatch(following) is not None
    preposition = before[index - 1] if index else ""
    return Mention(
        text.removesuffix("()"),
        next(token.start(group) for group in (*_QUOTES, "word") if token[group]),
        token.end(),
        quoted,
        kind,
        not quoted and _BARE.match(text) is not None,
        preposition in _PLACE_WORDS,
        preposition in _STRONG_PLACE,
        literal,
    )
