"""Runs of jobs over files, on both engines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder
from tests.support.streaming.files import flat

# Hadoop's local file system under a name that is not its own: it is not read by Python
SCHEME = "elsewhere"


@pytest.fixture
def elsewhere(sc: SparkContext) -> Callable[[Path], str]:
    """The path of a folder as one of another file system, for both engines."""
    jsc: Any = sc._jsc
    configuration = jsc.hadoopConfiguration()
    mounts = f"fs.viewfs.mounttable.{SCHEME}.link./"

    def path(folder: Path) -> str:
        configuration.set(f"{mounts}{folder.name}", folder.as_uri())
        configuration.setBoolean("fs.viewfs.impl.disable.cache", True)
        return f"viewfs://{SCHEME}/{folder.name}"

    return path


def run(ssc: Any, path: str, steps: list[Callable[[], None]], binary: bool) -> Recorder:
    recorder = Recorder()
    stream = ssc.binaryRecordsStream(path, 3) if binary else ssc.textFileStream(path)
    stream.foreachRDD(recorder.output("records"))
    stream.foreachRDD(recorder.last())
    ssc.start()
    try:
        clock = ManualClock(ssc)
        for number, step in enumerate(steps, 1):
            step()
            clock.advance(1)
            recorder.wait(number)
    finally:
        ssc.stop(stopSparkContext=False)
    return recorder


def both(
    sc: SparkContext,
    tmp_path: Path,
    script: Callable[[Path], tuple[str, list[Callable[[], None]]]],
    binary: bool = False,
) -> list[Any]:
    """Run a script on both engines; returns what ours gave, which has to be the same."""
    results = []
    for name in ("real", "ours"):
        (tmp_path / name).mkdir()
        path, steps = script(tmp_path / name)
        if name == "real":
            made: Any = real.StreamingContext(sc, 1)
            recorder = run(made, path, steps, binary)
        else:
            made = StreamingContext(sc, 1)
            recorder = run(made, path, steps, binary)
        results.append(flat(recorder, "records"))
    assert results[1] == results[0]
    return list(results[1])
