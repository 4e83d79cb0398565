"""Fixtures for tests that need Kinesis: one server of moto's for a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dstream_compat.source.kinesis import shards as shards_module
from dstream_compat.worker.reading import kinesis_range as range_module
from tests.support.streaming.kinesis_server import Kinesis, kinesis_server

__all__ = ["kinesis", "server", "small_samples"]


@pytest.fixture(scope="module")
def server() -> Iterator[Kinesis]:
    with kinesis_server() as kinesis:
        yield kinesis


@pytest.fixture
def kinesis(server: Kinesis, monkeypatch: pytest.MonkeyPatch) -> Kinesis:
    monkeypatch.setattr(shards_module, "_IDLE_SECONDS", 0.02)
    return server


@pytest.fixture
def small_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the driver read two records of a shard, and tasks what is behind them."""
    monkeypatch.setattr(shards_module, "_SAMPLE", 2)
    monkeypatch.setattr(shards_module, "_TAIL_SECONDS", 0.0)
    monkeypatch.setattr(range_module, "BUSY_SECONDS", 0.0)
