"""Which folder a model's name stands for. Knows no tensor, so that a wrong name is told before torch is imported."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from fastedit.errors import ModelUnavailable, not_installed

_WEIGHTS = Path(__file__).parents[2] / "model" / "weights"
NANO, SMALL = _WEIGHTS / "nano", _WEIGHTS / "small"
EMBEDDED = {"nano": NANO, "small": SMALL}
STRONG = 8  # cores
# There where NVIDIA's driver is. To ask torch would import it, also for edits that need no pass.
_DRIVER = Path("/dev/nvidiactl")
_HUB_ID = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_PARTS = ["*.json", "*.safetensors", "*.model", "*.jinja"]  # of a repository: what a model is loaded from


def is_address(name: str) -> bool:
    """Whether the model is behind a server's address. Raises UsageError for a broken configuration file."""
    if name in ("embedded", *EMBEDDED):
        return False
    from fastedit.connect import is_remote

    return is_remote(name)


def only_edits(name: str) -> bool:
    """Whether the model was trained by fastedit, for edits and nothing else. Raises ModelUnavailable."""
    if is_address(name):
        return False
    try:
        config = json.loads((model_folder(name) / "config.json").read_text("utf-8"))
        return config.get("prompt_format") is not None
    except (OSError, ValueError, AttributeError) as error:
        raise ModelUnavailable(
            f"{name}: config.json cannot be read ({error}); fetch the model again"
        ) from None


def chats(name: str) -> bool:
    """Whether a model was tuned to answer: one that runs here, if it has a chat template. Raises ModelUnavailable."""
    if is_address(name):
        from fastedit.connect import connect

        return connect(name).chats
    folder = model_folder(name)
    if any((folder / file).exists() for file in ("chat_template.jinja", "chat_template.json")):
        return True
    try:
        return bool(json.loads((folder / "tokenizer_config.json").read_text("utf-8")).get("chat_template"))
    except (OSError, ValueError, AttributeError):
        return False  # what is wrong with it is told when it is loaded


def takes_tools(name: str) -> bool:
    """Whether a model may be offered tools; none that runs here may. Raises as `chats` does."""
    if not is_address(name):
        return False
    from fastedit.connect import connect

    return connect(name).takes_tools


def resolved(name: str) -> str:
    """`embedded` is `small` where there is a GPU or a strong processor and `nano` elsewhere; other names stay, without
    the password that an address may hold."""
    if name != "embedded":
        return re.sub(r"(?<=://)[^/]*@", "", name)
    return "small" if _DRIVER.exists() or (os.cpu_count() or 1) >= STRONG else "nano"


def model_folder(name: str) -> Path:
    """The folder of an embedded model, the one that `name` is, or the one that the hub's model of that name is kept in,
    fetched if it is not there yet. Raises ModelUnavailable where there is no model."""
    folder = EMBEDDED.get(resolved(name)) or Path(name)
    try:
        if not folder.is_dir():
            if not _HUB_ID.fullmatch(name) or folder.exists():
                said = "FASTEDIT_MODEL=" if os.environ.get("FASTEDIT_MODEL") == name else ""
                raise ModelUnavailable(
                    f"{said}{name}: no such model folder; give a local folder, a hub id (owner/name), openai:NAME, "
                    "anthropic:NAME, a server's address, a profile (`fastedit config profiles`), `embedded`, `nano` or "
                    "`small`"
                )
            folder = _fetched(name)
        found = (folder / "config.json").is_file()
    except OSError as error:
        raise ModelUnavailable(
            f"{name}: {error.strerror or error}; give a local folder, a server's address or `embedded`"
        ) from None
    if not found:
        raise ModelUnavailable(
            f"no model in {folder}: expected a folder with config.json and safetensors weights"
        )
    return folder


def _fetched(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ModuleNotFoundError:
        said = f"{name}: no local folder, and to fetch it, {not_installed('huggingface-hub', 'local')}"
        raise ModelUnavailable(said) from None
    try:
        return Path(snapshot_download(name, allow_patterns=_PARTS))
    except Exception as error:  # the hub's client and the network below it raise nothing narrower in common
        why = next(iter(str(error).split("\n")), "") or type(error).__name__
        raise ModelUnavailable(
            f"{name}: no local folder, and the hub did not give it: {why.rstrip('.')}; check the name and the network, "
            "or give a folder"
        ) from None
