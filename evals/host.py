"""`python -m evals.host`: the host's time between two passes of one edit, with the next pass's draft prepared while a
pass runs and without. Needs no GPU.

Real edits of dev are replayed whole, and no pass is computed: the device takes no time, and what is measured is what it
would wait for. A gap begins where a pass's outcome is known and ends where the next one's tree is: observing, drafting,
merging, choosing, and what an answer keeps a record of. Times are the thread's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from statistics import mean, median
from time import thread_time

import torch
import typer

from evals.publish import Json, publish
from evals.replay.edits import Case, drawn, prompt_of
from evals.replay.models import random_target
from evals.timing.gpu import RESULTS
from evals.timing.turns import in_turns
from fastedit.console import reported
from fastedit.decode.passes import UNDECIDED, Turn, choose_trees
from fastedit.decode.session import Session, decode
from fastedit.decode.verify import Verdict, walk
from fastedit.draft import drafters_for
from fastedit.draft.budget import CostTable
from fastedit.model.target import Target
from fastedit.sampling import Sampling

EDITS, LONGEST = 40, 8192
COSTS = CostTable((1, 64, 128, 256), (3.6, 4.2, 4.6, 6.5))  # about those of the 7B shape on an H200
WAYS = {"drafted between passes": False, "prepared meanwhile": True}


@dataclass
class HostReplay:
    """Settles turns by the answer that was really given. Microseconds of gaps, of what was `prepared` in passes, and of
    what is `made` before the first; whether what was prepared was what the next pass verified."""

    prepares: bool
    wanted: Sequence[int] = ()
    gaps: list[float] = field(default_factory=list)
    prepared: list[float] = field(default_factory=list)
    used: list[bool] = field(default_factory=list)
    made: float = 0.0
    _back: float | None = None

    def run(self, turn: Turn) -> None:
        if turn.drafts is None:
            turn.verdict = Verdict([], UNDECIDED, [])
            return
        (turn.tree,) = choose_trees([turn], COSTS)
        turn.rows = 1 + len(turn.tree)
        if self._back is not None:
            self.gaps.append(1e6 * (thread_time() - self._back))
            self.used.append(turn.drafts.tree is not None)
        if self.prepares and turn.meanwhile is not None:
            started = thread_time()
            turn.meanwhile(turn)
            self.prepared.append(1e6 * (thread_time() - started))
        path, last = walk(turn.tree, lambda row, position: self.wanted[position], turn.position)
        turn.verdict = Verdict(path, last, [0.0] * (len(path) + 1), moved=True)
        self._back = thread_time()

    def leave(self, owner: object) -> None:
        self._back = None


def replayed(target: Target, prepares: bool, found: Case) -> HostReplay:
    prompt, wanted = prompt_of(found, target.vocab)
    replay = HostReplay(prepares, wanted)
    started = thread_time()
    session = Session(target, prompt, drafters_for(prompt), Sampling(), costs=COSTS, runner=replay)
    replay.made = 1e6 * (thread_time() - started)
    for _ in decode(session):
        pass
    target.pool.forget()
    return replay


def figures(target: Target, cases: Sequence[Case]) -> dict[str, dict[str, float | None]]:
    ways = {name: partial(replayed, target, prepares) for name, prepares in WAYS.items()}
    made = in_turns(cases, ways)
    return {name: _row(replays) for name, replays in made.items()}


def _row(replays: Sequence[HostReplay]) -> dict[str, float | None]:
    gaps = [gap for replay in replays for gap in replay.gaps]
    used = [one for replay in replays for one in replay.used]
    prepared = [us for replay in replays for us in replay.prepared]
    return {
        "gaps": len(gaps),
        "mean us": mean(gaps),
        "median us": median(gaps),
        "prepared used": mean(used),
        "us preparing": mean(prepared) if prepared else None,
        "us before the first": mean(replay.made for replay in replays),
    }


@reported
def main(json_file: Json = RESULTS / "host.json") -> None:
    """Microseconds between the passes of one edit."""
    target = random_target("tiny", torch.device("cpu"), dtype=torch.float32)
    found = {
        name: figures(target, list(islice(drawn("dev", LONGEST, with_update=with_update), EDITS)))
        for name, with_update in (("with an update", True), ("with an instruction", False))
    }
    publish(f"{EDITS} edits of dev each", {}, found, json_file)


if __name__ == "__main__":
    typer.run(main)
