"""One SparkContext per test process, under a manual clock, for both engines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark import SparkConf, SparkContext

import dstream_compat  # noqa: F401  (before the JVM starts: it says which Python plans sources)
from dstream_compat import StreamingContext
from tests.support.streaming import fewer_calls

for _helper in ("contexts", "differential", "engines"):
    pytest.register_assert_rewrite(f"tests.support.streaming.{_helper}")

if TYPE_CHECKING:
    from tests.support.streaming.contexts import MakeContext

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def sc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkContext]:
    fewer_calls.install()
    # Helper modules of the tests are imported by the workers of DStreams, too.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    conf = (
        SparkConf()
        .setMaster("local[2]")
        .setAppName("dstream-compat tests")
        .set("spark.ui.enabled", "false")
        .set("spark.python.worker.reuse", "true")
        .set("spark.python.daemon.module", "tests.support.worker_daemon")
        .set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
        # ten intervals, which may be too few on a busy machine
        .set("spark.streaming.gracefulStopTimeout", "600s")
    )
    context = SparkContext.getOrCreate(conf)
    # Its default is any python3 of the PATH, also for DStreams.
    context.pythonExec = sys.executable
    context.setLogLevel("OFF")
    # Suffices for state on both engines; a streaming checkpoint would have to pickle the tests.
    context.setCheckpointDir(str(tmp_path_factory.mktemp("checkpoints")))
    yield context
    context.stop()


@pytest.fixture
def make(sc: SparkContext) -> Iterator[MakeContext]:
    made: list[StreamingContext] = []

    def make_context() -> StreamingContext:
        made.append(StreamingContext(sc, 1))
        return made[-1]

    yield make_context
    for ssc in made:
        ssc.stop(stopSparkContext=False)
