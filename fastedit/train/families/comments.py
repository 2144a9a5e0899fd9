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
    "comment out [the line |]{a}{w}",
    "comment {a} out{w}",
    "[turn|make] [the line |]{a} into a comment",
    "disable [the line |]{a} by commenting it out",
    "{a} should be commented out",
    "put a comment [mark|sign] before {a}",
    "[for now, |]comment out {a}",
    "[disable|deactivate] {a} with a comment",
    kept_back=("{a} must become a comment", "hide {a} in a comment"),
    languages=_COMMENTED,
)
def comment_out(scene: Scene) -> tuple[Parts, Change] | None:
    at = scene.pick([i for i in scene.unique() if _comment_text(scene, i) is None])
    if at is None or any(mark in scene.lines[at] for mark in ("/*", "*/", "-->", "<!--")):
        return None
    line = scene.indent(at) + _comment(scene, scene.lines[at].strip())
    return {"a": scene.shown(at), "w": scene.where(at)}, revised(scene.lines, {at: line})


@family(
    "uncomment [the line |]{a}{w}",
    "[activate|enable] the commented[-out| out] {a}{w}",
    "{a} should no longer be commented out",
    "[take|remove] the comment [mark|sign] [from|before] {a}",
    "comment {a} in again",
    "turn the comment {a} [into|back into] code",
    "{a} should be uncommented",
    "re-enable {a}, it is commented out",
    kept_back=("{a} must not be a comment any more", "bring {a} back from its comment"),
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
    "add the comment {c} [above|before|over] [the line |]{a}",
    "[put|write|insert] the comment {c} [above|before] {a}",
    "comment {a} with {c} on the line above",
    "above {a} [add|write|put] the comment {c}",
    "explain {a} with the comment {c} above it",
    "{a} needs the comment {c} above it",
    "[add|insert] {c} as a comment [above|before] {a}",
    "before {a} there should be the comment {c}",
    kept_back=("annotate {a} with the comment {c} right above", "let the comment {c} precede {a}"),
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
    "add the comment {c} [at|to] the end of [the line |]{a}",
    "[put|write] the comment {c} behind {a}",
    "append the comment {c} to {a}",
    "comment {a} with {c} on the same line",
    "on the line {a}, add the comment {c} at the end",
    "{a} needs the comment {c} on its line",
    "add {c} [behind|at the end of] {a}",
    "end the line {a} with the comment {c}",
    kept_back=("let the line {a} end in the comment {c}", "mark {a} with {c} on the same line"),
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
    "[delete|remove|drop] the comment {c}{w}",
    "the comment {c} is [wrong|outdated|misleading], [remove|delete] it",
    "get rid of the comment {c}{w}",
    "take out the comment {c}",
    "the comment {c} [can|should|must] go",
    "we [don't|do not] need the comment {c}",
    "strip the comment {c}{w}",
    "{c} is a superfluous comment, [remove|delete] it",
    kept_back=("erase the comment that says {c}", "no more comment {c}"),
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
    "[change|replace] the comment {c} [to|by|with] {d}",
    "the comment {c} should [be|say|read] {d}",
    "reword the comment {c} as {d}",
    "let the comment {c} say {d}",
    "make the comment {c} [say|read] {d} instead",
    "[rewrite|update] the comment {c} to {d}",
    "instead of {c} the comment should say {d}",
    "in the comment, say {d} instead of {c}",
    kept_back=("the comment {c} is better put as {d}", "rephrase the comment {c} to {d}"),
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
