"""An untrained model in the embedded format: it copies by construction, so that edits run without any weights."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest

from fastedit.engine import Engine
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.train import shape
from fastedit.train.export import export
from fastedit.train.tokenizer import save_tokenizer, train_tokenizer


@pytest.fixture(scope="session")
def copier(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder: Path = tmp_path_factory.mktemp("copier")
    tokenizer = train_tokenizer(inspect.getsource(textwrap).split("\n"), 600)
    form = EmbeddedFormat(tokenizer)
    export(shape.fresh(shape.config(form.vocab_size, layers=3, mlp=32), 0, form.tags), folder)
    save_tokenizer(tokenizer, folder / "tokenizer.json")
    return Engine.load(str(folder))
