from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from fastedit.english.features import TRAITS, Seen
from fastedit.english.forms import forms
from fastedit.english.network import Network as Shipped
from fastedit.train.corpus import SourceFile
from fastedit.train.english.draw import Drawer, Example, grounds_of
from fastedit.train.english.fit import fit, learned, save, shape_of
from fastedit.train.english.judge import judged
from fastedit.train.families.wording import sentences, unsaid
from tests.english.samples import FILES

LANGUAGES = {".py": "python", ".json": "json", ".toml": "toml", ".css": "css", ".ts": "typescript"}


@pytest.fixture(scope="module")
def drawn() -> list[Example]:
    files = [
        SourceFile("p", "1", "MIT", name, LANGUAGES[name[name.index(".") :]], text)
        for name, text in FILES.items()
    ]
    drawer, rng = Drawer(list(grounds_of(files))), random.Random(0)
    return [drawer.draw(rng) for _ in range(600)]


def test_what_is_drawn_has_the_fields_of_its_form_where_it_says(drawn):
    told = [example for example in drawn if example.form]
    assert len({example.form for example in told}) > len(forms()) - 6, "some are rare in so few files"
    for example in told:
        form = forms()[example.form]
        assert form.required <= example.spans.keys() <= form.fields
        assert all(example.instruction[start:stop].strip() for start, stop in example.spans.values())


def test_half_of_what_is_drawn_says_nothing(drawn):
    told = sum(example.form is not None for example in drawn)
    assert 0.3 < told / len(drawn) < 0.7
    assert not any(example.spans for example in drawn if example.form is None)


def test_sentences_that_are_held_out_are_no_part_of_training():
    for form in forms():
        assert sentences(form, True)
        assert set(sentences(form, True)).isdisjoint(sentences(form, False))
    assert set(unsaid(True)).isdisjoint(unsaid(False))


def test_the_package_reads_what_training_writes(drawn, tmp_path):
    shape = shape_of(drawn, tuple(forms()))
    rows = [row for example in drawn if (row := learned(example, shape)) is not None]
    network = fit(rows, shape, minutes=0.01, seed=0, tell=lambda line: None)
    save(network, shape, tmp_path / "parser.npz")
    shipped = Shipped.load(tmp_path / "parser.npz")
    assert (shipped.forms, shipped.fields) == (shape.forms, shape.fields)
    numbers = np.array([1, 0, len(shape.vocabulary) - 1])
    traits = np.eye(3, len(TRAITS), dtype=np.float32)
    with torch.no_grad():
        logits, marks = network(
            torch.tensor(numbers)[None], torch.tensor(traits)[None], torch.ones(1, 3).bool()
        )
    reading = shipped.read(Seen(numbers, traits))
    assert np.allclose(reading.forms, logits.softmax(-1)[0].numpy(), atol=0.01)
    assert np.allclose(reading.tags, marks.softmax(-1)[0].numpy(), atol=0.01)
    assert len(judged(tmp_path / "parser.npz", drawn[:50])) > 3
