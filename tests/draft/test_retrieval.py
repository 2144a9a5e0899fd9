from __future__ import annotations

import random
import shutil

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel

from fastedit.decode.session import Session
from fastedit.draft.lookup.retrieval import LENGTH, Retrieval, RetrievalIndex
from fastedit.draft.registry import Drafting
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model.target import Target
from tests.checkpoints import VOCAB, checkpoint
from tests.decode.helpers import CHEAP, GREEDY, answer, prompt_of, random_ids, target
from tests.draft.helpers import check


def proposed(index: RetrievalIndex, tail: list[int]) -> list[list[int]]:
    (drafter,) = Retrieval(index).drafters(prompt_of([1]))
    drafter.observe(tail)
    branches = drafter.propose(30)
    for branch in branches:
        check(branch, 30)
    return [list(branch.tokens) for branch in branches]


@pytest.mark.parametrize("text", [[1, 2, 3], []], ids=["some text", "no text"])
def test_the_answer_is_that_of_plain_decoding(text):
    model, rng = target(), random.Random(1)
    prompt = prompt_of(random_ids(rng, 40), stop=[3], limit=24)
    expected = answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    for known in (expected, random_ids(rng, 3000)):
        source = Retrieval(RetrievalIndex([known, text]))
        session = Session(model, prompt, source.drafters(prompt), GREEDY, costs=CHEAP)
        assert answer(session) == expected
        assert not session.tally.switched_off
    assert session.tally.passes > 0


def test_what_follows_in_a_file_is_proposed_and_no_further_than_its_end():
    index = RetrievalIndex([[1, 2, 3, 4, 5], [6, 7, 8]])
    assert proposed(index, [9, 2, 3]) == [[4, 5]]
    assert proposed(index, [3, 4, 5]) == []
    assert proposed(index, [7, 1]) == []


def test_the_most_frequent_continuations_come_first():
    index = RetrievalIndex([[1, 2, 3, 4]] * 3 + [[1, 2, 9, 8]] * 2 + [[1, 2, 7]])
    assert proposed(index, [1, 2]) == [[3, 4], [9, 8], [7]]


def test_every_occurrence_of_the_longest_match_is_found():
    rng = random.Random(2)
    texts = [[rng.randrange(4) for _ in range(200)] for _ in range(5)]
    index = RetrievalIndex(texts)
    for _ in range(50):
        tail = [rng.randrange(4) for _ in range(12)]
        matched, following = index.following(tail)
        end = tail[-matched:]
        places = [
            text[at + matched]
            for text in texts
            for at in range(len(text) - matched)
            if text[at : at + matched] == end
        ]
        if matched and len(following) < 64:
            assert sorted(places) == sorted(t for t in following[:, 0].tolist() if t >= 0)
        assert following.shape[1] == LENGTH


def test_an_empty_index_proposes_nothing():
    assert proposed(RetrievalIndex([]), [1, 2]) == []
    assert np.shape(RetrievalIndex([]).following([1, 2])[1]) == (0, LENGTH)


def with_tokenizer(folder):
    shutil.copytree(checkpoint("qwen3"), folder)
    letters = {letter: i for i, letter in enumerate(sorted(ByteLevel.alphabet())[:VOCAB])}
    tokenizer = Tokenizer(BPE(vocab=letters, merges=[]))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.save(str(folder / "tokenizer.json"))
    return Target.load(folder)


def test_the_files_of_a_repository_are_read_and_nothing_else(tmp_path):
    model = with_tokenizer(tmp_path / "model")
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "a.py").write_text("ABCDEF\n")
    (repository / "broken.py").write_bytes(b"\xff\xfe\x00ABC")
    (repository / "notes.txt").write_text("ABCXYZ\n")
    (repository / ".git" / "b.py").write_text("ABCUVW\n")
    (drafter,) = Drafting(model).drafters(f"rest={repository}", prompt_of([1]))
    tokenizer = Tokenizer.from_file(str(tmp_path / "model" / "tokenizer.json"))
    drafter.observe(tokenizer.encode("ABC").ids)
    (branch,) = drafter.propose(3)
    assert list(branch.tokens) == tokenizer.encode("DEF").ids


def test_a_folder_without_sources_and_a_model_without_a_tokenizer_are_refused(tmp_path):
    with pytest.raises(UsageError, match="no source files there"):
        Drafting(with_tokenizer(tmp_path / "model")).drafters(f"rest={tmp_path / 'nowhere'}", prompt_of([1]))
    with pytest.raises(ModelUnavailable, match="no usable tokenizer"):
        Drafting(target()).drafters(f"rest={tmp_path}", prompt_of([1]))
