"""Fixtures for tests of jobs: ``spark``, one session per test run, and ``batches``.

A fixture of the same name in a ``conftest.py`` takes the place of these.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .batches import Batches


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Return a local SparkSession under a manual clock, which all tests of a process share."""
    from .session import local_session

    session = local_session(tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


@pytest.fixture
def batches(spark: Any) -> Callable[..., Batches]:
    """Return :func:`~dstream_compat.testing.run_batches`, for whose jobs Spark runs."""
    from .running import run_batches

    return functools.partial(run_batches)
