"""What the compiler makes of the launches of our kernels, for GPUs that need not be there.

The launches are the runtime's own: the cases of the registry run on tensors without memory, and Triton tells what it
would compile. Nothing of a launch is written down a second time.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import torch
import triton
from fastedit_kernels.hardware import hardware
from fastedit_kernels.occupancy import resident
from fastedit_kernels.tree_attention.plan import block_for, exact_block
from fastedit_kernels.tree_attention.tiles import fits
from triton import knobs
from triton.compiler import ASTSource
from triton.runtime import driver

from evals.kernels.case import SHAPES, KernelCase, Make
from evals.kernels.targets import CARDS, Absent, Card
from evals.publish import rows_table

CONTEXT = 2048  # long enough to be split among programs
SPILLS = 64  # bytes a thread: a handful of registers, saved outside of loops
LIMIT_S = 240  # of processor time for one kernel's assembly
BUSY = 10  # times as long on a machine that does other things too
UNITS = {"tcgen05.mma": "tcgen05", "wgmma.mma_async": "wgmma", "mma.sync": "mma", "v_mfma": "mfma"}
KINDS = {"bf16": torch.bfloat16, "fp32": torch.float32}
ATTENTION = {"tree_attention", "exact.attention"}
LOOPS = {"_attend", "_linear"}  # whose loads must overlap their products


class Variant(NamedTuple):
    """A case of the registry in one dtype."""

    case: KernelCase
    kind: str = "bf16"

    def __str__(self) -> str:
        case = self.case
        window = "" if case.window is None else ", window"
        return f"{case.op} {case.shape} {self.kind}, {case.rows} rows{window}"


@dataclass(frozen=True, slots=True)
class Launch:
    """What Triton would compile: `key` tells launches of one kernel apart."""

    kernel: str
    key: str
    source: ASTSource
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Compiled:
    """`registers` and `spills` (bytes) are a thread's, `shared` bytes a program's, `resident` programs a
    multiprocessor's. `depth` is how many loads are on their way while a product runs, 0 where each waits for the last.
    `alarms` say what is wrong."""

    variant: str
    card: str
    kernel: str
    warps: int
    stages: int
    registers: int
    spills: int
    shared: int
    resident: int
    unit: str
    depth: int
    seconds: float
    alarms: tuple[str, ...]


def variants(ops: Iterable[str], *, quick: bool) -> Iterator[Variant]:
    """Every tile size that a pass may choose, with each head size and dtype, and every other kernel once."""
    if quick:
        yield from (Variant(KernelCase("tree_attention", "7B", 1, CONTEXT, rows)) for rows in (1, 4, 8, 64))
        yield from (Variant(KernelCase(op, "7B", 1, CONTEXT, 4)) for op in ("exact.attention", "kv.move"))
        return
    for shape in ("0.5B", "7B", "2B, d256"):
        for rows in (1, 4, 8, 64):
            for window in (None, 64):
                yield Variant(KernelCase("tree_attention", shape, 1, CONTEXT, rows, window))
            yield Variant(KernelCase("tree_attention", shape, 1, CONTEXT, rows), "fp32")
        for kind in KINDS:
            yield Variant(KernelCase("exact.attention", shape, 1, CONTEXT, 4), kind)
            yield Variant(KernelCase("exact.linear", shape, 1, CONTEXT, 4), kind)
    for op in ops:
        if op not in ATTENTION and op != "exact.linear":
            yield Variant(KernelCase(op, "7B", 1, CONTEXT, 16))


def launches(card: Card, run: Callable[[], object]) -> dict[str, Launch]:
    """What is launched, by key, as the code that does asks for it on this card."""
    found: dict[str, Launch] = {}

    def note(*, key: Any, fn: Any, compile: Mapping[str, Any], **_: object) -> bool:
        source = ASTSource(fn.jit_function, compile["signature"], compile["constants"], compile["configs"][0])
        options = {name: compile[name] for name in ("num_warps", "num_stages")}
        found.setdefault(str(key), Launch(fn.name, str(key), source, options))
        return True  # which stops Triton from compiling it

    with _aimed_at(card, note):
        run()
    return found


def _launched(variant: Variant, ops: Mapping[str, Make]) -> None:
    """The case's own kernels."""
    case, kind = variant.case, KINDS[variant.kind]
    ops[case.op](case, SHAPES[case.shape], kind, torch.device("meta")).run()


def _counted(variant: Variant) -> None:
    """The kernels that the runtime asks how many programs a multiprocessor holds, for the plan of this variant: there
    should be no other among its launches of attention."""
    from fastedit_kernels.exact import triton as exact_ops
    from fastedit_kernels.tree_attention import triton as attention

    case, kind = variant.case, KINDS[variant.kind]
    heads = SHAPES[case.shape].heads
    if case.op == "tree_attention":
        attention.compiled(heads, block_for(case.rows, heads, kind.itemsize), kind, case.window)
    elif case.op == "exact.attention":
        exact_ops.compiled(heads, exact_block(heads), kind)


