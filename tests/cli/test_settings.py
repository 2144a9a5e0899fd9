"""How the model runs: --exactness and --weights."""

from __future__ import annotations

from fastedit.cli.output.report import receipt_line
from fastedit.result import EditResult, Receipt, Status
from fastedit.source.document import Document


def test_the_receipt_names_settings_that_are_not_the_default():
    def line(**settings: str) -> str:
        receipt = Receipt(model="embedded", policy="model", **settings)
        return receipt_line(EditResult(Document.from_text("a\n"), (), Status.UNCHANGED, (), receipt))

    assert line().endswith("policy model, model embedded")
    assert line(exactness="bitwise").endswith("model embedded, exactness bitwise")
    assert line(weights="fp8").endswith("model embedded, weights fp8")
    assert Receipt(exactness="bitwise").as_dict()["exactness"] == "bitwise"


def test_settings_that_cannot_be_are_refused_before_anything_is_read(fastedit, tmp_path):
    file = tmp_path / "a.py"
    file.write_text("a = 1\n")
    for arguments, reason in (
        (
            ["--exactness", "bitwise", "--weights", "fp8"],
            "fp8 weights are not bitwise exact: drop one of the two",
        ),
        (
            ["--exactness", "bitwise", "--model", "http://127.0.0.1:9/v1"],
            "exactness and weights cannot be configured",
        ),
        (["--weights", "int3"], "'int3' is not one of"),
    ):
        run = fastedit("apply", str(file), "-i", "rename a to b", "--diff", *arguments)
        assert run.exit_code == 2
        assert reason in run.stderr
    assert file.read_text() == "a = 1\n"


def test_the_drafter_reaches_the_engine_and_a_wrong_one_is_told_at_once(fastedit, script, path):
    wish = ("apply", str(path), "-i", "rename a to b", "--diff", "--drafter")
    assert fastedit(*wish, "lookup+eagle=some/head").exit_code == 0
    assert script.requests[0].drafter == "lookup+eagle=some/head"
    for arguments, said in (
        (["magic"], "'magic': there is none of that name"),
        (["lookup+medusa"], "write medusa=FOLDER"),
        (["eagle=a", "--model", "http://127.0.0.1:9/v1"], "leave --drafter out"),
    ):
        run = fastedit(*wish, *arguments)
        assert run.exit_code == 2
        assert said in run.stderr
    assert len(script.requests) == 1
