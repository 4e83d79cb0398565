"""The short run is the same each time; the long one looks for something new."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.migrator.fuzz_inputs import SHORT
from tests.support.steady import steady_draws


@pytest.fixture(autouse=True, scope="module")
def steady() -> Iterator[None]:
    if SHORT:
        with steady_draws():
            yield
    else:
        yield
