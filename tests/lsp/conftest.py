from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.conftest import copier as copier
from tests.lsp.editor import Editor


@pytest.fixture(scope="session")
def shared(copier) -> Iterator[Editor]:
    """One server for all; each test opens buffers of its own."""
    with Editor("--model", copier.model) as editor:
        yield editor


@pytest.fixture
def editor(shared: Editor) -> Editor:
    shared.forget()
    return shared


@pytest.fixture
def uri(request: pytest.FixtureRequest) -> str:
    """A buffer's address of the test's own."""
    return f"file:///work/{request.node.name}.py"
