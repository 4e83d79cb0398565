"""Batches whose last output failed, on disk; without Spark."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from dstream_compat.batch.failed_batches import FailedBatches
from dstream_compat.graph.nodes import Graph
from dstream_compat.storage.files import LocalStorage
from dstream_compat.storage.spool import Spool


def test_a_disk_that_refuses(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The output has failed already; later batches must not fail because of it."""
    (tmp_path / "failed").write_text("a file where the folder should be")
    spool = Spool.__new__(Spool)
    spool._storage, spool.folder, spool._kept = LocalStorage(), str(tmp_path / "failed"), set()
    pending = FailedBatches(spool, Graph(1000))
    with caplog.at_level(logging.ERROR, "dstream_compat"):
        pending.keep(1000, [])
    assert "the failed batch of 1000 ms could not be kept" in caplog.text
    assert pending.times() == []