@contextmanager
def _aimed_at(card: Card, note: Callable[..., bool]) -> Iterator[None]:
    before = driver._active
    driver.set_active(Absent(card))
    knobs.runtime.jit_cache_hook = note
    try:
        yield
    finally:
        knobs.runtime.jit_cache_hook = None
        driver._active = before


def table_of(names: Sequence[str], ops: Mapping[str, Make], *, quick: bool) -> Iterator[Compiled]:
    """A line for each launch of each variant on each card; a kernel that occurs twice is compiled once.

    The compiler runs in a process of its own: where it fails it may take that down.
    """
    known: dict[tuple[str, str, str], Compiled] = {}
    for name in names:
        card = CARDS[name]
        for variant in variants(ops, quick=quick):
            if not supported(variant, card):
                yield _none(variant, name, "", "falls back to plain torch")
                continue
            found = launches(card, partial(_launched, variant, ops))
            for launch in found.values():
                key = (name, launch.kernel, launch.key)
                if key not in known:
                    known[key] = _apart(variant, launch, name)
                    yield known[key]
            if launches(card, partial(_counted, variant)).keys() - found.keys():
                yield _none(variant, name, "", alarm="programs are counted of another kernel")


def supported(variant: Variant, card: Card) -> bool:
    """As the runtime decides it where a model is loaded."""
    with _aimed_at(card, lambda **_: True):
        heads = SHAPES[variant.case.shape].heads
        return variant.case.op not in ATTENTION or fits(heads, KINDS[variant.kind].itemsize, hardware())


def _apart(variant: Variant, launch: Launch, name: str) -> Compiled:
    # Not a pool: an aborted worker would take the others' results along. A fork has the launch already.
    receiver, sender = get_context("fork").Pipe(duplex=False)

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))  # the assembler's too
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 2)  # a failing compiler prints thousands of lines
        try:
            sender.send(_compiled(variant, launch, name))
        except Exception as error:
            sender.send(_none(variant, name, launch.kernel, alarm=f"{type(error).__name__}: {error}"[:120]))

    process = get_context("fork").Process(target=work)
    process.start()
    sender.close()  # so that a process that dies is one that says nothing
    try:
        found = receiver.recv() if receiver.poll(BUSY * LIMIT_S) else None
    except EOFError:
        found = None
    process.kill()
    process.join()
    return found or _none(variant, name, launch.kernel, alarm="the compiler fails or takes minutes")


def _none(variant: Variant, name: str, kernel: str, note: str = "", alarm: str = "") -> Compiled:
    alarms = (alarm,) if alarm else ()
    return Compiled(str(variant), name, kernel or note, 0, 0, 0, 0, 0, 0, "-", 0, 0.0, alarms)


def _compiled(variant: Variant, launch: Launch, name: str) -> Compiled:
    card = CARDS[name]
    started = time.process_time()
    made = triton.compile(launch.source, target=card.target, options=dict(launch.options))
    registers, spills = _registers(made, card)
    text = made.asm.get("ptx") or made.asm["amdgcn"]
    unit = next((short for long, short in UNITS.items() if long in text), "-")
    depth = _depth(made.asm["ttgir"])
    shared, warps = made.metadata.shared, made.metadata.num_warps
    held = resident(registers, shared, warps * card.target.warp_size, card.limits)
    alarms = []
    if spills > SPILLS:
        alarms.append(f"spills {spills} bytes")
    if not held:
        alarms.append("does not fit")
    if launch.kernel.rpartition(".")[2] in LOOPS:
        if unit == "-":
            alarms.append("no tensor cores")
        if not depth:
            alarms.append("loads wait")
    return Compiled(
        str(variant), name, launch.kernel, warps, made.metadata.num_stages, registers, spills, shared, held, unit,
        depth, round(time.process_time() - started, 1), tuple(alarms),
    )  # fmt: skip


def _depth(ttgir: str) -> int:
    """Of the copies of a loop, how many may be under way while their results are used."""
    waits = [int(number) for number in re.findall(r"async_wait.*?num = (\d+)", ttgir)]
    # AMD's copies go through registers: read before a product, stored after it.
    return max([*waits, int("async_tma_copy" in ttgir or "ttg.local_store" in ttgir)])


def _registers(made: Any, card: Card) -> tuple[int, int]:
    if card.target.backend == "hip":
        text = made.asm["amdgcn"]
        used, spilled, scratch = (
            int(re.search(rf"{name}:\s+(\d+)", text)[1])  # type: ignore[index]
            for name in (r"\.vgpr_count", r"\.vgpr_spill_count", r"\.private_segment_fixed_size")
        )
        return used, max(scratch, 4 * spilled)
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(made.asm["cubin"])
        file.flush()
        tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
        said = subprocess.run(
            [tool, "--dump-resource-usage", file.name], capture_output=True, text=True, check=True
        ).stdout
    used, stack, local = (int(re.search(rf"{name}:(\d+)", said)[1]) for name in ("REG", "STACK", "LOCAL"))  # type: ignore[index]
    return used, max(stack, local)


def show(found: list[Compiled]) -> str:
    return rows_table(asdict(one) | {"alarms": "; ".join(one.alarms) or None} for one in found)
