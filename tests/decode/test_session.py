from __future__ import annotations

import random
from threading import Lock

import pytest
import torch
from transformers import AutoModelForCausalLM

from fastedit.decode.session import CHUNK, Session, decode
from fastedit.draft.base import Branch
from fastedit.draft.budget import CostTable
from fastedit.errors import Cancelled, TooLong
from fastedit.result import Receipt
from fastedit.sampling import Sampling
from tests.checkpoints import CONTEXT, MODELS, VOCAB, checkpoint
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids, target
from tests.waiting import ended, started

SAMPLED = Sampling(temperature=1.3, top_p=0.95, top_k=40, seed=7)


def session_of(prompt, drafters=(), sampling=GREEDY, *, model=None, **kwargs):
    return Session(model or target(), prompt, drafters, sampling, costs=CHEAP, **kwargs)


def undrafted(prompt, sampling=GREEDY, model=None):
    return answer(session_of(prompt, (), sampling, model=model, speculation=False))


class Scripted:
    """Proposes the same branches, whatever has been said."""

    name = "scripted"

    def __init__(self, *branches: list[int]) -> None:
        self._branches = branches

    def observe(self, tokens):
        pass

    def propose(self, limit):
        return [Branch(tokens, [0.99**i for i in range(len(tokens))], self.name) for tokens in self._branches]


@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
@pytest.mark.parametrize("name", MODELS)
def test_the_answer_does_not_depend_on_what_was_drafted(name, sampling):
    model, rng = target(name), random.Random(name)
    for _ in range(4):
        prompt = prompt_of(random_ids(rng, rng.randrange(1, 60)), stop=[3, 4])
        plain = session_of(prompt, (), sampling, model=model, speculation=False)
        expected = answer(plain)
        for error in (0.0, 0.15):
            drafter = Noisy(expected, rng, error)
            drafted = session_of(prompt, [drafter], sampling, model=model, max_rows=rng.randrange(2, 100))
            assert answer(drafted) == expected == drafter.observed
            assert drafted.finished == plain.finished


def test_greedy_answers_are_those_of_a_whole_forward_pass_a_token():
    rng = random.Random(1)
    prompt = prompt_of(random_ids(rng, 30), limit=30)
    with torch.inference_mode():
        model = AutoModelForCausalLM.from_pretrained(checkpoint("qwen3"))
        ids = list(prompt.ids)
        for _ in range(30):
            ids.append(int(model(torch.tensor([ids])).logits[0, -1].argmax()))
    expected = ids[30:]
    assert undrafted(prompt) == expected
    assert answer(session_of(prompt, [Noisy(expected, rng, 0.1)])) == expected


def test_a_right_draft_is_verified_by_the_pass_that_reads_the_prompt():
    prompt = prompt_of(random_ids(random.Random(2), 50), limit=24)
    expected = undrafted(prompt)
    session = session_of(prompt, [Scripted(expected)])
    assert answer(session) == expected
    assert session.tally.rows == [50 + 24]
    assert session.tally.passes == 1


def test_an_answer_ends_at_a_stop_token_inside_a_draft():
    prompt = prompt_of(random_ids(random.Random(3), 40), limit=24)
    whole = undrafted(prompt)
    end = next(i for i in range(6, 24) if whole[i] not in whole[:i])
    stopping = prompt_of(prompt.ids, stop=[whole[end]], limit=24)
    session = session_of(stopping, [Scripted(whole)])
    (last,) = decode(session)
    assert list(last.tokens) == session.output == whole[:end]
    assert last.drafted == session.tally.accepted["scripted"] == end
    assert (last.finished, session.finished) == ("stop", "stop")
    assert undrafted(stopping) == whole[:end]


@pytest.mark.parametrize("error", [0.0, 0.1, 0.4])
def test_an_answer_is_as_sure_with_any_drafts(error):
    ids = random_ids(random.Random(6), 40)
    prompt, rng = prompt_of(ids, limit=24), random.Random(1)
    plain, drafted = Receipt(), Receipt()
    session = session_of(prompt, [], speculation=False)
    list(decode(session))
    session.record(plain)
    again = session_of(prompt, [Noisy(session.output, rng, error)])
    list(decode(again))
    again.record(drafted)
    assert plain.margin == pytest.approx(drafted.margin, abs=1e-4)


@pytest.mark.parametrize("speculation", [True, False])
def test_the_limit_is_reported_unless_the_model_stops_right_there(speculation):
    prompt = prompt_of(random_ids(random.Random(4), 40), limit=24)
    whole = undrafted(prompt)
    at = next(i for i in range(5, 23) if whole[i] not in whole[:i])
    for stop, finished in (([], "limit"), ([whole[at]], "stop")):
        limited = prompt_of(prompt.ids, stop=stop, limit=at)
        session = session_of(limited, [Scripted(whole)], speculation=speculation)
        assert answer(session) == whole[:at]
        assert session.finished == finished


def test_without_speculation_no_drafter_is_asked_and_a_pass_has_one_row():
    class Untouchable:
        name = "untouchable"

        def observe(self, tokens):
            raise AssertionError

        propose = observe

    prompt = prompt_of(random_ids(random.Random(5), 40), limit=9)
    session = session_of(prompt, [Untouchable()], speculation=False)
    assert [len(accepted.tokens) for accepted in decode(session)] == [1] * 9 + [0]
    assert session.tally.rows == [40] + [1] * 9


