"""Decoding through the kernels: on a GPU where there is one, else through Triton's interpreter and without graphs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import contextmanager, nullcontext
from threading import Lock

import numpy as np
import pytest
import torch
from fastedit_kernels.packing import Packing
from fastedit_kernels.tree_attention.plan import Heads, PassPlan, exact_block

from fastedit.decode import passes
from fastedit.decode.layout import PassPart, lay_out
from fastedit.decode.passes import run_pass
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session
from fastedit.draft.base import Branch
from fastedit.draft.budget import Pace
from fastedit.draft.models.reading import CachedSequence
from fastedit.draft.registry import Drafting
from fastedit.draft.tree import Merger, TokenTree
from fastedit.engine.models.folder import NANO
from fastedit.engine.models.load import LoadedModel
from fastedit.errors import ModelUnavailable
from fastedit.model import buckets
from fastedit.model import target as targets
from fastedit.model import warm as warming
from fastedit.model.buckets import Buckets
from fastedit.model.device import Device, inputs_of, missing
from fastedit.model.pages import PagePool
from fastedit.model.target import Target
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.sampling import Sampling
from tests.checkpoints import VOCAB, checkpoint
from tests.decode.helpers import CHEAP, GREEDY, Noisy, answer, prompt_of, random_ids, target
from tests.kernels.helpers import DEVICE, needs_triton
from tests.model.room import Room
from tests.model.test_heads import folder_of


def on_device(name: str) -> Target:
    model = Target.load(checkpoint(name), dtype=torch.float32, device=str(DEVICE))
    if model.kernels is None:
        model.kernels = Device(model.network, model.pool, graphs=False)
    return model


@needs_triton
@pytest.mark.parametrize(
    ("name", "length", "sampling"),
    [
        ("qwen3", 62, GREEDY),  # the answer begins a page
        ("mistral-window", 20, GREEDY),
        ("qwen2-windows", 20, GREEDY),
        ("qwen2", 9, Sampling(temperature=1.1, seed=5)),
    ],
    ids=["qwen3", "mistral-window", "qwen2-windows", "qwen2-sampled"],
)
def test_answers_are_those_of_plain_torch(name, length, sampling):
    rng, plain, model = random.Random(0), target(name), on_device(name)
    prompt = prompt_of(random_ids(rng, length), stop=[3], limit=4)
    expected = answer(Session(plain, prompt, (), sampling, costs=CHEAP, speculation=False))
    drafter = Noisy(expected, rng, 0.1)
    assert answer(Session(model, prompt, [drafter], sampling, costs=CHEAP, max_rows=6)) == expected
    model.pool.check_integrity()
    assert not model.pool._holders.any()


class Drawing:
    """Draws a chain of two at random, the same at each place of an answer, and says what it drew from."""

    name = "drawing"

    def __init__(self) -> None:
        self._at = 0

    def observe(self, tokens: Sequence[int]) -> None:
        self._at += len(tokens)

    def propose(self, limit: int) -> list[Branch]:
        rng = np.random.default_rng(self._at)
        chances = rng.dirichlet([2.0] * VOCAB, size=min(2, limit))
        tokens = [int(rng.choice(VOCAB, p=q)) for q in chances]
        return [Branch(tokens, [0.9] * len(tokens), self.name, chances.astype(np.float32))] if tokens else []


@needs_triton
@pytest.mark.parametrize("acceptance", ["branches", "block"])
def test_drafts_that_are_drawn_at_random_are_accepted_on_the_device_as_in_plain_torch(
    acceptance, monkeypatch
):
    rng, sampling = random.Random(4), Sampling(temperature=3.0, seed=2, acceptance=acceptance)
    prompt = prompt_of(random_ids(rng, 9), limit=5)
    plain, model = target("qwen2"), on_device("qwen2")
    expected = answer(Session(plain, prompt, [Drawing()], sampling, costs=CHEAP, max_rows=4))
    monkeypatch.setattr(passes, "_decide", lambda *_: pytest.fail("decided on the host"))
    assert answer(Session(model, prompt, [Drawing()], sampling, costs=CHEAP, max_rows=4)) == expected


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the interpreter is numpy, which minds NaN
def test_prompts_and_trees_of_several_requests_share_a_pass_and_broken_numbers_end_one_alone():
    rng, plain, model = random.Random(1), target("llama"), on_device("llama")
    prompts = [prompt_of(random_ids(rng, n), limit=4) for n in (12, 40, 9)]
    expected = [answer(Session(plain, p, (), GREEDY, costs=CHEAP, speculation=False)) for p in prompts]
    used = {token for prompt, found in zip(prompts, expected, strict=True) for token in (*prompt.ids, *found)}
    broken = min(set(range(VOCAB)) - used)
    model.network.embedding[broken] = torch.nan
    prompts[1] = prompt_of([*prompts[1].ids, broken], limit=4)
    sessions = [
        Session(model, p, [Noisy(e, rng, 0.0)] if i != 1 else (), GREEDY, costs=CHEAP, max_rows=6)
        for i, (p, e) in enumerate(zip(prompts, expected, strict=True))
    ]
    live, errors = dict(enumerate(sessions)), {}
    while live:
        turns = {index: session._turn() for index, session in live.items()}
        run_pass(model, CHEAP, list(turns.values()))
        for index, turn in turns.items():
            if turn.error is not None:
                errors[index] = turn.error
            else:
                sessions[index]._settle(turn)
        live = {i: s for i, s in live.items() if s.finished is None and i not in errors}
    assert [sessions[0].output, sessions[2].output] == [expected[0], expected[2]]
    assert isinstance(errors.pop(1), ModelUnavailable)
    assert not errors


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
@pytest.mark.parametrize("exact", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_passes_of_a_bucket_share_tensors_that_stay_and_none_sees_what_another_left(exact):
    """All that a CUDA graph holds, run without one: room for more rows, tiles and items than any of these needs."""
    rng, model = random.Random(2), on_device("qwen3")
    device = Device(model.network, model.pool, graphs=False, exact=exact)
    bucket, block = 16, exact_block(model.network.heads)
    rooms = device._shapes(bucket, block, bucket)
    packing = Packing(rooms, DEVICE)
    plans = {None: PassPlan.of(block, rooms["items"][0], packing.views(), exact=exact)}
    draft = Merger([Branch(random_ids(rng, 5), [0.9] * 5, "a"), Branch(random_ids(rng, 4), [0.8] * 4, "b")])
    caches = [model.new_cache() for _ in range(3)]
    trunks = [random_ids(rng, count) for count in (5, 2, 4)]
    each = [
        [PassPart(trunk, TokenTree.empty(), cache) for trunk, cache in zip(trunks, caches, strict=True)],
        [PassPart([1], draft.tree([5, 4]), caches[1])],
        [PassPart([2, 3], draft.tree([2, 1]), caches[0]), PassPart([5], TokenTree.empty(), caches[2])],
    ]
    for parts in each:
        rows = lay_out(parts)
        expected = device._forward(rows, block)
        packing.send(device._arrays(rows, block, bucket, bucket)[0])
        with torch.inference_mode():
            found = model.network.forward(inputs_of(packing.views(), plans, model.pool))
        assert len(found) == bucket
        torch.testing.assert_close(found[: len(rows.wanted)], expected, atol=0 if exact else 1e-5, rtol=1e-5)
        for trunk, _, cache in parts:
            cache.keep(range(len(trunk)))
        model.pool.check_integrity()


@needs_triton
def test_answers_on_one_file_read_what_they_share_once_and_stay_those_of_plain_torch():
    rng, plain, model = random.Random(5), target("qwen3"), on_device("qwen3")
    file = random_ids(rng, 70)
    prompts = [prompt_of([*file, *random_ids(rng, n)], limit=3) for n in (3, 9, 5)]
    expected = [answer(Session(plain, p, (), GREEDY, costs=CHEAP, speculation=False)) for p in prompts]
    first = Session(model, prompts[0], (), GREEDY, costs=CHEAP, speculation=False)
    assert answer(first) == expected[0]  # which leaves the file in the cache
    sessions = [Session(model, p, (), GREEDY, costs=CHEAP, speculation=False) for p in prompts]
    cascades = []
    while live := [session for session in sessions if session.finished is None]:
        turns = [session._turn() for session in live]
        run_pass(model, CHEAP, turns)
        cascades.append(bool((model.kernels._plans[None].tiles[:, 5] >= 0).any()))
        for session, turn in zip(live, turns, strict=True):
            session._settle(turn)
    assert [session.output for session in sessions] == expected
    assert cascades[0] is False  # the prompts' own ends, several rows each, would gain nothing
    assert all(cascades[1:])
    model.pool.check_integrity()


@needs_triton
def test_layers_of_each_window_have_as_many_programs_as_the_device_holds_of_theirs(monkeypatch):
    held = {None: 6, 9: 4}
    monkeypatch.setattr(Device, "_programs", lambda self, block, window: held[window])
    rng, plain, model = random.Random(0), target("qwen2-windows"), on_device("qwen2-windows")
    prompt = prompt_of(random_ids(rng, 20), limit=2)
    expected = answer(Session(plain, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    assert answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)) == expected
    kv_heads = model.network.heads.kv_heads
    plans = model.kernels._plans
    assert {window: len(plan.programs) - 1 for window, plan in plans.items()} == {
        window: count // kv_heads for window, count in held.items()
    }


@needs_triton
def test_warming_a_model_leaves_its_cache_free_and_its_answers_alone(monkeypatch):
    rng, plain, model = random.Random(3), target("qwen3"), on_device("qwen3")
    samples = [((1,), 1), ((5,), 2), ((3, 1, 1), 4), ((7,), 0), ((10**6,), 1)]
    monkeypatch.setattr(model.kernels, "samples", lambda: samples)
    warming.warm(model)
    assert not model.pool._holders.any()
    prompt = prompt_of(random_ids(rng, 9), limit=2)
    expected = answer(Session(plain, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    assert answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)) == expected


@needs_triton
def test_tiles_of_passes_that_are_too_long_for_any_graph_are_warmed_too():
    device = on_device("qwen3").kernels
    every = {device._block(counts[0]) for counts, _ in device.samples()}
    assert len(every) > 1
    device.buckets = Buckets((2,), flat=2)
    assert {device._block(counts[0]) for counts, _ in device.samples()} == every


@needs_triton
@pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU, which would be timed")
def test_where_products_cannot_be_timed_one_line_says_so_and_each_row_counts(caplog):
    device = on_device("qwen3").kernels
    untimed = device.buckets
    device._room = Room()
    assert device._buckets(16) == untimed
    (line,) = caplog.messages
    assert line.startswith("CUDA graphs are kept for more row counts than may be needed: RuntimeError: ")


def with_graphs(
    name: str, room: Room, monkeypatch: pytest.MonkeyPatch, rows: tuple[int, ...] = (4, 8)
) -> Target:
    """Small ones, so that the interpreter is soon done with them."""
    model = on_device(name)
    model.kernels = Device(model.network, model.pool, graphs=False)  # on a GPU there are real ones by now
    monkeypatch.setattr(buckets, "MOST", rows[-1])
    model.kernels._room = room
    model.kernels.buckets = Buckets(rows, flat=2)
    return model


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
def test_after_warming_no_pass_of_an_edit_captures_a_graph_and_answers_are_those_of_plain_torch(monkeypatch):
    rng, plain, room = random.Random(3), target("qwen3"), Room()
    model = with_graphs("qwen3", room, monkeypatch)
    warming.warm(model)
    assert model.kernels.has_graphs
    assert not model.pool._holders.any()
    captured, replays = room.captures, room.replays
    prompt = prompt_of(random_ids(rng, 4), limit=6)
    expected = answer(Session(plain, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    drafter = Noisy(expected, rng, 0.1)
    assert answer(Session(model, prompt, [drafter], GREEDY, costs=CHEAP, max_rows=4)) == expected
    assert room.captures == captured
    assert room.replays > replays


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
@pytest.mark.parametrize("requests", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_after_warming_requests_that_share_a_pass_capture_no_graph(requests, monkeypatch):
    rng, plain, room = random.Random(3), target("qwen3"), Room()
    model = with_graphs("qwen3", room, monkeypatch)
    warming.warm(model)
    captured = room.captures
    prompts = [prompt_of(random_ids(rng, 1), limit=2) for _ in range(requests)]
    expected = [answer(Session(plain, p, (), GREEDY, costs=CHEAP, speculation=False)) for p in prompts]
    sessions = [Session(model, p, (), GREEDY, costs=CHEAP, speculation=False) for p in prompts]
    while live := [session for session in sessions if session.finished is None]:
        turns = [session._turn() for session in live]
        run_pass(model, CHEAP, turns)
        for session, turn in zip(live, turns, strict=True):
            session._settle(turn)
    assert [session.output for session in sessions] == expected
    assert room.captures == captured


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
def test_all_graphs_of_a_model_write_their_logits_to_one_buffer(monkeypatch):
    model = with_graphs("qwen3", Room(), monkeypatch)
    warming.warm(model)
    buffer = model.kernels._logits
    assert buffer.shape == (8, model.vocab)
    graphs = model.kernels._graphs._made
    assert len(graphs) > 2
    for size, graph in graphs.items():
        assert graph._logits.untyped_storage().data_ptr() == buffer.untyped_storage().data_ptr()
        assert graph._logits.shape == (size.wanted, model.vocab)


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
def test_a_drafter_that_reads_hidden_states_has_its_graphs_captured_while_a_model_warms_up(
    tmp_path, monkeypatch
):
    room = Room()
    model = with_graphs("qwen3", room, monkeypatch, rows=(4,))
    scheduler, drafting = Scheduler(model, CHEAP), Drafting(model)
    loaded = LoadedModel("tiny", model, EmbeddedFormat.load(NANO), CHEAP, scheduler, drafting)
    loaded.warm("lookup")
    assert room.captures == 0  # those that hand out no states are captured when a model is loaded
    drafter = f"eagle={folder_of('speculators3', tmp_path)}"
    loaded.warm(drafter)
    captured = room.captures
    session = loaded.session(prompt_of([1, 2], limit=2), GREEDY, drafter=drafter)
    assert session._panel.layers
    answer(session)
    assert room.captures == captured > 0


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
def test_a_graph_that_cannot_be_captured_is_tried_again_while_passes_go_on_without_it(monkeypatch, caplog):
    monkeypatch.setattr("fastedit.model.graphs.PATIENCE", 2)
    rng, plain, room = random.Random(3), target("qwen3"), Room(failures=1)
    model = with_graphs("qwen3", room, monkeypatch)
    prompt = prompt_of(random_ids(rng, 3), limit=5)
    expected = answer(Session(plain, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    assert answer(Session(model, prompt, (), GREEDY, costs=CHEAP, speculation=False)) == expected
    (line,) = caplog.messages
    assert line == "no CUDA graph for now, next try in 2 passes: OutOfMemoryError: no memory"
    assert model.kernels is not None  # memory that is short is no reason to go without kernels
    assert model.kernels.has_graphs
    assert room.replays > 0


@needs_triton
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # rows that only fill up hold whatever memory held
def test_what_a_draft_model_has_said_stays_when_its_graph_is_replayed(monkeypatch):
    room = Room()
    reading = CachedSequence(with_graphs("qwen3", room, monkeypatch, rows=(4,)), Lock())
    said = reading.read([1, 2])
    kept = said.clone()
    again = reading.read([3])
    assert room.replays > 1
    assert not torch.equal(again, kept)
    assert torch.equal(said, kept)


@needs_triton
def test_a_pass_that_reads_a_part_of_a_prompt_is_not_waited_for(monkeypatch):
    model = on_device("llama")
    monkeypatch.setattr(model, "decide", lambda *_: pytest.fail("looked at a pass that decides nothing"))
    cache = model.new_cache()
    turn = passes.Turn(None, [1, 2, 3], None, Pace(CHEAP), cache, GREEDY, 0)
    run_pass(model, CHEAP, [turn])
    assert turn.verdict is not None
    assert (turn.verdict.path, turn.verdict.last) == ([], passes.UNDECIDED)


def broken(*args: object, **others: object) -> None:
    raise RuntimeError("Triton Error [CUDA]: device kernel image is invalid\nand more")


@needs_triton
@pytest.mark.parametrize(
    "kernel", ["fastedit_kernels.fused.triton.rope_write", "fastedit_kernels.tree_verify.triton.walk"]
)
def test_a_kernel_that_fails_in_an_edit_is_logged_once_and_the_answer_goes_on_in_plain_torch(
    kernel, monkeypatch, caplog
):
    rng, plain, model = random.Random(4), target("qwen3"), on_device("qwen3")
    prompt = prompt_of(random_ids(rng, 9), limit=4)
    expected = answer(Session(plain, prompt, (), GREEDY, costs=CHEAP, speculation=False))
    monkeypatch.setattr(kernel, broken)
    drafter = Noisy(expected, rng, 0.1)
    assert answer(Session(model, prompt, [drafter], GREEDY, costs=CHEAP, max_rows=6)) == expected
    assert model.kernels is None
    (line,) = caplog.messages
    assert line.endswith(
        "several times slower: RuntimeError: Triton Error [CUDA]: device kernel image is invalid"
    )
    model.pool.check_integrity()


@needs_triton
def test_kernels_that_do_not_compile_are_noticed_while_a_model_warms_up(monkeypatch, caplog):
    model = on_device("qwen3")
    monkeypatch.setattr("fastedit_kernels.tree_attention.triton.tree_attention", broken)
    warming.warm(model)
    assert model.kernels is None
    assert len(caplog.messages) == 1
    assert not model.pool._holders.any()


@needs_triton
def test_a_pass_that_runs_out_of_memory_keeps_the_kernels(monkeypatch):
    def full(*args: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    model = on_device("llama")
    monkeypatch.setattr("fastedit_kernels.fused.triton.rope_write", full)
    with pytest.raises(torch.OutOfMemoryError):
        model.forward(lay_out([PassPart([1, 2], TokenTree.empty(), model.new_cache())]))
    assert model.kernels is not None


@needs_triton
@pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU, which could")
def test_kernels_that_cannot_be_set_up_leave_a_model_in_plain_torch(monkeypatch, caplog):
    network, pool = target("llama").network, PagePool(2, 1, torch.float32, "cuda")
    monkeypatch.setattr(targets, "missing", lambda *_: None)
    before = network.ops
    assert targets._kernels(network, pool, exact=False) is None
    assert network.ops is before
    (line,) = caplog.messages
    assert line.startswith("passes run in plain torch, several times slower: ")
    with pytest.raises(ModelUnavailable, match="bitwise exactness on a GPU needs our kernels"):
        targets._kernels(network, pool, exact=True)


@needs_triton
@pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU, which would be asked")
def test_kernels_are_set_up_with_the_models_own_device_as_the_current_one(monkeypatch, caplog):
    entered = []

    @contextmanager
    def device(which):
        entered.append(which)
        try:
            yield
        finally:
            entered.pop()

    def properties(which):
        raise RuntimeError(f"asked with {entered} as the current device")

    network, pool = target("llama").network, PagePool(2, 1, torch.float32, "cuda:1")
    monkeypatch.setattr(torch.cuda, "device", device)
    for name in ("graph_pool_handle", "Stream"):
        monkeypatch.setattr(torch.cuda, name, lambda *_: None)
    monkeypatch.setattr(torch.cuda, "get_device_properties", properties)
    monkeypatch.setattr(targets, "missing", lambda *_: None)
    assert targets._kernels(network, pool, exact=False) is None
    (line,) = caplog.messages
    assert line.endswith("asked with [device(type='cuda', index=1)] as the current device")


def test_a_card_with_too_little_shared_memory_and_a_driver_that_fails_are_named_in_one_line(monkeypatch):
    hardware = pytest.importorskip("fastedit_kernels.hardware")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (8, 9))
    monkeypatch.setattr(torch.cuda, "device", lambda device: nullcontext())
    monkeypatch.setattr(hardware, "hardware", lambda: hardware.Hardware(99 << 10, 32, copies_ahead=True))
    line = missing(torch.device("cuda"), Heads(4, 2, 256), torch.float32)
    assert line == "99 kB of shared memory are too few for heads of size 256 in float32"
    monkeypatch.setattr(hardware, "hardware", broken)
    line = missing(torch.device("cuda"), Heads(4, 2, 64))
    assert (
        line == "Triton does not run here (RuntimeError: Triton Error [CUDA]: device kernel image is invalid)"
    )


def test_a_card_that_is_too_old_is_refused_in_one_line(monkeypatch):
    pytest.importorskip("triton")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (7, 5))
    line = missing(torch.device("cuda"), Heads(4, 2, 64))
    assert line == "compute capability 7.5 is not supported (8.0 and newer are)"


@pytest.mark.skipif(DEVICE.type != "cuda", reason="there is no GPU")
def test_graphs_of_two_models_on_one_gpu_leave_each_others_logits_alone():
    models = [on_device("qwen3"), on_device("llama")]
    rows = [lay_out([PassPart([1, 2, 3], TokenTree.empty(), model.new_cache())]) for model in models]
    for _ in range(2):  # the first pass captures, the second only replays
        first = models[0].forward(rows[0])
        kept = first.clone()
        models[1].forward(rows[1])
        torch.testing.assert_close(first, kept, atol=0, rtol=0)
    assert all(model.kernels is not None and model.kernels.has_graphs for model in models)


def test_without_what_the_kernels_need_one_line_says_what_is_missing(monkeypatch):
    cuda = torch.device("cuda")
    assert missing(torch.device("cpu"), Heads(4, 2, 64)) == "there is no GPU"
    assert "size 512" in missing(cuda, Heads(4, 2, 512)) or "Triton" in missing(cuda, Heads(4, 2, 512))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "pip install" in missing(cuda, Heads(4, 2, 64))


def test_where_kernels_cannot_serve_a_model_one_line_is_logged_and_exactness_is_refused(caplog):
    network = target("llama").network
    network.heads = Heads(4, 2, 512)
    pool = PagePool(2, 1, torch.bfloat16, "cuda")
    assert targets._kernels(network, pool, exact=False) is None
    (line,) = caplog.messages
    assert line.startswith("passes run in plain torch, several times slower: ")
    with pytest.raises(ModelUnavailable, match="bitwise exactness on a GPU needs our kernels"):
        targets._kernels(network, pool, exact=True)


@pytest.mark.skipif(DEVICE.type == "cuda", reason="there is a GPU")
def test_asking_for_a_gpu_where_there_is_none_is_refused_with_the_way_out():
    with pytest.raises(ModelUnavailable, match="use device cpu"):
        targets.Target.load(checkpoint("llama"), device="cuda")
