"""A model and the tokenizer beside it belong together, or are refused."""

from __future__ import annotations

import inspect
import shutil
import textwrap

import pytest

from fastedit.engine.models.load import load_model
from fastedit.errors import ModelUnavailable
from fastedit.train.embedded.tokenizer import save_tokenizer, train_tokenizer


def test_a_tokenizer_of_another_embedded_model_is_refused_with_both_sizes(copier, tmp_path):
    folder = shutil.copytree(copier.model, tmp_path / "model")
    save_tokenizer(train_tokenizer(inspect.getsource(textwrap).split("\n"), 500), folder / "tokenizer.json")
    with pytest.raises(ModelUnavailable, match="1164 tokens and its embedding 1264 rows"):
        load_model(str(folder))


def test_a_tokenizer_with_more_tokens_than_a_chat_model_has_rows_is_refused_with_both_sizes(talker, tmp_path):
    folder = shutil.copytree(talker, tmp_path / "model")
    save_tokenizer(train_tokenizer(inspect.getsource(textwrap).split("\n"), 400), folder / "tokenizer.json")
    with pytest.raises(ModelUnavailable, match="400 tokens and its embedding 301 rows"):
        load_model(str(folder))
