"""MkDocs hooks: pages made from files outside `docs/`, and a check that the built site loads nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

import fastedit

ROOT = Path(__file__).parents[2]
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md"}
# The ways in which HTML loads a file by itself. `link` also names pages, which are not loaded.
LOADING = {
    "script": "src",
    "link": "href",
    "img": "src",
    "source": "src",
    "video": "src",
    "iframe": "src",
    "embed": "src",
}
PASSIVE = {"canonical", "alternate", "next", "prev", "edit"}
IN_CSS = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds README, CONTRIBUTING and the API page; links from the repository's root become links within the site."""
    for source, page in PAGES.items():
        text = (ROOT / source).read_text()
        text = text.replace("](docs/", "](")
        for other, target in PAGES.items():
            text = text.replace(f"]({other})", f"]({target})")
        files.append(File.generated(config, page, content=text))
    files.append(File.generated(config, "api.md", content=_api()))
    return files


def _api() -> str:
    names = "\n\n".join(f"::: fastedit.{name}" for name in fastedit.__all__)
    return f"# Python API\n\nAll of these are imported from `fastedit`.\n\n{names}\n"


def on_post_build(config: MkDocsConfig) -> None:
    """Fails the build if a page or style sheet loads a script, style, font or picture from another host."""
    site = Path(config.site_dir)
    outside = [
        f"{path.relative_to(site)}: {address}"
        for path in sorted(site.rglob("*"))
        for address in _loaded(path)
        if address.startswith(("http:", "https:", "//"))
    ]
    if outside:
        raise PluginError("the site loads files from other hosts:\n" + "\n".join(outside))


def _loaded(path: Path) -> Iterator[str]:
    if path.suffix == ".css":
        yield from IN_CSS.findall(path.read_text())
    elif path.suffix == ".html":
        page = _Page()
        page.feed(path.read_text())
        yield from page.loaded


class _Page(HTMLParser):
    """Collects the addresses that a browser loads by itself; links to follow are not among them."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get(LOADING.get(tag, ""))
        if address and not (tag == "link" and set((given.get("rel") or "").split()) <= PASSIVE):
            self.loaded.append(address)

    def handle_data(self, data: str) -> None:
        if self.lasttag == "style":
            self.loaded += IN_CSS.findall(data)
