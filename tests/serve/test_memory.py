"""What a server keeps of the memory that its edits took."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import platform
from collections.abc import Iterable
from pathlib import Path
from weakref import ref

import pytest

from fastedit.engine import Engine
from fastedit.serve.jobs import pool
from fastedit.serve.jobs.backend import Local
from fastedit.serve.jobs.pool import Pool
from tests.waiting import eventually

MIB = 1 << 20


def resident() -> int:
    """The process's, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no arenas")
def test_memory_that_a_long_edit_freed_goes_back_to_the_system(monkeypatch):
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.argtypes = [ctypes.c_void_p]
    seen = []

    def steps(hangup):
        blocks = [libc.malloc(MIB // 16) for _ in range(64 * 16)]
        for block in blocks:
            ctypes.memset(block, 1, MIB // 16)
        # At the end of the arena, unless there is a hole for it: then the arena cannot shrink by itself.
        pin = libc.malloc(64)
        seen.append(resident())
        for block in blocks:
            libc.free(block)
        yield (pin,)

    async def run() -> list[int]:
        return [pin async for pin in workers.submit(steps, 60)]

    monkeypatch.setattr(pool, "LONG_S", 0)
    workers = Pool(1, 1)
    [pin] = asyncio.run(run())
    assert eventually(lambda: resident() < seen[0] - 32 * MIB, seconds=30)
    libc.free(pin)
    workers.close()


def test_garbage_collection_passes_over_what_a_server_has_loaded_and_leaves_no_garbage_of_loading_it():
    class Knot:
        def __init__(self) -> None:
            self.itself = self

    class Loading(Engine):
        def warm(self, drafters: Iterable[str] = ()) -> None:
            self.loaded, self.passing = Knot(), ref(Knot())

    engine = Loading()
    Local(engine).warm()
    try:
        assert engine.passing() is None
        assert not any(found is engine.loaded for found in gc.get_objects())
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
    assert any(found is engine.loaded for found in gc.get_objects())
