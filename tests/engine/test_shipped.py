"""The weights in the package: asked in their own format, and good for a simple sketch."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.engine.models.folder import model_folder
from fastedit.engine.models.load import load_model
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train.embedded.shape import SIZES

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("size", SIZES)
def test_a_shipped_model_is_asked_in_its_own_format_and_fits_its_tokenizer(size):
    model = load_model(size)
    assert isinstance(model.format, EmbeddedFormat)
    assert model.target.vocab == model.format.vocab_size


@pytest.mark.parametrize("size", SIZES)
def test_a_shipped_model_has_the_layers_of_its_size_and_fits_into_as_many_bytes(size):
    most = {"nano": 8, "small": 28}
    assert load_model(size).target.network.layers == SIZES[size]
    assert sum(file.stat().st_size for file in model_folder(size).glob("*")) <= most[size] * 1_000_000


@pytest.mark.parametrize("size", SIZES)
def test_a_shipped_model_merges_a_simple_sketch_exactly(size):
    source, update = ((EXAMPLES / name).read_text("utf-8") for name in ("settings.py", "sketch.txt"))
    request = EditRequest(Document.from_text(source), update=update, policy="model")
    result = Engine.load(size).apply(request)
    assert result.status is Status.OK
    assert result.text == source.replace(
        "    return merged", '    merged.pop("version", None)\n    return merged'
    )
    assert result.receipt.passes > 0
    assert result.receipt.model == size
