"""What the engine made of the cases, and the shares that are counted from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from evals.cases import Case
from evals.table import table
from fastedit.request import Policy

LENGTHS = (
    (10, "1-10 lines"),
    (20, "11-20 lines"),
    (40, "21-40 lines"),
    (60, "41-60 lines"),
    (80, "61-80 lines"),
    (120, "81-120 lines"),
)
SHORT = 60  # lines of the regions that the first figures were measured on

Status = Literal["ok", "suspect", "unchanged", "refused"]
Figures = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the engine made of a case. `parses` is None where the file did not parse before.

    `damage`: something changed that lies apart from all that should have.
    """

    case: Case
    policy: Policy
    status: Status
    exact: bool
    exact_but_blanks: bool
    parses: bool | None
    damage: bool
    reasons: tuple[str, ...]
    passes: int
    total_ms: float
    difference: str
    margin: float | None = None


def figures(outcomes: Iterable[Outcome]) -> Figures:
    """Shares of all cases; `wrong_ok` and `damage_ok` of those delivered as ok, `parse` of those that parsed before.

    `caught` is the share of the wrong ones that were not delivered as ok.
    """
    group = list(outcomes)
    ok = [o for o in group if o.status == "ok"]
    parsed = [o.parses for o in group if o.parses is not None]
    return {
        "cases": len(group),
        "exact": _share(o.exact for o in group),
        "exact_but_blanks": _share(o.exact_but_blanks for o in group),
        "parse": _share(parsed),
        "damage": _share(o.damage for o in group),
        "ok": _share(o.status == "ok" for o in group),
        "suspect": _share(o.status == "suspect" for o in group),
        "wrong_ok": _share(not o.exact for o in ok),
        "damage_ok": _share(o.damage for o in ok),
        "caught": _share(o.status != "ok" for o in group if not o.exact),
        "right_held_back": _share(o.exact and o.status == "suspect" for o in group),
        "unchanged": _share(o.status == "unchanged" for o in group),
        "refused": _share(o.status == "refused" for o in group),
    }


def _share(flags: Iterable[bool]) -> float | None:
    """The share of true flags; None where there are none at all."""
    values = list(flags)
    return sum(values) / len(values) if values else None


def length_bucket(case: Case) -> str:
    return next(name for most, name in LENGTHS if case.lines <= most)


def hunk_bucket(case: Case) -> str:
    return f"{case.hunks} hunk" if case.hunks == 1 else "2 hunks" if case.hunks == 2 else "3+ hunks"


GROUPS: tuple[tuple[str, Callable[[Case], str]], ...] = (
    ("mode", lambda case: case.mode),
    ("family", lambda case: case.kind),
    ("language", lambda case: f"{case.mode}, {case.language}"),
    ("length", lambda case: f"{case.mode}, {length_bucket(case)}"),
    ("hunks", lambda case: f"{case.mode}, {hunk_bucket(case)}"),
)


def grouped(outcomes: Sequence[Outcome]) -> dict[str, dict[str, Figures]]:
    """Figures by grouping and group."""
    tables: dict[str, dict[str, Figures]] = {"all": {"all": figures(outcomes)}}
    for name, key in GROUPS:
        keys = sorted({key(o.case) for o in outcomes})
        tables[name] = {k: figures(o for o in outcomes if key(o.case) == k) for k in keys}
    return tables


def headline(outcomes: Sequence[Outcome]) -> Figures:
    """The figures that the project is judged by; those of policies that did not run are left out."""

    def of(policy: Policy, mode: str | None = None) -> Figures:
        return figures(o for o in outcomes if o.policy == policy and mode in (None, o.case.mode))

    def updates(policy: Policy, prefix: str) -> Figures:
        """Exact shares by language; for Python that of short regions too."""
        mine = [o for o in outcomes if o.policy == policy and o.case.mode == "update"]
        exact = {
            name: figures(o for o in mine if o.case.language == name)["exact"]
            for name in sorted({o.case.language for o in mine})
        }
        short = [o for o in mine if o.case.language == "python" and o.case.lines <= SHORT]
        if short:
            exact[f"python_{SHORT}"] = figures(short)["exact"]
        return {f"{prefix}{name}": share for name, share in exact.items()}

    found: Figures = {}
    if any(o.policy == "model" for o in outcomes):
        found |= updates("model", "update_exact_")
        found["instruction_exact"] = of("model", "instruction")["exact"]
        found["instruction_exact_trained_wording"] = of("model", "trained wording")["exact"]
        found["instruction_exact_combined"] = of("model", "combined")["exact"]
        found["wrong_ok_rate"] = of("model")["wrong_ok"]
        found["suspect_rate"] = of("model")["suspect"]
    if any(o.policy == "auto" for o in outcomes):
        found |= updates("auto", "auto_update_exact_")
        found["auto_instruction_exact"] = of("auto", "instruction")["exact"]
        found["auto_instruction_exact_trained_wording"] = of("auto", "trained wording")["exact"]
        found["auto_instruction_exact_combined"] = of("auto", "combined")["exact"]
        found["auto_wrong_ok_rate"] = of("auto")["wrong_ok"]
    if any(o.policy == "merge" for o in outcomes):
        found |= updates("merge", "merge_update_exact_")
        found["merge_wrong_ok_rate"] = of("merge", "update")["wrong_ok"]
    return found


def report(outcomes: Sequence[Outcome]) -> str:
    """One table a policy, a row a group."""
    parts = []
    for policy in dict.fromkeys(o.policy for o in outcomes):
        groups = grouped([o for o in outcomes if o.policy == policy])
        rows = [
            [name if grouping == "all" else f"{grouping}: {name}", *map(shown, row.values())]
            for grouping, found in groups.items()
            for name, row in found.items()
        ]
        parts += [
            f"policy {policy}",
            table(["cases of", *(name.replace("_", " ") for name in figures(()))], rows),
            "",
        ]
    return "\n".join(parts)


def shown(value: float | None) -> str:
    return "-" if value is None else str(value) if isinstance(value, int) else f"{100 * value:.1f} %"


def wrong(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """What is needed to look into each case that did not come out exact."""
    return [
        {"id": o.case.id, "instruction": o.case.instruction, "update": o.case.update}
        | {"policy": o.policy, "status": o.status, "reasons": o.reasons, "difference": o.difference}
        for o in outcomes
        if not o.exact
    ]
