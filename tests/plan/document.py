"""`python -m tests.plan.document`: writes the prompts, and what templates make of them, into docs/models.md."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

from fastedit.locate.region import Region
from fastedit.plan.base import DocumentTask, Way
from fastedit.plan.context import file_part
from fastedit.plan.question import bound, question
from fastedit.plan.several import MORE, Several
from fastedit.plan.several import question as question_of_several
from fastedit.plan.several import shared as shares
from fastedit.prompt.base import RegionTask
from fastedit.prompt.example import EXAMPLE, completion_text
from fastedit.prompt.fill import AFTER, BEFORE, before_text, order_of
from fastedit.prompt.template import begun
from fastedit.request import LineRange
from fastedit.source.document import Document
from fastedit.source.fences import fenced
from fastedit.train.table import table
from tests.document import rewritten
from tests.prompt.kinds import KINDS, tokenizer_of

DOCUMENT = Path(__file__).parents[2] / "docs" / "models.md"
START, END = "<!-- from the prompts -->", "<!-- end of the prompts -->"
KINDS_START, KINDS_END = "<!-- from the kinds of templates -->", "<!-- end of the kinds -->"
STORE = """\
import json


class Store:
    def load(self, path):
        return json.loads(path.read_text())
"""
LINES = tuple(STORE.split("\n"))
WISH = DocumentTask(
    Document.from_text(STORE, Path("app/store.py")),
    "load should return [] where the file is missing",
    "python",
    (Region(4, 6, "function Store.load", True),),
    LineRange(4, 6),
)

SEVERAL = shares(
    Several(
        "load should return [] where the file is missing, and the test should say so",
        tuple(
            DocumentTask(Document.from_text(text, Path(path)), None, "python")
            for path, text in (
                ("app/store.py", STORE),
                ("tests/test_store.py", "from app.store import Store\n"),
            )
        ),
        (
            DocumentTask(
                Document.from_text("[tool.pytest.ini_options]\n", Path("pyproject.toml")), None, "toml"
            ),
        ),
    )
)


def block() -> str:
    """What all ways begin with, and how each goes on."""
    asked = {way: question(WISH, way) for way in get_args(Way)}
    system = asked["sketch"][0][1]
    bodies = {way: messages[1][1] for way, messages in asked.items()}
    shared = "\n\n".join(_shared([body.split("\n\n") for body in bodies.values()]))
    parts = [
        "The system message:",
        fenced(system, "text"),
        "The message begins, in every way:",
        fenced(shared, "text"),
    ]
    for way, body in bodies.items():
        rest = body.removeprefix(shared).strip("\n")
        listed = re.sub(r"(- add\(.*\n)(?:- .*\n)+(?=\n)", r"\1- ...\n", rest)
        parts += [f"`{way}`:", fenced(listed, "text")]
    said = bound(replace(WISH, scope=None, stretch=LineRange(4, 6)))
    parts += ["Of a stretch, one of several, the bound is:", fenced(said, "text")]
    update = "<<<<<<< SEARCH\n    def load(self):\n=======\n    def load(self, path, default=None):\n>>>>>>> REPLACE"
    unplaced = question(
        replace(WISH, instruction=None, scope=None, update=update, unplaced=update), "sketch"
    )[1][1]
    rest = unplaced.removeprefix(file_part(WISH)).strip("\n").partition("\n\nAnswer with ")[0]
    parts += ["Of hunks that have no place, the message has behind the file:", fenced(rest, "text")]
    task = RegionTask(
        LINES[4:6], WISH.instruction, language="python", about=file_part(WISH), before=LINES[:4]
    )
    asked_of_several = {way: question_of_several(SEVERAL, way) for way in ("operations", "sketch")}
    parts += ["Of several files, the system message is:", fenced(asked_of_several["sketch"][0][1], "text")]
    bodies = {way: messages[1][1] for way, messages in asked_of_several.items()}
    shared = "\n\n".join(_shared([body.split("\n\n") for body in bodies.values()]))
    parts += ["The message begins, with one file that is only to be read:", fenced(shared, "text")]
    rest = bodies["sketch"].removeprefix(shared).strip("\n")
    parts += ["`sketch` goes on (`operations` as above, each with a `path`):", fenced(rest, "text")]
    parts += [
        "Where a file is too long to be shown as a whole, the message ends:",
        fenced(MORE.format(path=SEVERAL.files[0].name), "text"),
    ]
    parts += [
        "Of a base model's prompt, behind an example, up to its answer:",
        fenced(completion_text(task).removeprefix(EXAMPLE).strip("\n"), "text"),
        "Of a fill-in model's, up to the gap:",
        fenced(before_text(task).strip("\n"), "text"),
    ]
    return "\n\n".join(parts)


def kinds() -> str:
    """What a local model of each kind reads, S for the system text and U for the user's, and what ends its answer."""
    rows = []
    for name, kind in KINDS.items():
        tokenizer = tokenizer_of(kind)
        if kind.template is not None:
            asked = begun(tokenizer, (("system", "S"), ("user", "U")), "<updated-code>\n")
        elif (order := order_of(tokenizer)) is not None:
            asked = "".join(
                {BEFORE: "the lines before", AFTER: "the lines after"}.get(each, each) for each in order
            )
        else:
            asked = "an example, the file, the instruction, the old lines, ```python\n"
        rows.append([name, kind.models, _code(asked), _code(kind.end)])
    return table(["kind", "such as", "what the model goes on from", "ends an answer"], rows)


def written() -> str:
    """The document with the blocks of now."""
    text = DOCUMENT.read_text("utf-8")
    for start, end, made in ((START, END, block()), (KINDS_START, KINDS_END, kinds())):
        text = rewritten(text, start, end, made)
    return text


def _code(text: str) -> str:
    """A code span in a cell of a table."""
    mark = "``" if "`" in text else "`"
    shown = text.replace("\n", "⏎").replace("|", "\\|")
    return f"{mark}{shown}{mark}"


def _shared(bodies: list[list[str]]) -> list[str]:
    """The paragraphs that all bodies begin with."""
    same = [len(set(paragraphs)) == 1 for paragraphs in zip(*bodies, strict=False)]
    return bodies[0][: same.index(False) if False in same else len(same)]


if __name__ == "__main__":
    DOCUMENT.write_text(written(), "utf-8")
