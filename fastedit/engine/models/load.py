"""Which model and which prompt format a name stands for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock

import torch

from fastedit.decode.costs import pass_costs
from fastedit.decode.scheduler import Scheduler
from fastedit.decode.session import Session
from fastedit.draft.budget import CostTable
from fastedit.draft.registry import DEFAULT as LOOKUP
from fastedit.draft.registry import Drafting
from fastedit.draft.seam import Learning, LearningReport, StateReader
from fastedit.engine.models.folder import model_folder, resolved
from fastedit.errors import ModelUnavailable
from fastedit.model.settings import DEFAULT, ModelSettings
from fastedit.model.target import Target
from fastedit.model.warm import warm
from fastedit.prompt.base import Prompt, PromptFormat
from fastedit.prompt.embedded import EmbeddedFormat
from fastedit.sampling import Sampling

_NOTHING = Prompt((0,), (), (), None, frozenset(), 1)


@dataclass(frozen=True, slots=True)
class LoadedModel:
    name: str
    target: Target
    format: PromptFormat
    costs: CostTable
    scheduler: Scheduler
    drafting: Drafting

    def session(
        self,
        prompt: Prompt,
        sampling: Sampling,
        *,
        speculation: bool = True,
        drafter: str = LOOKUP,
        tenant: str = "",
    ) -> Session:
        """One answer, drafted by those that `drafter` names and decoded in passes shared with others.

        Raises TooLong, UsageError for a drafter that there is not, ModelUnavailable for one that cannot be loaded.
        """
        return Session(
            self.target,
            prompt,
            self.drafting.drafters(drafter, prompt, sampling, tenant) if speculation else (),
            sampling,
            speculation=speculation,
            costs=self.costs,
            runner=self.scheduler,
        )

    def warm(self, drafter: str) -> None:
        """Capture the graphs of passes whose hidden states this drafter reads: those of the model itself hand out none.

        Raises as `session` does.
        """
        drafters = self.drafting.drafters(drafter, _NOTHING)
        layers = frozenset[int]().union(*(one.layers for one in drafters if isinstance(one, StateReader)))
        if layers and self.target.kernels is not None:
            self.scheduler.pause(partial(warm, self.target, layers))

    def learned(self) -> list[LearningReport]:
        """What its drafters have learned while they served, one a drafter that does."""
        return [source.learned() for source in self.drafting.made() if isinstance(source, Learning)]


_loading = Lock()


def load_model(name: str, settings: ModelSettings = DEFAULT) -> LoadedModel:
    """An embedded model, or a folder that transformers can load. Raises ModelUnavailable.

    On ranks other than 0 of torchrun this does not return: they do their part of rank 0's passes until it ends, then
    raise SystemExit. The model runs on the GPU where there is one. All callers of one name and settings share one
    model, whose scheduler joins their passes.
    """
    with _loading:
        return _load(resolved(name), settings)


@lru_cache(maxsize=2)
def _load(name: str, settings: ModelSettings) -> LoadedModel:
    folder = model_folder(name)
    target = Target.load(folder, device="cuda" if torch.cuda.is_available() else "cpu", settings=settings)
    if not target.leads:
        target.follow()
        raise SystemExit(0)
    form = _format_for(folder, target.vocab)
    costs = pass_costs(target)
    return LoadedModel(name, target, form, costs, Scheduler(target, costs), Drafting(target))


def _format_for(folder: Path, vocab: int) -> PromptFormat:
    """Models of our own training say so in their configuration; all others are asked in text.

    Raises ModelUnavailable for a tokenizer that is not that of a model with so many tokens.
    """
    if json.loads((folder / "config.json").read_text()).get("prompt_format") == EmbeddedFormat.name:
        own = EmbeddedFormat.load(folder)
        check_vocabulary(folder, own.vocab_size, vocab, fits=own.vocab_size == vocab)
        return own
    from fastedit.prompt.load import load_format

    text = load_format(folder)
    # A model may have more rows than its tokenizer has tokens, and added tokens that no text has.
    tokens = text.tokenizer.vocab_size
    check_vocabulary(folder, tokens, vocab, fits=tokens <= vocab)
    return text


def check_vocabulary(folder: Path, tokens: int, vocab: int, *, fits: bool) -> None:
    """Raises ModelUnavailable, with both sizes, where they do not fit."""
    if not fits:
        raise ModelUnavailable(
            f"{folder}: its tokenizer has {tokens} tokens and its embedding {vocab} rows; they do not belong together: "
            "fetch both again"
        )
