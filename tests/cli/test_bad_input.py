"""Bad input through the whole command and the real engine: one line, the right exit code, the file untouched."""

from __future__ import annotations

import json
import shutil

import pytest
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from fastedit.console import CONNECT
from fastedit.prompt.tags import SPECIALS
from tests.checkpoints import MODELS, checkpoint

SOURCE = b"import os\r\n\r\n\r\ndef load(path):\r\n\treturn 1\r\n\r\n\r\ndef save(path):\r\n\tpass"
UPDATE = "# ... existing code ...\ndef save(path):\n\treturn 2\n"


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.py"
    path.write_bytes(SOURCE)
    (tmp_path / "u.txt").write_text(UPDATE)
    (tmp_path / "empty.py").write_bytes(b"")
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "markers.txt").write_text("# ...\n\n  // ... rest of code ...\n")
    (tmp_path / "fence.txt").write_text("```python\n```\n")
    (tmp_path / "words.txt").write_text("Please keep the zebra and the giraffe apart.\n")
    (tmp_path / "block.txt").write_text("<<<<<<< SEARCH\n\tpass\n=======\n\treturn 2\n>>>>>>> REPLACE\n")
    (tmp_path / "nowhere.txt").write_text("zebra = giraffe(elephant)\n")
    return path


def test_a_port_without_http_is_refused(fastedit):
    run = fastedit("mcp", "--port", "9000")
    assert (run.exit_code, run.stderr) == (
        2,
        "fastedit: --port is for --http; add it, or leave --port out\n",
    )


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["", "-u", "u.txt"], 2, "PATH is empty"),
        (["empty.py", "-u", "u.txt", "--lines", "1:1"], 2, "the file is empty; leave --lines out"),
        (["a.py", "-u", "markers.txt"], 4, "markers.txt: the update holds no code, only markers or a fence"),
        (["a.py", "-u", "fence.txt"], 4, "fence.txt: the update holds no code, only markers or a fence"),
        (["/dev/zero", "-u", "u.txt"], 4, "/dev/zero: has more than 8 MiB; cut out the part"),
        (
            ["a.py", "-u", "block.txt", "--symbol", "load"],
            4,
            "file line 9 would change, which is outside of the lines that may change; widen them (--symbol, --lines)",
        ),
        (["image.png", "-u", "u.txt"], 4, "image.png: holds NUL bytes, so it looks binary"),
        (["a.py", "-u", "image.png"], 4, "image.png: holds NUL bytes"),
        (
            ["a.py", "-u", "nowhere.txt"],
            4,
            "a.py: nothing in the update tells where it belongs; give a line of context",
        ),
        (
            ["a.py", "-u", "words.txt"],
            4,
            "words belong in the instruction (--symbol, --lines, --instruction)",
        ),
        (["a.py", "-u", "empty.py"], 4, "the update empty.py is empty; write the changed code into it"),
        (["-u", "words.txt"], 4, "the edit names no file; name the file: fastedit apply FILE -u words.txt"),
        (["a.py", "-u", "gone.txt"], 4, "gone.txt: no such file; check the path\n"),
        (
            ["a.py", "-u", "rename save to keep"],
            4,
            "rename save to keep: no such file; check the path, or give words to `fastedit apply` as --instruction",
        ),
        (["a.py", "-u", "u.txt", "--symbol", "sav"], 4, "did you mean save?"),
        (
            ["a.py", "-u", "u.txt", "--symbol", "save", "--lines", "1:2"],
            4,
            "`save` stands on lines 8:9, not wholly within 1:2; leave one of the two out (--symbol, --lines)",
        ),
    ],
)
def test_what_cannot_be_worked_on_is_said_in_one_line(source, fastedit, args, code, words):
    run = fastedit("apply", *args, "--policy", "merge", "--write")
    assert run.exit_code == code, run.output
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""
    assert source.read_bytes() == SOURCE


def test_a_command_given_as_an_update_is_told_where_it_belongs_and_works_there(source, fastedit):
    run = fastedit("apply", "a.py", "-u", "-", "--policy", "merge", stdin=b"rename save to keep\n")
    assert run.exit_code in (3, 4)
    assert "the update reads as a command, which belongs in the instruction" in run.stderr
    assert fastedit("apply", "a.py", "-i", "rename save to keep").exit_code == 0


@pytest.mark.parametrize("policy", ["merge", "auto"])
def test_an_empty_file_takes_an_update_without_markers_whole(source, tmp_path, fastedit, policy):
    run = fastedit("apply", "empty.py", "-u", "-", "--policy", policy, "--write", stdin=b"x = 1\ny = 2")
    assert run.exit_code == 0, run.output
    assert (tmp_path / "empty.py").read_bytes() == b"x = 1\ny = 2\n"


