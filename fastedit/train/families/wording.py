"""How people say things: sentences with places for names and code, and what stands around them."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product

from fastedit.train.change import KEYWORDS, WORD

_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
LEADS = (
    "small cleanup: ",
    "one more thing: ",
    "as discussed, ",
    "for the next release: ",
    "review comment: ",
    "the tests fail because of this: ",
    "part of a larger refactoring: ",
    "hi, ",
    "todo: ",
    "- ",
)
# Before a sentence that tells to do something.
ASKED = ("please ", "please ", "can you ", "could you please ", "now ", "next, ", "let's ", "you should ")
_TOLD = frozenset(
    """add adjust alter annotate append apply assign attach await axe begin bracket bring bump call catch change check
    clarify clean clear comment convert copy correct create cut declare decorate define delete derive describe
    disable discard ditch document double drop duplicate edit eliminate embed enable enclose end equip erase
    exchange execute expand explain express extend extract fill find finish fix flag flip fold get give guard handle
    hide import include indent initialise initialize inline insert instrument intercept interpolate introduce invert
    invoke keep kick kill leave let lift log lose make mark migrate modify move name negate nest nuke omit open
    overwrite pass paste place point port prefix prepend protect prune pull purge put raise reactivate redirect
    refactor remove rename reorder repeat rephrase replace return retype reverse revise reword rewrite rip run scrap
    send set shield shift shorten skip slap slot specify squeeze start stick stop store strike strip substitute
    suffix supplement supply surround swap switch tack tag take test throw tighten toss trade trap trim tuck turn
    tweak type unannotate uncomment update use wipe wire wrap write""".split()  # noqa: SIM905
)
TAILS = (
    "keep everything else as it is",
    "do not touch anything else",
    "nothing else changes",
    "leave the rest alone",
    "thanks",
    "no other changes",
    "that is all",
    "the tests expect this",
    "the linter complains otherwise",
    "leave {other} alone",
    "{other} stays as it is",
    "do not change {other}",
    "this has nothing to do with {other}",
    "keep {other}",
)


@dataclass(frozen=True, slots=True)
class Wordings:
    """Sentences for one kind of change. `kept_back` are never trained on; evaluations ask for them.

    `[a|b|]` in a sentence stands for any one of the alternatives, `{name}` for a part of the change.
    """

    told: tuple[str, ...]
    kept_back: tuple[str, ...]

    def say(self, rng: random.Random, parts: Mapping[str, str], held_out: bool = False) -> str:
        sentence = rng.choice(self.kept_back if held_out else self.told)
        while "[" in sentence and (found := _CHOICE.search(sentence)):
            sentence = sentence[: found.start()] + rng.choice(found[1].split("|")) + sentence[found.end() :]
        return sentence.format_map(parts)

    def spelled(self, held_out: bool) -> Iterator[str]:
        """Every sentence there is, places left open."""
        for sentence in self.kept_back if held_out else self.told:
            pieces = _CHOICE.split(sentence)
            # Alternatives stand at the odd places, behind the text before them.
            choices = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
            yield from ("".join(chosen) for chosen in product(*choices))


@cache
def wordings(room: str) -> dict[str, Wordings]:
    """By family, the sentences of `wordings/ROOM.toml`."""
    table = tomllib.loads((resources.files(__package__) / "wordings" / f"{room}.toml").read_text("utf-8"))
    return {name: Wordings(tuple(own["told"]), tuple(own["kept_back"])) for name, own in table.items()}


def quoted(rng: random.Random, text: str) -> str:
    """A name or piece of code as people write it in a sentence."""
    style = rng.random()
    if "`" in text:
        return f"``{text}``"
    if style < 0.6:
        return f"`{text}`"
    if style < 0.73 and "'" not in text:
        return f"'{text}'"
    if style < 0.83 and '"' not in text:
        return f'"{text}"'
    # A short word without quotes might be one of the sentence's own.
    return text if WORD.fullmatch(text) and len(text) > 2 and text not in KEYWORDS else f"`{text}`"


def coded(rng: random.Random, text: str) -> str:
    """Code whose own quotes must not be mistaken for the sentence's."""
    if "`" in text:
        return f"``{text}``"
    return text if rng.random() < 0.15 and re.fullmatch(r"[\w.$]+", text) else f"`{text}`"


def handed(rng: random.Random, lines: Sequence[str]) -> str:
    """Code that ends a sentence: quoted where it is one line, else on lines of its own."""
    if len(lines) == 1 and rng.random() < 0.75:
        return f": `{lines[0]}`"
    if rng.random() < 0.3:
        return "\n".join([":", "```", *lines, "```"])
    return "\n".join([":", *lines])


def dressed(rng: random.Random, sentence: str, lines: Sequence[str]) -> str:
    """A sentence as it is sent: politeness, capitals, a full stop or none, other sentences around it."""
    if rng.random() < 0.18:
        told = sentence.split(" ", 1)[0] in _TOLD
        sentence = rng.choice(ASKED if told and rng.random() < 0.6 else LEADS) + sentence
    if sentence[:1].isalpha() and rng.random() < 0.45 and not _names(sentence, lines):
        sentence = sentence[0].upper() + sentence[1:]
    if "\n" in sentence:
        return sentence
    if rng.random() < 0.12 and (tail := _tail(rng, sentence, lines)):
        stop = rng.choice((". ", ". ", "; ", " - "))
        tail = tail[0].upper() + tail[1:] if stop == ". " and tail[0].isalpha() else tail
        return sentence + stop + tail + rng.choice(("", "."))
    asked = sentence.lower().startswith(("can you", "could you"))
    return sentence + rng.choice(("", "", "?" if asked else "."))


def _names(sentence: str, lines: Sequence[str]) -> bool:
    """Whether it begins with a name of the code's, which has its own capitals."""
    first = WORD.match(sentence)
    return first is not None and any(first[0] in line for line in lines)


def _tail(rng: random.Random, sentence: str, lines: Sequence[str]) -> str | None:
    tail = rng.choice(TAILS)
    if "{other}" not in tail:
        return tail
    said = set(WORD.findall(sentence))
    line = rng.choice(lines) if lines else ""
    names = [n for n in WORD.findall(line) if n not in said and n not in KEYWORDS and len(n) > 2]
    return tail.format(other=f"`{rng.choice(names)}`") if names else None
