"""`fastedit train` passes everything on to the training system."""

from __future__ import annotations


def test_its_help_is_the_training_systems_own(fastedit):
    shown = fastedit("train", "--help")
    assert shown.exit_code == 0
    assert all(name in shown.stdout for name in ("fastedit train", "finetune", "evaluate", "export"))
    assert "\nUsage: fastedit train" in f"\n{shown.stdout}"  # as plain as the help of the other commands
    assert "-h, --help" in shown.stdout
    assert "completion" not in shown.stdout


def test_options_and_exit_codes_are_those_of_its_commands(tmp_path, fastedit):
    refused = fastedit("train", "finetune", "--model", tmp_path, "--out", tmp_path / "out")
    assert refused.exit_code == 2
    assert refused.stderr.strip().endswith("nothing to learn from; give --edits, --corpus or both")
