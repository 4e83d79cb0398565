"""pprint and saveAsTextFiles, against DStreams."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.streaming.util import rddToFileName as spark_name

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from dstream_compat.util import rddToFileName
from tests.support.streaming.differential import Recorder
from tests.support.streaming.settings import setting
from tests.support.waiting import wait_for

BATCHES = [list(range(25)), ["a", None, ("t", 1.5)], [], list("0123456789"), ["ż", b"x"]]

pytestmark = pytest.mark.slow


def run(ssc: Any, folder: Path) -> None:
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
            ManualClock(ssc).advance(0.5)
            recorder.wait(number / 2)
    finally:
        ssc.stop(stopSparkContext=False)


def contents(folder: Path) -> dict[str, Any]:
    return {
        str(path.relative_to(folder)): sorted(path.read_text().splitlines())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def test_same_as_dstreams(
    sc: SparkContext, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(real.StreamingContext(sc, 0.5009), tmp_path / "real")
    expected = capsys.readouterr().out
    ssc = StreamingContext(sc, 0.5009)  # half a second: parts of a millisecond are cut off
    run(ssc, tmp_path / "ours")
    assert capsys.readouterr().out == expected
    for seconds in (0.5, 1.0):
        assert f"Time: {datetime.fromtimestamp(seconds)}\n" in expected
    assert contents(tmp_path / "ours") == contents(tmp_path / "real")
    assert (tmp_path / "ours" / "out-1000.txt" / "_SUCCESS").exists()


@pytest.mark.parametrize("at_once", [1, 2])
def test_folders_that_exist_are_written_over(
    sc: SparkContext, tmp_path: Path, at_once: int
) -> None:
    """Outputs and functions of transform write to the same place in every batch."""

    def life(make: Any, place: Path) -> dict[str, Any]:
        pickles = tmp_path / f"pickles-{place.name}"
        for name, files in (("half", ["part-00009"]), ("whole", ["_SUCCESS", "part-00000"])):
            folder = place / f"{name}-1000"
            folder.mkdir(parents=True)
            for file in files:
                (folder / file).write_text("old\n")
        ssc = make(sc, 1)
        stream = ssc.queueStream([["a", "b"], ["c"]])
        ended: list[str] = []

        def save(name: str, pickled: bool = False) -> Callable[[Any], None]:
            def output(rdd: Any) -> None:
                path = str((pickles if pickled else place) / name)
                rdd.saveAsPickleFile(path) if pickled else rdd.map(str).saveAsTextFile(path)
                ended.append(name)

            return output

        def saved(rdd: Any) -> Any:
            save("transform")(rdd)
            return rdd

        for name in ("half", "whole"):
            stream.saveAsTextFiles(str(place / name))
        stream.foreachRDD(save("output"))
        stream.foreachRDD(save("pickle", True))
        stream.transform(saved).foreachRDD(save("last"))
        ssc.start()
        try:
            clock = ManualClock(ssc)
            for number in (1, 2):
                clock.advance(1)
                # all of them, whichever ends last
                wait_for(lambda number=number: len(ended) == 4 * number)
                for name in ("half", "whole"):
                    mark = place / f"{name}-{number}000" / "_SUCCESS"
                    wait_for(lambda mark=mark: mark.exists() and not mark.read_text())
            assert ssc.awaitTerminationOrTimeout(0.05) is False  # raises errors of outputs
        finally:
            ssc.stop(stopSparkContext=False)
        assert sorted(sc.pickleFile(str(pickles / "pickle")).collect()) == ["c"]
        return contents(place)

    with setting(sc, "spark.streaming.concurrentJobs", str(at_once)):
        found = life(real.StreamingContext, tmp_path / "real")
        assert life(StreamingContext, tmp_path / "ours") == found
    assert "old" not in found["whole-1000/part-00000"]
    with pytest.raises(Exception, match="FileAlreadyExistsException"):
        sc.parallelize(["a"]).saveAsTextFile(str(tmp_path / "ours" / "output"))


def test_names_of_folders() -> None:
    assert rddToFileName("a/b", None, 1500) == "a/b-1500"
    assert rddToFileName("a", "txt", 1500) == "a-1500.txt"


@pytest.mark.parametrize("micro", [0, 1, 999, 499_500, 500_500, 999_499, 999_500, 999_999])
@pytest.mark.parametrize("seconds", [0, 1, 1_700_000_000])
def test_names_of_folders_with_parts_of_milliseconds(seconds: int, micro: int) -> None:
    at = datetime.fromtimestamp(seconds).replace(microsecond=micro)
    assert rddToFileName("a", None, at) == spark_name("a", None, at)
