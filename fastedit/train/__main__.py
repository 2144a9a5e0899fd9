"""`fastedit train`: its commands put together. The module of each is imported when it is called."""

from __future__ import annotations

from typing import Any

from fastedit.help import HelpGroup, Later, Program

OWN, MATERIAL, SHIPPED = "Your own model", "What is learned from", "What fastedit comes with"


def _later(name: str, help: str, heading: str, module: str) -> Later:
    return Later(name, help, heading, f"fastedit.train.{module}")


class _TrainCommands(HelpGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for command in (
            _later("finetune", "Tune a model of your own on your edits.", OWN, "lora.command"),
            _later("eagle", "Train an EAGLE-3 or P-EAGLE head for a model.", OWN, "eagle.command"),
            _later("corpus", "Build the training corpus from packages.", MATERIAL, "synthesis.gather"),
            _later("tokenizer", "Train a tokenizer for a run on the corpus.", SHIPPED, "embedded.commands"),
            _later("train", "Train the embedded model, or resume a run.", SHIPPED, "embedded.commands"),
            _later(
                "export",
                "Write a run's last checkpoint as a folder for `--model`.",
                SHIPPED,
                "embedded.commands",
            ),
            _later(
                "blend", "Mix a run's weights with those that it began with.", SHIPPED, "embedded.commands"
            ),
            _later(
                "card", "Write the data card of weights, with their accuracy.", SHIPPED, "embedded.commands"
            ),
            _later("merge", "Fit the weights that place sketches in files.", SHIPPED, "merge.command"),
            _later(
                "abbreviated",
                "Fit what tells that a marker stands for changes.",
                SHIPPED,
                "merge.abbreviated",
            ),
            _later("withheld", "Fit what tells that an edit is not to be made.", SHIPPED, "merge.withheld"),
        ):
            self.add_command(command)


app = Program(cls=_TrainCommands)


@app.callback(cls=_TrainCommands)
def train() -> None:
    """Train the embedded model, or tune one of your own on your edits.

    Examples:
        fastedit train finetune --model owner/name --edits edits.jsonl.gz --out tuned
        fastedit train eagle --model tuned --edits edits.jsonl.gz --out head
        fastedit train train --run nano --minutes 600
    """


if __name__ == "__main__":
    app()
