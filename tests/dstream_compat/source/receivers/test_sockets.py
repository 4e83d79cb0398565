"""Sockets, files and queues, each against DStreams."""

from __future__ import annotations

import gzip
import threading
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.components.ports import closed_port
from tests.support.streaming.contexts import stop_gracefully
from tests.support.streaming.differential import DEADLINE, Recorder
from tests.support.streaming.files import flat, put
from tests.support.streaming.sockets import (
    Server,
    socket_source,
)
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow


def test_lines_of_a_socket_belong_to_the_interval_of_their_arrival(
    sc: SparkContext, server: Server
) -> None:
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    lines = ssc.socketTextStream("127.0.0.1", server.port)
    lines.foreachRDD(recorder.output("lines"))
    lines.count().foreachRDD(recorder.output("count"))
    lines.foreachRDD(recorder.last())
    ssc.start()
    clock = ManualClock(ssc)
    source = socket_source(ssc)
    try:
        server.accept()
        server.send(b"one\n\ntwo\r\n")
        wait_for(lambda: source.count_received() == 3)
        clock.advance(1)
        recorder.wait(1)
        clock.advance(1)
        recorder.wait(2)
        server.send("żółć\npart".encode())
        wait_for(lambda: source.count_received() == 1)
        clock.advance(1)
        recorder.wait(3)
        server.send(b"ial\nlast without end")
        server.hang_up()
        wait_for(lambda: source.count_received() == 2)
        clock.advance(1)
        recorder.wait(4)
        server.accept()
        server.send(b"again\n")
        wait_for(lambda: source.count_received() == 1)
        stop_gracefully(ssc)
    finally:
        ssc.stop(stopSparkContext=False)
    assert flat(recorder, "lines") == [
        ["", "one", "two"],
        [],
        ["żółć"],
        ["last without end", "partial"],
        ["again"],
    ], "a graceful stop drains what was received"
    assert flat(recorder, "count") == [[3], [], [1], [2], [1]]
    assert recorder.outcomes["lines"].batches[2.0] == [], "an idle socket gives no partition"


def test_late_intervals_keep_their_own_lines(sc: SparkContext, server: Server) -> None:
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    stall = threading.Event()
    lines = ssc.socketTextStream("127.0.0.1", server.port)

    def stall_first(at: Any, rdd: Any) -> None:
        if at.timestamp() == 1.0:
            assert stall.wait(DEADLINE)

    lines.foreachRDD(stall_first)
    lines.foreachRDD(recorder.output("lines"))
    lines.foreachRDD(recorder.last())
    ssc.start()
    clock = ManualClock(ssc)
    source = socket_source(ssc)
    try:
        server.accept()
        clock.advance(1)
        wait_for(lambda: source._sealed == 1000)
        for number, line in enumerate((b"second\n", b"third\n", b"fourth\n"), 1):
            server.send(line)
            wait_for(lambda n=number: source.count_received() == n)
            clock.advance(1)
        stall.set()
        recorder.wait(4)
    finally:
        ssc.stop(stopSparkContext=False)
    assert flat(recorder, "lines") == [[], ["second"], ["third"], ["fourth"]]


def test_socket_lines_are_cut_as_with_dstreams(sc: SparkContext, server: Server) -> None:
    data = b"a\r\nb\rc\n\n\xff\xfe \xc5\xbc\nend\n"
    ssc, recorder = real.StreamingContext(sc, 1), Recorder()
    lines = ssc.socketTextStream("127.0.0.1", server.port)
    lines.foreachRDD(recorder.output("lines"))
    lines.foreachRDD(recorder.last())
    ssc.start()
    seen: list[str] = []
    try:
        server.accept()
        server.send(data)
        clock = ManualClock(ssc)
        number = 0
        while "end" not in seen:
            number += 1
            assert number < 200
            clock.advance(1)
            recorder.wait(number)
            seen = [line for batch in flat(recorder, "lines") for line in batch]
    finally:
        ssc.stop(stopSparkContext=False)
    from dstream_compat.wire.frames import LINES, decode_all, pack, unpack
    from dstream_compat.worker.reading.entries import line_blocks

    frames = [unpack(pack(LINES, 1, 2, (), d, count=n)) for d, n in line_blocks([data])]
    assert sorted(decode_all(frames)) == sorted(seen)


