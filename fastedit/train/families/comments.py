"""Comments that come and go, and code that becomes one."""

from __future__ import annotations

import re

from fastedit.train.change import Change, revised
from fastedit.train.families.places import is_whole
from fastedit.train.families.scene import Parts, Scene, family
from fastedit.train.families.speech import ANY, SPEECH

_COMMENTED = tuple(name for name in ANY if SPEECH[name].comment)
_CODE_LIKE = re.compile(r".*(?:\w\(|\w = |\w: \S|;$|^import |^return )")


def _comment(scene: Scene, text: str) -> str:
    assert scene.speech.comment is not None
    return text.join(scene.speech.comment)


def _comment_text(scene: Scene, line: int) -> str | None:
    """What a line that is a comment and nothing else says."""
    assert scene.speech.comment is not None
    left, right = scene.speech.comment
    text = scene.lines[line].strip()
    if not (text.startswith(left) and text.endswith(right.strip())) or len(text) < 8:
        return None
    said = text.removeprefix(left).removesuffix(right)
    # A comment of several lines, or one that turns tools on, is another thing.
    return None if not said.strip() or said != said.strip() or left.strip() in said else said


@family(
    languages=_COMMENTED,
)
def comment_out(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick([i for i in scene.unique() if _comment_text(scene, i) is None])
    if at is None or any(mark in scene.lines[at] for mark in ("/*", "*/", "-->", "<!--")):
        return None
    line = scene.indent(at) + _comment(scene, scene.lines[at].strip())
    return {"a": scene.shown(at), "w": scene.where(at)}, revised(scene.lines, {at: line})


@family(
    languages=_COMMENTED,
    near=("# ", "// "),
)
def uncomment(scene: Scene) -> tuple[Parts, Change] | None:
    found = [(i, text) for i in scene.unique() if (text := _comment_text(scene, i))]
    likely = [(i, text) for i, text in found if _CODE_LIKE.match(text)]
    # Prose is no code to be brought back, but the words are the same.
    picked = scene.pick(likely or (found if scene.chance(0.15) else []))
    if picked is None:
        return None
    at, text = picked
    return {"a": scene.quoted(text), "w": scene.where(at)}, revised(
        scene.lines, {at: scene.indent(at) + text}
    )


@family(
    languages=_COMMENTED,
)
def add_comment(scene: Scene) -> tuple[Parts, Change] | None:
    at, said = scene.pick(scene.unique()), scene.words(2, 6)
    if at is None:
        return None
    comment = _comment(scene, said if scene.chance(0.5) else said.capitalize())
    parts = {"c": f"`{comment}`", "a": scene.shown(at)}
    return parts, revised(scene.lines, insert={at: [scene.indent(at) + comment]})


@family(
    languages=tuple(name for name in _COMMENTED if name not in ("markdown", "html")),
)
def add_trailing_comment(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick([i for i in scene.unique() if is_whole(scene, i) and _comment_text(scene, i) is None])
    if at is None or scene.lines[at] != scene.lines[at].rstrip():
        return None
    comment = _comment(
        scene, scene.rng.choice((scene.words(1, 4), "TODO", "noqa", "see above", "type: ignore"))
    )
    gap = "  " if scene.language == "python" else " "
    return {"c": f"`{comment}`", "a": scene.shown(at)}, revised(
        scene.lines, {at: scene.lines[at] + gap + comment}
    )


@family(
    languages=_COMMENTED,
    near=("# ", "// "),
)
def delete_comment(scene: Scene) -> tuple[Parts, Change] | None:
    picked = scene.pick([(i, text) for i in scene.unique() if (text := _comment_text(scene, i))])
    if picked is None or len(scene.lines) < 3:
        return None
    at, text = picked
    said = scene.quoted(text if scene.chance(0.6) else scene.lines[at].strip())
    return {"c": said, "w": scene.where(at)}, revised(scene.lines, drop={at})


@family(
    languages=_COMMENTED,
    near=("# ", "// "),
)
def change_comment(scene: Scene) -> tuple[Parts, Change] | None:
    picked = scene.pick([(i, text) for i in scene.unique() if (text := _comment_text(scene, i))])
    if picked is None or not scene.once(picked[1]):
        return None
    at, text = picked
    new = scene.words(2, 6)
    line = scene.indent(at) + _comment(scene, new)
    return {"c": scene.quoted(text), "d": scene.quoted(new)}, revised(scene.lines, {at: line})
