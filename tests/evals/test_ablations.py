"""Models that differ in one choice of the recipe are trained and compared."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import typer

from evals import ablations
from evals.ablations import VALIDATED, Variant, main
from fastedit.prompt.base import RegionTask
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.sketch.align import lay
from fastedit.source.markers import parse_update
from fastedit.train import corpus as corpora
from fastedit.train.corpus import SourceFile
from fastedit.train.shape import Size
from fastedit.train.tokenizer import train_tokenizer

TEXT = Path(__file__).read_text()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    files = (SourceFile(f"own{number}", "1", "MIT", "a.py", "python", TEXT) for number in count())
    held = next(file for file in files if file.validation)
    path = tmp_path / "corpus.gz"
    corpora.save([next(file for file in files if not file.validation), held], path)
    return path


def test_models_that_differ_in_one_choice_are_trained_and_asked_the_same(
    tmp_path, corpus, monkeypatch, capsys
):
    monkeypatch.setattr(ablations, "RUNS", tmp_path / "runs")
    size = Size(width=256, layers=3, mlp=32)
    stage = replace(ablations.STAGE, longest=512)
    variants = [Variant(f"{share} scrambled", size, replace(stage, scrambled=share)) for share in (0.0, 0.5)]
    monkeypatch.setitem(ablations.FACTORS, "scrambled", variants)
    written = tmp_path / "figures.json"
    main("scrambled", minutes=0.005, count=3, tokens=512, fuse=False, corpus=corpus, json_file=written)
    models = json.loads(written.read_text())["models"]
    assert [model["variant"]["stage"]["scrambled"] for model in models] == [0.0, 0.5]
    for model in models:
        assert model["tokens"] > 0
        assert list(model["scores"]) == list(VALIDATED)
        assert all(0.0 <= share <= 1.0 for score in model["scores"].values() for share in score.values())
    assert "0.5 scrambled" in capsys.readouterr().out


def test_a_tokenizer_of_its_own_is_made_once_and_of_what_is_trained_on(tmp_path, corpus):
    files = corpora.load(corpus)
    variant = Variant("300 tokens", vocabulary=300)
    form = ablations.format_of(variant, files, tmp_path / "run")
    assert form.text_vocab == 300
    (tmp_path / "run" / "tokenizer.json").write_text(train_tokenizer(["abab"] * 9, 258).to_str())
    assert ablations.format_of(variant, files, tmp_path / "run").text_vocab == 258
    shipped = ablations.format_of(Variant("shipped"), files, tmp_path / "run")
    assert shipped.text_vocab == EmbeddedFormat.load(ablations.WEIGHTS).text_vocab


def test_without_anchors_no_line_of_an_update_says_where_it_stands(tmp_path, corpus):
    files = corpora.load(corpus)
    anchored, numbered = (
        ablations.format_of(Variant("either", anchored=anchored), files, tmp_path)
        for anchored in (True, False)
    )
    document, update = ("a = 1", "b = 2", "c = 3"), parse_update("a = 1\n# ...\nc = 4\n", "python", ())
    task = RegionTask(document, None, update, lay(document, update).targets, "python")
    shared = [
        {token for token in set(prompt.original) & set(prompt.update) if token >= form.tags.base}
        for form in (anchored, numbered)
        for prompt in [form.encode(task, None)]
    ]
    assert len(shared[0]) == 2
    assert not shared[1]


def test_the_recipe_as_it_is_is_trained_once_for_all_tables():
    shared = [
        variant for variants in ablations.FACTORS.values() for variant in variants if variant == Variant("")
    ]
    assert len(shared) == len(ablations.FACTORS)


def test_an_unknown_choice_and_a_missing_corpus_are_refused_by_name(tmp_path):
    with pytest.raises(typer.BadParameter, match="choose from scrambled"):
        main("colour")
    with pytest.raises(typer.BadParameter, match="no such corpus"):
        main("depth", corpus=tmp_path / "none.gz")
