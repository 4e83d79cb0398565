"""A job on 4.3's DStreams over a socket with a write-ahead log, which is processed here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat
from dstream_compat.exceptions import CheckpointError
from dstream_compat.old_checkpoint import folder as folder_module
from dstream_compat.old_checkpoint.folder import read_checkpoint
from dstream_compat.testing import ManualClock
from tests.support.streaming.checkpoints import tree
from tests.support.streaming.same_lives import SEEN, last, pair, running
from tests.support.streaming.settings import setting
from tests.support.streaming.sockets import Server, server
from tests.support.waiting import wait_for

__all__ = ["server"]

pytestmark = pytest.mark.slow

IMPORT = "spark.streaming.compat.importFrom"
LOG = "spark.streaming.receiver.writeAheadLog.enable"


class Old:
    """The job on DStreams; its state is saved every other second."""

    def __init__(self, sc: SparkContext, server: Server, folder: Path) -> None:
        self.folder = folder
        self._server = server
        self._second = 0
        SEEN.log = []
        self.ssc: Any = real.StreamingContext(sc, 1)
        self.ssc.checkpoint(str(folder))
        pairs = self.ssc.socketTextStream("127.0.0.1", server.port).flatMap(str.split).map(pair)
        totals = pairs.updateStateByKey(running)
        totals.checkpoint(2)
        totals.foreachRDD(last)
        self.ssc.start()
        server.accept()

    def send(self, line: str) -> None:
        """Send a line, and wait until it is logged."""
        self._server.send(f"{line}\n".encode())
        tracker = self.ssc._jssc.ssc().scheduler().receiverTracker()
        wait_for(tracker.hasUnallocatedBlocks)

    def batch(self, line: str = "") -> None:
        """Let a second pass, in which a line comes; wait until the checkpoint says so."""
        if line:
            self.send(line)
        self._second += 1
        ManualClock(self.ssc).advance(1)
        SEEN.wait(self._second)
        wait_for(lambda: (self.folder / f"checkpoint-{self._second * 1000}").exists())


@contextmanager
def living(sc: SparkContext, server: Server, folder: Path) -> Iterator[Old]:
    with setting(sc, LOG, "true"):
        old = Old(sc, server, folder)
        try:
            yield old
        finally:
            old.ssc.stop(stopSparkContext=False)


def test_what_was_logged_is_processed(sc: SparkContext, server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    with living(sc, server, folder) as old:
        for line in ("a", "a b", "b c", ""):
            old.batch(line)
        old.batch("d é")
        old.send("in no batch yet")
    before = tree(folder)
    moved = folder.rename(tmp_path / "moved")
    SEEN.log = []

    def create() -> Any:
        ssc = dstream_compat.StreamingContext(sc, 1)
        lines = ssc.socketTextStream("127.0.0.1", server.port)
        lines.flatMap(str.split).map(pair).updateStateByKey(running).foreachRDD(last)
        return ssc

    with setting(sc, IMPORT, str(moved)):
        for has_batches in (False, True):  # the log is needed by a restart before the first one
            ssc = dstream_compat.StreamingContext.getOrCreate(str(tmp_path / "new"), create)
            ssc.start()
            try:
                if has_batches:
                    ManualClock(ssc).advance_to(7)
                    SEEN.wait(7)
            finally:
                ssc.stop(stopSparkContext=False)
    assert tree(moved) == before
    at_four = [("a", 2), ("b", 2), ("c", 1)]
    at_five = [*at_four, ("d", 1), ("é", 1)]
    at_six = sorted([*at_five, *((word, 1) for word in ("in", "no", "batch", "yet"))], key=repr)
    found = {int(at): records for _, at, records in SEEN.log}
    assert found == {5: at_five, 6: at_six, 7: at_six}


def test_a_running_job_and_a_log_that_is_gone(
    sc: SparkContext, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "old"
    with living(sc, server, folder) as old:
        old.batch("a")
        found = read_checkpoint(sc, str(folder))
        now = SimpleNamespace(time=lambda: found.written / 1000, sleep=lambda _: old.batch("b"))
        monkeypatch.setattr(folder_module, "time", now)
        with pytest.raises(CheckpointError, match="running job: stop it first"):
            found.refuse_running()
        old.batch("c")
    monkeypatch.undo()
    for path in folder.glob("receivedData/0/*log-*"):
        path.unlink()

    def create() -> Any:
        ssc = dstream_compat.StreamingContext(sc, 1)
        ssc.socketTextStream("127.0.0.1", server.port).map(pair).updateStateByKey(running).pprint()
        return ssc

    with setting(sc, IMPORT, str(folder)):
        ssc = dstream_compat.StreamingContext.getOrCreate(str(tmp_path / "new"), create)
        with pytest.raises(CheckpointError, match="what a receiver has logged in"):
            ssc.start()
    assert not (tmp_path / "new" / "dstream-compat").exists()
