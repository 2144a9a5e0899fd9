"""Documents and requests in few words."""

from __future__ import annotations

from pathlib import Path

from fastedit.locate.region import Region
from fastedit.locate.scope import scope_of
from fastedit.locate.search import locate
from fastedit.request import LineRange
from fastedit.source.document import Document


def document(text: str, name: str = "a.py") -> Document:
    return Document.from_text(text, Path(name))


def asked(
    text: str,
    instruction: str,
    name: str = "a.py",
    *,
    symbol: str | None = None,
    lines: LineRange | None = None,
) -> tuple[Region, ...]:
    file = document(text, name)
    return locate(file, instruction, scope_of(file, symbol, lines))


def shown(text: str, region: Region) -> list[str]:
    return text.splitlines()[region.start : region.stop]


def long_module(count: int = 30) -> str:
    """Functions f0, f1, ... of five lines and two blank ones each."""
    parts = [
        f"def f{n}(a, b):\n    first_{n} = a + {n}\n    second_{n} = b * first_{n}\n    print(second_{n})\n"
        "    return None\n"
        for n in range(count)
    ]
    return "import os\nimport sys\n\n\n" + "\n\n".join(parts)