def test_an_empty_file_has_nothing_that_an_instruction_could_change(source, tmp_path, fastedit):
    run = fastedit("apply", "empty.py", "-i", "rename a to b", "--write")
    assert run.exit_code == 4, run.output
    assert run.stderr == (
        "fastedit: empty.py: is empty, so there is nothing to change; give its text as an update, "
        f"or connect a strong model (--update, {CONNECT})\n"
    )
    assert (tmp_path / "empty.py").read_bytes() == b""


def test_an_update_whose_lines_stand_nowhere_is_held_back(source, fastedit):
    update = b"# ...\nzebra = giraffe(elephant)\n# ...\n"
    run = fastedit("apply", "a.py", "-u", "-", "--write", stdin=update)
    assert run.exit_code in (3, 4), run.output
    assert run.stderr.splitlines()[-1].startswith("fastedit: a.py: ")
    assert source.read_bytes() == SOURCE


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["-u", "u.txt", "--choose", "0"], "choice 0: readings are counted from 1"),
        (["-u", "u.txt", "--choose", "99"], "there is no reading 99"),
        (["-i", "rename save to store", "--choose", "2"], "only an update sketch has several readings"),
        (["-u", "u.txt", "--time-limit", "0"], "time limit 0: must be above 0 seconds"),
        (["-u", "u.txt", "--choose", "1", "--verify"], "leave --choose out"),
    ],
)
def test_a_choice_that_there_is_not_is_said_in_one_line(source, fastedit, args, words):
    run = fastedit("apply", "a.py", *args, "--write")
    assert run.exit_code == 2, run.output
    assert words in run.stderr
    assert run.stderr.count("\n") == 1
    assert source.read_bytes() == SOURCE


def folder(tmp_path, **config):
    """A copy of a tiny model, its configuration changed."""
    copy = tmp_path / "model"
    shutil.copytree(checkpoint("qwen3"), copy)
    file = copy / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | config))
    return copy


def ask(fastedit, model):
    return fastedit(
        "apply", "a.py", "-i", "rename save to store", "--policy", "model", "--model", model, "--write"
    )


def refused(run, words):
    return run.exit_code == 5 and words in run.stderr and run.stderr.count("\n") == 1 and not run.stdout


@pytest.mark.parametrize("prompt_format", ["embedded", "chat"])
@pytest.mark.parametrize("content", [None, '{"a": 1}'])
def test_a_model_without_a_usable_tokenizer_is_refused(tmp_path, source, fastedit, prompt_format, content):
    model = folder(tmp_path, prompt_format=prompt_format)
    if content is not None:
        (model / "tokenizer.json").write_text(content)
    run = ask(fastedit, model)
    assert refused(run, "no usable tokenizer"), run.output
    assert source.read_bytes() == SOURCE


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"vocab_size": 999}, "other sizes than config.json says"),
        ({"num_attention_heads": 3}, "other sizes than config.json says"),
        ({"num_hidden_layers": 9}, "model.layers.2"),
        ({"num_hidden_layers": "two"}, "cannot load the model"),
    ],
)
def test_weights_that_do_not_fit_their_configuration_are_refused(tmp_path, source, fastedit, config, words):
    run = ask(fastedit, folder(tmp_path, **config))
    assert refused(run, words), run.output
    assert source.read_bytes() == SOURCE


def test_weights_cut_short_or_of_another_model_are_refused(tmp_path, source, fastedit):
    model = folder(tmp_path)
    file = model / "model.safetensors"
    file.write_bytes(file.read_bytes()[:1000])
    assert refused(ask(fastedit, model), "fetch it again or choose another")
    save_file({}, file)
    assert refused(ask(fastedit, model), "fetch it again or choose another")
    file.unlink()
    assert refused(ask(fastedit, model), "No such file")


def test_lines_longer_than_the_context_are_named_with_their_file(tmp_path, source, fastedit):
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    make, config = MODELS["qwen3"]
    changes = {"vocab_size": len(alphabet) + SPECIALS, "prompt_format": "embedded"}
    model = tmp_path / "model"
    make(type(config).from_dict(config.to_dict() | changes)).save_pretrained(model)
    tokenizer = Tokenizer(models.BPE({letter: i for i, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(model / "tokenizer.json"))
    long = b"save = [" + b"1, " * 3000 + b"]\n"
    source.write_bytes(long)
    run = ask(fastedit, model)
    assert run.exit_code == 4, run.output
    assert "a.py: lines 1:1: prompt and answer take" in run.stderr
    assert "shorten the region or use a model with a longer context" in run.stderr
    assert run.stderr.count("\n") == 1
    assert source.read_bytes() == long
