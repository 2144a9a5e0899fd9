"""A model behind an address: the same place, checks and hunks as with a local one, whatever it answers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from fastedit import Document, EditRequest, Engine, Sampling, Status
from fastedit.engine import HunkReady, Progressed
from fastedit.errors import UsageError
from fastedit.source.hunks import apply_hunks
from tests.connect.fake import Fake, running

SOURCE = "def load(path):\r\n    return open(path).read()  # \u2028\r\n\r\n\r\nprint(1)"


@pytest.fixture
def upstream() -> Iterator[Fake]:
    """A model that renames as it is told."""
    with running() as fake:
        answers(fake, "<updated-code>\n{code}\n</updated-code>")
        yield fake


def answers(fake: Fake, text: str) -> None:
    """It says this, with the source and its name read in place of load."""
    fake.says = text.replace("{code}", "\n".join(SOURCE.split("\r\n")).replace("load", "read"))


def rename(**wish) -> EditRequest:
    """In a text without a language, where nothing but a model carries it out."""
    return EditRequest(Document.from_text(SOURCE), instruction="rename load to read", language="text", **wish)


def test_the_answer_becomes_hunks_and_all_other_bytes_stay(upstream):
    engine = Engine.load(upstream.root)
    events = list(engine.stream(rename()))
    result = events[-1].result
    assert result.status is Status.OK
    assert result.text == SOURCE.replace("load", "read")
    hunks = tuple(event.hunk for event in events if isinstance(event, HunkReady))
    assert apply_hunks(result.document, hunks) == result.text
    assert any(isinstance(event, Progressed) for event in events)
    assert result.receipt.model == upstream.root
    assert result.receipt.output_tokens == 9
    assert result.receipt.accepted == {"original": 5}
    assert result.receipt.drafted == {"original": 7}


def test_the_server_is_asked_for_its_model_with_the_original_as_prediction(upstream):
    Engine.load(upstream.root).apply(rename(sampling=Sampling(temperature=0.5, top_p=0.9, seed=7)))
    (body,) = upstream.bodies
    assert body["model"] == "big-model"
    assert body["prediction"]["content"].startswith("<updated-code>\ndef load(path):\n")
    assert (body["temperature"], body["top_p"], body["seed"]) == (0.5, 0.9, 7)
    Engine.load(f"{upstream.root}/v1#other").apply(rename(speculation=False))
    assert upstream.bodies[1]["model"] == "other"
    assert "prediction" not in upstream.bodies[1]


def test_what_a_server_cannot_do_is_a_usage_error(upstream):
    with pytest.raises(UsageError, match="top_k"):
        Engine.load(upstream.root).apply(rename(sampling=Sampling(temperature=1.0, top_k=5)))
    with pytest.raises(UsageError, match="verify"):
        Engine.load(upstream.root).verify(rename())


def test_asking_a_server_never_imports_torch(upstream):
    code = (
        "import sys; from fastedit import *;"
        f"r = Engine.load({upstream.root!r}).apply(EditRequest(Document.from_text({SOURCE!r}), 'rename load to read'));"
        "print(r.status, 'torch' in sys.modules, 'transformers' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "ok False False\n"


def test_the_first_edit_of_a_warm_engine_waits_for_no_module(upstream):
    code = (
        "import sys; from pathlib import Path; from fastedit import *;"
        f"engine = Engine.load({upstream.root!r}); engine.warm(); before = set(sys.modules);"
        f"engine.apply(EditRequest(Document.from_text({SOURCE!r}, Path('a.py')), 'say what load takes'));"
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('anyio.')))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "[]\n"