def test_a_long_prompt_is_read_in_chunks_and_drafted_behind_the_last():
    prompt = prompt_of(random_ids(random.Random(6), 2 * CHUNK + 100), limit=10)
    expected = undrafted(prompt)
    session = session_of(prompt, [Scripted(expected)])
    passes = list(decode(session))
    assert [accepted.tokens for accepted in passes] == [(), (), tuple(expected)]
    assert session.tally.rows == [CHUNK, CHUNK, 100 + 10]
    assert (session.tally.prefills, session.tally.passes) == (2, 1)
    with torch.inference_mode():
        model = AutoModelForCausalLM.from_pretrained(checkpoint("qwen3"))
        logits = model(torch.tensor([[*prompt.ids, *expected]])).logits[0]
    assert logits[len(prompt.ids) - 1 : -1].argmax(-1).tolist() == expected


def test_prompt_and_answer_may_fill_the_context_exactly():
    ids = random_ids(random.Random(7), CONTEXT - 20)
    prompt = prompt_of(ids, limit=20)
    expected = undrafted(prompt)
    assert len(expected) == 20
    assert answer(session_of(prompt, [Scripted(expected + [1] * 100)])) == expected
    with pytest.raises(TooLong, match=rf"{CONTEXT + 1} tokens.*{CONTEXT}"):
        session_of(prompt_of(ids, limit=21))


def test_closing_gives_the_memory_back_and_ends_the_session():
    session = session_of(prompt_of(random_ids(random.Random(8), 40)))
    session.step()
    session.close()
    session.close()
    assert session._cache.capacity == 0
    with pytest.raises(Cancelled):
        session.step()


def test_closing_from_another_thread_ends_the_pass_that_is_running():
    class Closer(Scripted):
        def propose(self, limit):
            assert ended(started(session.close))
            return super().propose(limit)

    session = session_of(prompt_of(random_ids(random.Random(9), 40)), [Closer([1, 2, 3])])
    with pytest.raises(Cancelled):
        session.step()
    assert session._cache.capacity == 0


def test_closing_at_the_very_end_of_a_step_gives_the_memory_back():
    class Last:
        """A lock under which somebody else closes the session just before it is let go."""

        def __init__(self):
            lock = Lock()
            self.acquire, self.release = lock.acquire, lock.release

        def __enter__(self):
            self.acquire()

        def __exit__(self, *error):
            session.close()
            self.release()

    session = session_of(prompt_of(random_ids(random.Random(13), 40)))
    session._running = Last()
    session.step()
    assert session._cache.capacity == 0


def test_a_caller_that_stops_early_gives_the_memory_back():
    session = session_of(prompt_of(random_ids(random.Random(10), 40)))
    passes = decode(session)
    next(passes)
    assert session._cache.capacity > 0
    passes.close()
    assert session._cache.capacity == 0


def test_two_sessions_on_one_model_do_not_disturb_each_other():
    rng, model = random.Random(11), target()
    prompts = [prompt_of(random_ids(rng, 30)) for _ in range(2)]
    expected = [undrafted(prompt, model=model) for prompt in prompts]
    pair = [session_of(p, [Noisy(e, rng, 0.1)], model=model) for p, e in zip(prompts, expected, strict=True)]
    while any(session.finished is None for session in pair):
        for session in pair:
            if session.finished is None:
                session.step()
                session._cache.check_integrity()
    assert [session.output for session in pair] == expected


def test_the_receipt_adds_up():
    prompt = prompt_of(random_ids(random.Random(12), 40), limit=24)
    expected = undrafted(prompt)
    receipt = Receipt()
    for _ in range(2):
        session = session_of(prompt, [Noisy(expected, random.Random(3), 0.1)])
        passes = list(decode(session))
        session.record(receipt)
    kept = [accepted.drafted for accepted in passes]
    assert receipt.output_tokens == 2 * sum(len(accepted.tokens) for accepted in passes) == 48
    assert receipt.prompt_tokens == 80
    assert receipt.passes == 2 * len(passes) == 2 * session.tally.passes
    assert receipt.generated_tokens == 48 - 2 * sum(kept)
    assert receipt.accepted.keys() == {"copy", "guess"}
    assert sum(receipt.accepted.values()) == 2 * sum(kept)
    assert all(receipt.drafted[source] >= count for source, count in receipt.accepted.items())
    assert sum(session.tally.drafted.values()) + 40 + len(passes) - 1 == sum(session.tally.rows)
    assert receipt.margin is not None
    assert receipt.margin > 0
    assert receipt.rows == 2 * sum(session.tally.rows)
    assert receipt.accepted_at == [2 * sum(k >= 2**i for k in kept) for i in range(max(kept).bit_length())]
    assert all(a <= b for a, b in zip(receipt.accepted_at, receipt.offered_at, strict=False))
    assert receipt.offered_at[0] + receipt.undrafted_passes == receipt.passes


def test_drafts_that_cost_more_than_they_bring_are_left_out_and_the_receipt_shows_it():
    prompt = prompt_of(random_ids(random.Random(17), 40), limit=12)
    dear = CostTable((1, 128), (1.0, 500.0))
    for options in ({"speculation": True}, {"speculation": False}):
        receipt = Receipt()
        unlikely = Scripted(*[[token] * 4 for token in range(5, 9)])
        session = Session(target(), prompt, [unlikely], GREEDY, costs=dear, **options)
        answer(session)
        session.record(receipt)
        # The last one finds that the model would go on.
        assert receipt.undrafted_passes == receipt.passes == 13
        assert receipt.offered_at == receipt.accepted_at == []


def test_another_seed_gives_another_answer():
    prompt = prompt_of(random_ids(random.Random(13), 40))
    answers = {tuple(undrafted(prompt, Sampling(temperature=1.5, seed=seed))) for seed in range(8)}
    assert len(answers) == 8
    assert {token for tokens in answers for token in tokens} <= set(range(VOCAB))
