"""Byte-level BPE for edits: no token crosses a line end, and an identifier is always cut the same way.

Spaces next to punctuation belong to the punctuation (`, `, ` = `), so the tokens of a name do not depend on what
stands before it; a rename is then a plain substitution of one run of tokens by another.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from fastedit.errors import UsageError
from fastedit.train.corpus import SourceFile, sample_lines

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


def tokenizer_of(files: Iterable[SourceFile], vocab_size: int, lines: int) -> Tokenizer:
    """One of about so many lines of the files that are trained on. Raises UsageError as `train_tokenizer` does."""
    trained = [file for file in files if not file.validation]
    return train_tokenizer(sample_lines(trained, lines, seed=0), vocab_size)


def save_tokenizer(tokenizer: Tokenizer, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(path), pretty=False)
