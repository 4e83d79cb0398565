"""Large files: where they are cut, against DStreams and against the whole file."""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.source.files.source import FileSource
from dstream_compat.source.files.splits import Splitter
from dstream_compat.worker.reading.entries import line_blocks
from dstream_compat.worker.reading.splits import Split, within
from tests.support.streaming.file_runs import elsewhere, run  # noqa: F401  (a fixture)
from tests.support.streaming.files import put
from tests.support.streaming.inputs import opened

SIZE = 40


@pytest.fixture
def small_splits(sc: SparkContext) -> Iterator[Any]:
    """Let Hadoop cut files into pieces of 40 bytes."""
    jsc: Any = sc._jsc
    configuration = jsc.hadoopConfiguration()
    name = "mapreduce.input.fileinputformat.split.maxsize"
    configuration.setInt(name, SIZE)
    yield configuration
    configuration.unset(name)


def lines_of(data: bytes, split: Split, block: int) -> list[bytes]:
    blocks = (data[at : at + block] for at in range(split.start, len(data), block))
    return [
        line
        for lines, count in line_blocks(within(blocks, split))
        for line in lines.split(b"\n")
        if count
    ]


@pytest.mark.parametrize("seed", range(60))
def test_each_line_is_in_the_split_in_which_it_starts(seed: int) -> None:
    rng = random.Random(seed)
    ends = [b"\n", b"\r\n", b"\r"] if seed % 2 else [b"\n"]
    data = b"".join(
        b"x" * rng.choice((0, 0, 1, 3, 30)) + rng.choice(ends) for _ in range(rng.randrange(1, 25))
    ) + rng.choice((b"", b"end"))
    most = rng.randrange(1, 40)
    cuts = [*range(0, len(data), most), len(data)]
    splits = [*map(Split, cuts, cuts[1:])]
    found = re.finditer(rb"([^\r\n]*)(?:\r\n|\r|\n|\Z)", data)
    starts = [(match.start(), match[1]) for match in found if match[0]]
    for split in splits:
        assert split.end is not None
        expected = [
            line for at, line in starts if split.start < at <= split.end or at == split.start == 0
        ]
        for block in (1, 2, 7, 1000):
            assert lines_of(data, split, block) == expected, (split, block)


def test_what_is_appended_later_is_not_read() -> None:
    data = b"one\ntwo\nthree\nfour\n"
    assert lines_of(data, Split(0, 6), 4) == [b"one", b"two"]
    assert lines_of(data, Split(0, 7), 4) == [b"one", b"two"]
    assert lines_of(data, Split(0, None), 4) == [b"one", b"two", b"three", b"four"]
    assert lines_of(data, Split(0, 6, last=True), 4) == [b"one", b"tw"]
    assert lines_of(data, Split(3, 8, last=True), 4) == [b"two"]
    assert lines_of(data, Split(4, 19, last=True), 1) == [b"three", b"four"]


@pytest.mark.slow
def test_sizes_of_splits(sc: SparkContext, small_splits: Any) -> None:
    text, records = Splitter(sc, None), Splitter(sc, 7)
    assert text.split("a", 44, None) == [Split(0, 44, True)], "the last may be a tenth larger"
    assert text.split("a", 45, None) == [Split(0, 40), Split(40, 45, True)]
    assert text.split("a", 45, 0) == text.split("a", 45, None)
    most = [Split(0, 30), Split(30, 60), Split(60, 90)]
    assert text.split("a", 99, 30) == [*most, Split(90, 99, True)]
    assert text.split("a.gz", 99, 30) == [Split()]
    assert records.split("a", 77, None) == [Split(0, 35), Split(35, 70), Split(70, 77, True)]
    assert records.split("a", 21, 3) == [Split(0, 7), Split(7, 14), Split(14, 21, True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "binary"),
    [
        ("elsewhere", False),
        ("local", True),
        pytest.param("local", False, marks=pytest.mark.full),
        pytest.param("elsewhere", True, marks=pytest.mark.full),
    ],
    ids=["text-elsewhere", "binary-local", "text-local", "binary-elsewhere"],
)
def test_partitions_same_as_dstreams(
    sc: SparkContext,
    tmp_path: Path,
    elsewhere: Callable[[Path], str],  # noqa: F811
    small_splits: Any,
    place: str,
    binary: bool,
) -> None:
    rng = random.Random(7)
    found = []
    for make in (real.StreamingContext, StreamingContext):
        folder = tmp_path / make.__module__
        folder.mkdir()
        rng.seed(7)
        if binary:
            put(folder, "a", 0.5, bytes(range(3 * 43)))
            put(folder, "b", 0.5, bytes(range(3 * 14)))
        else:
            text = b"".join(
                b"%d" % number * rng.randrange(1, 30) + rng.choice((b"\n", b"\r\n", b"\r"))
                for number in range(40)
            )
            put(folder, "a", 0.5, text)
            put(folder, "b", 0.5, b"\xef\xbb\xbfmark\n" + b"y" * 200)
            put(folder, "c.gz", 0.5, gzip.compress(text))
        path = elsewhere(folder) if place == "elsewhere" else str(folder)
        ssc: Any = make(sc, 1)
        recorder = run(ssc, path, [lambda: None], binary)
        found.append(sorted(recorder.outcomes["records"].batches[1.0], key=repr))
    assert found[1] == found[0]
    assert len(found[1]) > 4
    source = opened(FileSource(str(folder), 0, 3 if binary else None, 60_000))
    (parts,) = source.plan(sc, [1000]).values()
    info = source.input_info(1000, parts)
    assert info is not None and len(info.files) == (2 if binary else 3)
