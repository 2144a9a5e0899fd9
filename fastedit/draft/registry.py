"""Which drafters a setting names, and where they are made.

A setting is names joined by "+", the most trusted first, each with what it is made from after "=" where it needs that:
`lookup`, `eagle=FOLDER`, `lookup+eagle=FOLDER`; `lookup+eagle` takes the head that comes with the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from fastedit.draft.base import Drafter
from fastedit.draft.seam import DrafterSource, Informed
from fastedit.errors import ModelUnavailable, UsageError
from fastedit.model.checkpoint import read_checkpoint
from fastedit.sampling import Sampling

if TYPE_CHECKING:
    from fastedit.model.target import Target
    from fastedit.prompt.base import Prompt


class DrafterEntry(NamedTuple):
    """`make` is "module:function", imported when it is first asked for: some import torch. The function takes the
    target and the argument ("" without one), and returns a DrafterSource; it raises ModelUnavailable for what it cannot
    use.

    `argument` says what the argument is; None where there is none. With `own` it may be left out: what comes with the
    model is taken.
    """

    make: str
    argument: str | None = None
    own: bool = False


# A new drafter is a line here.
REGISTRY = {
    "lookup": DrafterEntry("fastedit.draft:Lookup"),
    "eagle": DrafterEntry("fastedit.draft.heads.eagle:source", "FOLDER", own=True),
    "online": DrafterEntry("fastedit.draft.heads.online:source", "FOLDER", own=True),
    "mtp": DrafterEntry("fastedit.draft.heads.eagle:mtp", "FOLDER", own=True),
    "medusa": DrafterEntry("fastedit.draft.heads.ahead:medusa", "FOLDER"),
    "hydra": DrafterEntry("fastedit.draft.heads.hydra:source", "FOLDER"),
    "p-eagle": DrafterEntry("fastedit.draft.heads.parallel:source", "FOLDER"),
    "mlp": DrafterEntry("fastedit.draft.heads.ahead:mlp_speculator", "FOLDER"),
    "lstm": DrafterEntry("fastedit.draft.heads.ahead:lstm_speculator", "FOLDER"),
    "draft": DrafterEntry("fastedit.draft.models.draft_model:source", "FOLDER"),
    "cascade": DrafterEntry("fastedit.draft.models.cascade:source", "FOLDER"),
    "layerskip": DrafterEntry("fastedit.draft.models.layerskip:source", "LAYERS"),
    "lookahead": DrafterEntry("fastedit.draft.lookup.lookahead:source"),
    "rest": DrafterEntry("fastedit.draft.lookup.retrieval:source", "FOLDER"),
    "suffix-cache": DrafterEntry("fastedit.draft.lookup.suffix_cache:source"),
}
DEFAULT = "lookup"
GREEDY = Sampling()


def parse(setting: str) -> tuple[tuple[str, str], ...]:
    """Names and arguments. Raises UsageError for what no drafter is called, and for a missing or needless argument."""
    found = []
    for part in setting.split("+"):
        name, _, argument = part.partition("=")
        entry = REGISTRY.get(name)
        if entry is None:
            raise UsageError(f"drafter {name!r}: there is none of that name; there are {', '.join(REGISTRY)}")
        complete = bool(argument) == (entry.argument is not None)
        if not complete and not (entry.own and part == name):
            wanted = name if entry.argument is None else f"{name}={entry.argument}"
            raise UsageError(f"drafter {part!r}: write {f'{name} or ' * entry.own}{wanted}")
        found.append((name, argument))
    return tuple(found)


class Drafting:
    """The drafters of one model. Each source is made when a setting first names it, and kept: another setting needs no
    reload. Any thread may ask."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._sources: dict[tuple[str, str], DrafterSource] = {}
        self._making = Lock()

    def drafters(
        self, setting: str, prompt: Prompt, sampling: Sampling = GREEDY, tenant: str = ""
    ) -> tuple[Drafter, ...]:
        """Fresh drafters for one answer. Raises UsageError, and ModelUnavailable where one cannot be made."""
        made = tuple(drafter for key in parse(setting) for drafter in self._source(*key).drafters(prompt))
        for drafter in made:
            if isinstance(drafter, Informed):
                drafter.inform(sampling, tenant)
        return made

    def made(self) -> Sequence[DrafterSource]:
        """The sources that settings have named so far."""
        with self._making:
            return list(self._sources.values())

    def _source(self, name: str, argument: str) -> DrafterSource:
        with self._making:
            if (name, argument) not in self._sources:
                module, function = REGISTRY[name].make.split(":")
                make = getattr(import_module(module), function)
                try:
                    self._sources[name, argument] = make(self._target, argument)
                except ModelUnavailable as error:
                    if served := _other_head(name, argument):
                        raise ModelUnavailable(f"{argument}: no head for {name}: write {served}") from error
                    raise
            return self._sources[name, argument]


def _other_head(name: str, argument: str) -> str:
    """The settings that a folder of heads serves, where `name` is none of them; else ""."""
    try:
        found = read_checkpoint(Path(argument)) if argument else None
    except ModelUnavailable:
        return ""
    served = found.drafters() if found and found.kind != "model" else []
    return "" if f"{name}={argument}" in served else " or ".join(served)


def names(setting: str) -> Sequence[str]:
    """The names in a setting, without arguments: what may be shown to anyone."""
    return [name for name, _ in parse(setting)]
