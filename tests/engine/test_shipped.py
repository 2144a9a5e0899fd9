"""The weights in the package: asked in their own format, and good for a simple sketch."""

from __future__ import annotations

from evals.demo import SKETCH, SOURCE
from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.models import load_model
from fastedit.prompt.embedded import EmbeddedFormat


def test_the_shipped_model_is_asked_in_its_own_format_and_fits_its_tokenizer():
    model = load_model("embedded")
    assert isinstance(model.format, EmbeddedFormat)
    assert model.target.vocab == model.format.vocab_size


def test_the_shipped_model_merges_a_simple_sketch_exactly():
    request = EditRequest(Document.from_text(SOURCE), update=SKETCH, policy="model")
    result = Engine.load().apply(request)
    assert result.status is Status.OK
    assert result.text == SOURCE.replace(
        "    return merged", '    merged.pop("version", None)\n    return merged'
    )
    assert result.receipt.passes > 0
