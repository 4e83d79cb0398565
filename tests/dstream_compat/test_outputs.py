"""pprint and saveAsTextFiles, against the real engine."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.util import rddToFileName

from .differential import Recorder

BATCHES = [list(range(25)), ["a", None, ("t", 1.5)], [], list("0123456789"), ["ż", b"x"]]

pytestmark = pytest.mark.slow


def run(ssc: Any, clock: Any, folder: Path) -> None:
    recorder = Recorder()
    stream = ssc.queueStream(BATCHES)
    stream.pprint()
    stream.map(str).pprint(2)
    stream.map(lambda x: (str(x), 1)).reduceByKey(max, 1).map(lambda kv: kv[0]).saveAsTextFiles(
        str(folder / "out"), "txt"
    )
    stream.filter(lambda x: False).saveAsTextFiles(str(folder / "none"))
    stream.foreachRDD(recorder.last())
    ssc.start()
    try:
        for number in range(1, 7):
            (clock or ssc._jssc.ssc().scheduler().clock()).advance(500)
            recorder.wait(number / 2)
    finally:
        ssc.stop(stopSparkContext=False)


def contents(folder: Path) -> dict[str, Any]:
    return {
        str(path.relative_to(folder)): sorted(path.read_text().splitlines())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def test_same_as_real_engine(
    sc: SparkContext, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(real.StreamingContext(sc, 0.5009), None, tmp_path / "real")
    expected = capsys.readouterr().out
    ssc = StreamingContext(sc, 0.5009)  # half a second: parts of a millisecond are cut off
    run(ssc, ssc._clock, tmp_path / "ours")
    assert capsys.readouterr().out == expected
    for seconds in (0.5, 1.0):
        assert f"Time: {datetime.fromtimestamp(seconds)}\n" in expected
    assert contents(tmp_path / "ours") == contents(tmp_path / "real")
    assert (tmp_path / "ours" / "out-1000.txt" / "_SUCCESS").exists()


def test_replay_completes_a_half_written_folder(sc: SparkContext, tmp_path: Path) -> None:
    for name, files in (("half", []), ("whole", ["_SUCCESS", "part-00000"])):
        folder = tmp_path / f"{name}-1000"
        folder.mkdir()
        for file in files:
            (folder / file).write_text("as it was\n" if file.startswith("part") else "")
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    stream = ssc.queueStream([["new"]])
    for name in ("half", "whole"):
        stream.saveAsTextFiles(str(tmp_path / name))
    stream.foreachRDD(recorder.last())
    ssc.start()
    clock: Any = ssc._clock
    try:
        clock.advance(1000)
        recorder.wait(1)
        assert ssc.awaitTerminationOrTimeout(0.05) is False
    finally:
        ssc.stop(stopSparkContext=False)
    half = (tmp_path / "half-1000").glob("part-*")
    assert "".join(path.read_text() for path in half) == "new\n"
    assert (tmp_path / "half-1000" / "_SUCCESS").exists()
    assert (tmp_path / "whole-1000" / "part-00000").read_text() == "as it was\n"


def test_names_of_folders() -> None:
    assert rddToFileName("a/b", None, 1500) == "a/b-1500"
    assert rddToFileName("a", "txt", 1500) == "a-1500.txt"
