"""The facade: what is streamed is what is delivered, speculation changes nothing, and doubt is never `ok`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, LineRange, Sampling, Status
from fastedit.engine import HunkReady, Located, Progressed, Resulted
from fastedit.engine.models.load import LoadedModel
from fastedit.errors import ModelUnavailable, TooLong, UsageError
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.source.hunks import apply_hunks

SOURCE = """import json


def load(path):
    with open(path) as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    return merged
"""
SKETCH = """# ... existing code ...
def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    merged.pop("version", None)
    return merged
"""
WANTED = SOURCE.replace("    return merged", '    merged.pop("version", None)\n    return merged')
# Two places look alike, so the merge alone is not trusted.
TWICE = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 1\n    return x\n"


def python(**wish) -> EditRequest:
    return EditRequest(Document.from_text(SOURCE, Path("a.py")), **wish)


def request(**wish) -> EditRequest:
    """Of a text without a language, in which nothing but a model carries an instruction out."""
    return EditRequest(Document.from_text(wish.pop("source", SOURCE)), language="text", **wish)


def test_an_unambiguous_merge_is_delivered_without_a_pass_or_torch():
    code = (
        "import sys; from fastedit import *; from fastedit.engine import Engine;"
        f"r = Engine.load().apply(EditRequest(Document.from_text({SOURCE!r}), update={SKETCH!r}));"
        "print(r.status, r.receipt.passes, 'torch' in sys.modules); sys.stdout.write(r.text)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "ok 0 False\n" + WANTED


def test_verifying_never_lets_one_decode_find_what_the_other_has_computed(copier, monkeypatch):
    opened, start = [], LoadedModel.session
    monkeypatch.setattr(LoadedModel, "session", lambda *a, **k: opened.append(start(*a, **k)) or opened[-1])
    copier.verify(request(source=SOURCE * 3, instruction="x", lines=LineRange(0, 33)))
    assert [session.tally.reused for session in opened] == [0, 0]
    copier.apply(request(source=SOURCE * 3, instruction="x", lines=LineRange(0, 33)))
    assert opened[-1].tally.reused > 0


@pytest.mark.parametrize("policy", ["model", "merge", "auto"])
def test_streamed_hunks_applied_to_the_original_give_the_final_text(copier, policy):
    for wish in ({"update": SKETCH}, {"update": "    x = 2\n    return x", "source": TWICE, "symbol": "b"}):
        wished = request(policy=policy, **wish)
        events = list(copier.stream(wished))
        assert isinstance(events[0], Located)
        assert isinstance(events[-1], Resulted)
        result = events[-1].result
        hunks = tuple(event.hunk for event in events if isinstance(event, HunkReady))
        assert apply_hunks(wished.document, hunks) == result.text


def test_speculation_changes_no_token(copier):
    for wish in ({"update": SKETCH}, {"instruction": "rename load to read"}):
        verification = copier.verify(request(**wish))
        assert verification.identical
        assert verification.first_difference is None
        # Whether a draft pays is for the measured costs to say; it must never cost a pass.
        assert verification.passes_with <= verification.passes_without


def test_sampled_answers_repeat_with_their_seed(copier):
    wish = {"instruction": "rename load to read", "sampling": Sampling(temperature=1.0, seed=3)}
    assert copier.apply(request(**wish)).text == copier.apply(request(**wish)).text


def test_a_model_that_disagrees_with_the_merge_makes_the_result_suspect_and_both_are_offered(copier):
    shortened = "def load(path):\n    return json.load(open(path))\n# ...\n"
    wish = request(update=shortened, policy="model")
    merged = copier.apply(request(update=shortened, policy="merge")).text
    result = copier.apply(wish)
    assert result.text != merged
    assert result.status is Status.SUSPECT
    assert "the model and the predicted merge disagree" in result.reasons
    assert [result.text_of(other) for other in result.alternatives] == [merged]


def test_an_instruction_that_was_not_followed_is_never_ok(copier):
    result = copier.apply(request(instruction="rename load to read"))
    assert result.status is Status.SUSPECT
    assert result.reasons


def test_the_receipt_counts_every_token_once(copier):
    receipt = copier.apply(request(instruction="rename load to read")).receipt
    assert receipt.output_tokens == receipt.generated_tokens + sum(receipt.accepted.values())
    assert all(receipt.accepted[source] <= receipt.drafted[source] for source in receipt.accepted)
    assert receipt.passes >= 1
    assert receipt.tokens_per_pass == receipt.output_tokens / receipt.passes


def test_without_speculation_nothing_is_drafted(copier):
    receipt = copier.apply(request(instruction="rename load to read", speculation=False)).receipt
    assert not receipt.drafted
    assert receipt.output_tokens == receipt.generated_tokens


def test_progress_rises_to_the_end_of_the_answer(copier):
    seen = []
    copier.apply(request(instruction="rename load to read"), seen.append)
    assert [p.output_tokens for p in seen] == sorted(p.output_tokens for p in seen)
    assert all(0.0 <= p.fraction <= 1.0 for p in seen)


def test_a_closed_stream_leaves_the_next_edit_unaffected(copier):
    wanted = copier.apply(request(instruction="rename load to read")).text
    events = copier.stream(request(instruction="rename load to read"))
    next(event for event in events if isinstance(event, Progressed))
    events.close()
    assert copier.apply(request(instruction="rename load to read")).text == wanted


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({}, "nothing to do"),
        ({"instruction": "  "}, "nothing to do"),
        ({"instruction": "go", "policy": "merge"}, "needs an update"),
        ({"instruction": "go", "lines": LineRange(3, 99)}, "the file ends with line 12"),
    ],
)
def test_a_wish_that_contradicts_itself_is_refused_with_the_way_out(wish, said):
    with pytest.raises(UsageError, match=said):
        Engine.load().apply(request(**wish))


def test_a_missing_model_is_named():
    with pytest.raises(ModelUnavailable, match="no/such/folder"):
        Engine.load("no/such/folder").apply(request(instruction="rename load to read"))


def test_nothing_outside_the_given_lines_changes(copier):
    result = copier.apply(
        request(instruction="rename merged to joined", lines=LineRange(8, 12), policy="model")
    )
    assert result.text.startswith(SOURCE[: SOURCE.index("def merge")])


def test_progress_over_several_regions_rises_once_from_0_to_1(copier):
    source = "".join(f"call({n})\n" if n % 100 else "y = 0\n" for n in range(300))
    progress: list = []
    copier.apply(request(source=source, instruction="rename y to z", policy="model"), progress.append)
    assert [p.region for p in progress] == sorted(p.region for p in progress)
    assert {p.region for p in progress} == {1, 2, 3}
    assert {p.regions for p in progress} == {3}
    for values in (
        [p.fraction for p in progress],
        [p.output_tokens for p in progress],
        [p.passes for p in progress],
    ):
        assert values == sorted(values)


def test_a_region_that_cannot_fit_is_refused_before_its_tokens_are_counted(copier, monkeypatch):
    monkeypatch.setattr(EmbeddedFormat, "encode", None)
    document = Document.from_text("x = [" + "1234567, " * 100_000 + "]\n", Path("long.py"))
    with pytest.raises(TooLong, match=r"long\.py: lines 1:1: prompt and answer take 1800012 characters"):
        copier.apply(EditRequest(document, "rename x to y", policy="model"))


def test_a_model_that_does_not_what_an_instruction_plainly_says_is_doubted(copier):
    wish = python(instruction="rename load to load_all", policy="model")
    assert any("predicted edit disagree" in reason for reason in copier.apply(wish).reasons)


def test_an_entry_before_a_new_last_one_has_its_comma_whether_or_not_the_update_shows_it():
    original = '{\n  "name": "x",\n  "needs": {\n    "left": 1,\n    "right": 2\n  }\n}\n'
    update = '  "needs": {\n    "left": 1,\n    "right": 2COMMA\n    "middle": 3\n  }\n'
    document = Document.from_text(original, Path("a.json"))
    for comma in (",", ""):
        request = EditRequest(document, update=update.replace("COMMA", comma), policy="merge")
        result = Engine.load().apply(request)
        assert (result.text, result.reasons) == (original.replace("2\n", '2,\n    "middle": 3\n'), ())