@pytest.mark.parametrize("ends", ["stopped", "hung up"])
def test_a_line_without_an_end(sc: SparkContext, server: Server, ends: str) -> None:
    """It is a record if the peer has closed, as with DStreams, and none at a stop."""
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    lines = ssc.socketTextStream("127.0.0.1", server.port)
    lines.foreachRDD(recorder.output("lines"))
    ssc.start()
    source = socket_source(ssc)
    server.accept()
    server.send(b"whole\npart")
    wait_for(lambda: source.count_received() == 1)
    if ends == "hung up":
        server.hang_up()
        wait_for(lambda: source.count_received() == 2)
    stop_gracefully(ssc)
    found = {line for batch in flat(recorder, "lines") for line in batch}
    assert found == ({"whole"} if ends == "stopped" else {"whole", "part"})


def test_closed_port_is_reported_and_tried_again(
    sc: SparkContext, caplog: pytest.LogCaptureFixture
) -> None:
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    with closed_port() as port:
        ssc.socketTextStream("127.0.0.1", port).foreachRDD(recorder.last())
        ssc.start()
        clock = ManualClock(ssc)
        try:
            wait_for(lambda: f"socketTextStream(127.0.0.1:{port})" in caplog.text)
            clock.advance(1)
            recorder.wait(1)
        finally:
            ssc.stop(stopSparkContext=False)
    assert "refused" in caplog.text
    assert "trying again" in caplog.text


FILES: dict[str, tuple[float, bytes]] = {
    "one.txt": (0.5, b"a b\nc\n"),
    "two.txt": (1.0, b"exactly at one\n"),
    "three.txt": (1.001, b"just after\nno end"),
    ".hidden": (1.5, b"hidden\n"),
    "four.txt": (2.5, "ż\r\n".encode()),
    "empty.txt": (2.6, b""),
    "alone and empty.txt": (5.5, b""),
    "five.txt.gz": (3.5, gzip.compress(b"packed\nlines\n", mtime=0)),
}


def read_files(ssc: Any, folder: Path, binary: bool) -> Recorder:
    recorder = Recorder()
    folder.mkdir()
    stream = ssc.binaryRecordsStream(str(folder), 3) if binary else ssc.textFileStream(str(folder))
    stream.foreachRDD(recorder.output("records"))
    stream.count().foreachRDD(recorder.output("count"))
    stream.foreachRDD(recorder.last())
    if binary:
        put(folder, "x.bin", 0.5, b"abcdef")
    else:
        for name, (seconds, data) in FILES.items():
            put(folder, name, seconds, data)
    ssc.start()
    try:
        clock = ManualClock(ssc)
        for number in range(1, 7):
            clock.advance(1)
            recorder.wait(number)
            if number == 4 and not binary:
                put(folder, "one.txt", 4.5, b"rewritten under a known name\n")
                put(folder, "late.txt", 4.5, b"late\n")
                put(folder, "old.txt", 2.0, b"moved in with an old time\n")
    finally:
        ssc.stop(stopSparkContext=False)
    return recorder


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_files_same_as_dstreams(sc: SparkContext, tmp_path: Path, binary: bool) -> None:
    expected = read_files(real.StreamingContext(sc, 1), tmp_path / "real", binary)
    ssc = StreamingContext(sc, 1)
    ours = read_files(ssc, tmp_path / "ours", binary)
    for name in ("records", "count"):
        assert flat(ours, name) == flat(expected, name)
    assert any(flat(ours, "records"))


def test_missing_folder_is_reported_and_watched(
    sc: SparkContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "later"
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    lines = ssc.textFileStream(str(folder))
    lines.foreachRDD(recorder.output("lines"))
    lines.foreachRDD(recorder.last())
    ssc.start()
    clock = ManualClock(ssc)
    try:
        clock.advance(1)
        recorder.wait(1)
        assert f"{folder}" in caplog.text
        assert "does not exist" in caplog.text
        folder.mkdir()
        put(folder, "now.txt", 1.5, b"there\n")
        clock.advance(1)
        recorder.wait(2)
    finally:
        ssc.stop(stopSparkContext=False)
    assert flat(recorder, "lines") == [[], ["there"]]


def test_bad_file_fails_its_batch_only(sc: SparkContext, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    records = ssc.binaryRecordsStream(str(folder), 4)
    records.foreachRDD(recorder.output("records"))
    records.foreachRDD(recorder.last())
    put(folder, "bad.bin", 0.5, b"12345")
    put(folder, "good.bin", 1.5, b"12345678")
    ssc.start()
    clock = ManualClock(ssc)
    try:
        for number in (1, 2):
            clock.advance(1)
            recorder.wait(number)
    finally:
        ssc.stop(stopSparkContext=False)
    batches = recorder.outcomes["records"].batches
    assert "bad.bin: size is not a multiple of the record length" in batches[1.0]
    assert flat(recorder, "records")[1:] == [[b"1234", b"5678"]]
