from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.legacy.harness import ENGINES, LineServer


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """PySpark's own DStreams, and the replacement."""
    return str(request.param)


@pytest.fixture
def server() -> Iterator[LineServer]:
    line_server = LineServer()
    yield line_server
    line_server.close()
