"""Fixtures for tests that need Kinesis: one server of moto's for a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dstream_compat.source import shards as shards_module

from .kinesis_server import Kinesis, kinesis_server

__all__ = ["kinesis", "server"]


@pytest.fixture(scope="module")
def server() -> Iterator[Kinesis]:
    with kinesis_server() as kinesis:
        yield kinesis


@pytest.fixture
def kinesis(server: Kinesis, monkeypatch: pytest.MonkeyPatch) -> Kinesis:
    monkeypatch.setattr(shards_module, "_IDLE_SECONDS", 0.02)
    return server
