"""How long a pass takes by its number of rows, measured in the first processes on a machine."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from itertools import accumulate
from math import inf
from pathlib import Path

import platformdirs
import torch

from fastedit.decode.layout import PassPart, lay_out
from fastedit.draft.budget import CostTable, clock_for
from fastedit.draft.tree import TokenTree
from fastedit.model.cache import Cache
from fastedit.model.graphs import CAPTURING
from fastedit.model.ranks import ranks
from fastedit.model.target import Target

ROUNDS = 4
ROWS = (1, 4, 16, 64, 128, 256)
CONTEXT = 512  # committed tokens that the measured passes look back at
# Short passes suffer most from whatever else runs. The best of at most REPEATS runs counts; two, and as many more as
# begin within REPEAT_MS.
REPEATS = 8
REPEAT_MS = 50.0
# Where a single row takes this long, fewer row counts are measured, and each once: nobody must wait for the table, but
# without any slope rows would seem to cost nothing.
SLOW_MS = 150.0
SLOW_ROWS = (64, 128)


def pass_costs(target: Target) -> CostTable:
    """The table in the user's cache folder, which the first ROUNDS processes measure (a fraction of a second each).

    A machine may be busy at one time: each entry is the best of all rounds. A table from one busy moment would say
    that drafts never pay, for good.
    """
    file = _file(target)
    kept, rounds = _read(file)
    if kept is not None and rounds >= ROUNDS:
        return kept
    table = measure(target) if kept is None else best_of(kept, measure(target))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Another process may be writing the same file: each writes its own and the last one stays.
        draft = file.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({"rounds": rounds + 1, "rows": table.rows, "ms": table.ms}), "utf-8")
        draft.replace(file)
    except OSError:
        pass  # without a cache folder the next process measures again
    return table


def best_of(one: CostTable, other: CostTable) -> CostTable:
    """The lower of two measurements of each entry; an entry that only one of them has counts as it is."""
    first, second = (dict(zip(table.rows, table.ms, strict=True)) for table in (one, other))
    rows = tuple(sorted(first | second))
    ms = [min(first.get(count, inf), second.get(count, inf)) for count in rows]
    return CostTable(rows, tuple(accumulate(ms, max)))


def _read(file: Path) -> tuple[CostTable | None, int]:
    """The table kept and how often it was measured; None where there is none that can be used."""
    try:
        kept = json.loads(file.read_text("utf-8"))
        return CostTable(tuple(kept["rows"]), tuple(kept["ms"])), int(kept["rounds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None, 0


def measure(target: Target, context: int = CONTEXT) -> CostTable:
    """Milliseconds of a pass by row count, the best of several runs each, after so many tokens or half of the model's
    context."""
    cache = target.new_cache()
    for start in range(0, min(context, target.context // 2), ROWS[-2]):
        cache.truncate(start)
        _time(target, cache, ROWS[-2])
        cache.keep(range(ROWS[-2]))
    table = list(_measured(target, cache))
    cache.free()
    return CostTable(tuple(rows for rows, _ in table), tuple(ms for _, ms in table))


def _measured(target: Target, cache: Cache) -> Iterator[tuple[int, float]]:
    least = 0.0
    for rows in ROWS:
        slow = least > SLOW_MS
        if not slow or rows in SLOW_ROWS:
            # Noise must not make a longer pass look cheaper.
            least = max(least, _time(target, cache, rows) if slow else _best(target, cache, rows))
            yield rows, least


def _best(target: Target, cache: Cache, rows: int) -> float:
    times = [_time(target, cache, rows), _time(target, cache, rows)]
    while len(times) < REPEATS and sum(times) < REPEAT_MS:
        times.append(_time(target, cache, rows))
    return min(times)


def _time(target: Target, cache: Cache, rows: int) -> float:
    clock = clock_for(target.device.type)
    start = clock()
    target.forward(lay_out([PassPart([0] * rows, TokenTree.empty(), cache)]))
    if target.device.type != "cpu":
        with CAPTURING:
            torch.accelerator.synchronize()
    return 1000.0 * (clock() - start)


def _file(target: Target) -> Path:
    device = torch.cuda.get_device_name(target.device) if target.device.type == "cuda" else "cpu time"
    kernels, others = target.kernels is not None, ranks()
    settings = (target.settings.exactness, target.settings.weights)
    key = (
        target.fingerprint,
        target.dtype,
        settings,
        device,
        kernels,
        1 if others is None else others.world,
        torch.get_num_threads(),
        torch.__version__,
    )
    name = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
    return Path(platformdirs.user_cache_dir("fastedit")) / "costs" / f"{name}.json"
