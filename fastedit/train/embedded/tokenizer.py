"""Byte-level BPE for edits: no token crosses a line end, and an identifier is always cut the same way.

Spaces next to punctuation belong to the punctuation (`, `, ` = `), so the tokens of a name do not depend on what
stands before it; a rename is then a plain substitution of one run of tokens by another.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from fastedit.errors import UsageError
from fastedit.train.sources.corpus import SourceFile

PIECES = r" ?[^A-Za-z0-9_ \t]+ ?|[A-Za-z_]+|[0-9]| +|\t+"


def train_tokenizer(lines: Iterable[str], vocab_size: int) -> Tokenizer:
    """A tokenizer of exactly `vocab_size` entries, all 256 bytes among them, trained on lines without line ends.

    Raises UsageError where the lines do not yield so many, or so few.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        max_token_length=16,
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    if tokenizer.get_vocab_size() != vocab_size:
        raise UsageError(
            f"the corpus yields a vocabulary of {tokenizer.get_vocab_size()} tokens, not {vocab_size}; give another "
            "--vocabulary"
        )
    return tokenizer


def sampled_lines(files: Iterable[SourceFile], count: int) -> Iterator[str]:
    """Lines of the files that are trained on, drawn file by file."""
    trained = [file for file in files if not file.validation]
    drawn = random.Random(0).sample(trained, len(trained))
    return islice((line for file in drawn for line in file.text.split("\n")), count)


def save_tokenizer(tokenizer: Tokenizer, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(path), pretty=False)
