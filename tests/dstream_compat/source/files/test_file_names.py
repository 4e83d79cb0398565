"""Which files of a watched folder are read, and in which order."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder
from tests.support.streaming.file_runs import both
from tests.support.streaming.files import flat, put
from tests.support.streaming.stepwise import Run

pytestmark = pytest.mark.slow


def test_files_that_are_left_out(sc: SparkContext, tmp_path: Path) -> None:
    with Run(sc) as run:
        run.keep("lines", run.ssc.textFileStream(str(tmp_path)))
        run.start()
        for name in ("_a", "_SUCCESS", ".x", "a"):
            put(tmp_path, name, 0.5, f"{name}\n".encode())
        run.advance()
        put(tmp_path, "b_", 1.5, b"b_\n")
        put(tmp_path, "_b", 1.5, b"_b\n")
        run.advance()
        assert run.batches("lines") == [["a"], ["b_"]]
        assert run.ssc.awaitTerminationOrTimeout(0) is False  # raises errors of outputs


def test_the_order_of_files(sc: SparkContext, tmp_path: Path) -> None:
    """By modification time, then by name, in batches on time and in late ones."""
    with Run(sc) as run:
        lines = run.ssc.textFileStream(str(tmp_path))
        run.keep("lines", lines, lambda rdd: rdd.collect())
        run.keep("files", lines, lambda rdd: rdd.glom().collect())
        run.start()
        for name, seconds in (("d", 0.25), ("b", 0.75), ("a", 0.75), ("c", 0.75), ("e", 0.5)):
            put(tmp_path, name, seconds, f"{name}1\n{name}2\n".encode())
        run.advance()
        for name, seconds in (("z", 1.5), ("y", 2.5), ("x", 2.5), ("w", 1.75), ("v", 3.0)):
            put(tmp_path, name, seconds, f"{name}1\n{name}2\n".encode())
        run.advance(2)
        expected = ["deabc", "zw", "xyv"]
        assert run.batches("files") == [[[f"{n}1", f"{n}2"] for n in names] for names in expected]
        assert run.batches("lines") == [
            [f"{name}{line}" for name in names for line in (1, 2)] for names in expected
        ]


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_a_folder_that_appears(sc: SparkContext, tmp_path: Path, binary: bool) -> None:
    """It is read once, without what is hidden in it or empty."""

    def script(root: Path) -> tuple[str, list[Callable[[], None]]]:
        made, below = root.parent / f"{root.name}-made", root / "sub"

        def appear() -> None:
            made.mkdir()
            put(made, "one", 0.25, b"abcdef")
            put(made, "two", 0.75, b"ghi")
            put(made, "empty", 0.5, b"")
            put(made, ".x", 0.5, b"hidden")
            os.utime(made, (0.75, 0.75))
            made.rename(below)

        def more() -> None:
            put(below, "four", 1.5, b"mno")
            os.utime(below, (1.5, 1.5))
            put(root, "good", 1.5, b"pqr")

        return str(root), [appear, more, lambda: None]

    found: list[Any] = both(sc, tmp_path, script, binary)
    assert [len(batch) for batch in found] == [3 if binary else 2, 1, 0]


def test_a_folder_in_a_folder_that_appears(sc: SparkContext, tmp_path: Path) -> None:
    """DStreams cancel such a batch, and never read anything of that folder."""
    found: list[Any] = []
    for make in (real.StreamingContext, StreamingContext):
        root = tmp_path / make.__module__
        (root / "sub" / "deeper").mkdir(parents=True)
        put(root / "sub", "one", 0.25, b"one\n")
        put(root / "sub" / "deeper", "two", 0.25, b"two\n")
        os.utime(root / "sub", (0.75, 0.75))
        put(root, "same batch", 0.5, b"same batch\n")
        put(root, "next batch", 1.5, b"next batch\n")
        ssc, recorder = make(sc, 1), Recorder()
        lines = ssc.textFileStream(str(root))
        lines.foreachRDD(recorder.output("lines"))
        lines.foreachRDD(recorder.last())
        ssc.start()
        try:
            ManualClock(ssc).advance(2)
            recorder.wait(2)
        finally:
            ssc.stop(stopSparkContext=False)
        found.append(flat(recorder, "lines"))
    assert found == [[["next batch"]], [["one", "same batch"], ["next batch"]]]


@pytest.mark.parametrize("path", ["{root}/a#b%20c", "file:{root}/a#b%20c", "file://{root}/a*c"])
def test_names_are_taken_literally(sc: SparkContext, tmp_path: Path, path: str) -> None:
    """What means something in a URL does not in a path of Hadoop."""

    def script(root: Path) -> tuple[str, list[Callable[[], None]]]:
        def begin() -> None:
            for name in ("a", "a#b c", "a#b%20c"):
                (root / name).mkdir()
                put(root / name, "what?#%41.txt", 0.5, name.encode())

        def later() -> None:
            put(root / "a#b%20c", "b", 1.5, b"later")

        return path.format(root=root), [begin, later]

    found = both(sc, tmp_path, script)
    assert found == [["a#b c", "a#b%20c"] if "*" in path else ["a#b%20c"], ["later"]]
