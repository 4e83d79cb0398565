"""Frames: what goes in comes out."""

from __future__ import annotations

import pickle
import re
import struct
import sys
from collections import namedtuple
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from threading import Lock
from typing import Any

import pytest
from pyspark import cloudpickle

from dstream_compat.batch.rdds import FrameSerializer
from dstream_compat.wire import errors
from dstream_compat.wire.frames import (
    FIXED,
    LINES,
    RECORDS,
    Intervals,
    Stored,
    chunks,
    decode,
    decode_all,
    dump_records,
    dumps,
    pack,
    pack_intervals,
    unpack,
    unpack_intervals,
)
from dstream_compat.worker.reading.entries import line_blocks

Point = namedtuple("Point", "x y")


def test_header_survives() -> None:
    data = pack(RECORDS, 7, 1_700_000_000_000, (3, -1, 2**40), b"xy", part=4, seq=5, count=6)
    frame = unpack(data)
    assert frame[:7] == (RECORDS, 7, 1_700_000_000_000, 4, 5, 6, (3, -1, 2**40))
    assert bytes(frame.payload) == b"xy"


def test_clock_survives() -> None:
    clock = Intervals(1000, 4000, 500, 1000)
    assert unpack_intervals(unpack(pack_intervals(clock, 1))) == clock
    assert list(clock.ticks()) == [2000, 3000, 4000]
    assert clock.is_valid(2500, 1000)
    assert not clock.is_valid(500, 1000)
    assert not clock.is_valid(2000, 1000)


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 50_000])
def test_chunks_hold_every_record_once(count: int) -> None:
    records: list[Any] = [(i, str(i)) for i in range(count)]
    frames = [
        unpack(pack(RECORDS, 1, 2, (), payload, count=n)) for n, payload in chunks(iter(records))
    ]
    assert list(decode_all(frames)) == records
    assert sum(frame.count for frame in frames) == count


def test_stored_dicts_are_not_pickled_again() -> None:
    few, none = {"a": 1, "b": [2]}, dict[str, Any]()
    blob = dump_records(few)
    stored = Stored([(few, blob), (none, None), ({"c": 3}, None)])
    assert list(stored) == [("a", 1), ("b", [2]), ("c", 3)]
    found = list(chunks(stored))
    assert found[0] == (2, blob)
    frames = [unpack(pack(RECORDS, 1, 2, (), payload, count=n)) for n, payload in found]
    assert list(decode_all(frames)) == list(stored)
    assert [len(decode(frame)) for frame in frames] == [2, 1]


def test_large_stored_dicts_are_cut() -> None:
    large = {number: str(number) * 300 for number in range(10_000)}
    found = list(chunks(Stored([(large, dump_records(large))])))
    assert max(len(payload) for _, payload in found) < 3 << 20
    frames = [unpack(pack(RECORDS, 1, 2, (), payload, count=n)) for n, payload in found]
    assert dict(decode_all(frames)) == large


@pytest.mark.parametrize("size", [10**5, 10**6])
def test_the_first_chunk_is_small_too(size: int) -> None:
    """Arrow and Java hold 2 GiB in one value at most."""
    found = [len(payload) for _, payload in chunks(bytes(size) for _ in range(60))]
    assert max(found) < max(2**21, 9 * size)


@pytest.mark.slow
def test_large_records_make_small_chunks() -> None:
    sizes = [count for count, _ in chunks("x" * 500_000 for _ in range(3_000))]
    assert sum(sizes) == 3_000
    assert min(sizes[-2:]) < 100


def test_text_and_fixed_records() -> None:
    assert decode(unpack(pack(LINES, 1, 2, (), "ż\n\nb".encode(), count=3))) == ["ż", "", "b"]
    assert decode(unpack(pack(LINES, 1, 2, (), b"", count=1))) == [""]
    assert decode(unpack(pack(LINES, 1, 2, (), b"", count=0))) == ()
    assert decode(unpack(pack(LINES, 1, 2, (), b"a\xff", count=1))) == ["a\ufffd"]
    assert decode(unpack(pack(FIXED, 1, 2, (), b"abcdef", part=2, count=3))) == [
        b"ab",
        b"cd",
        b"ef",
    ]


@pytest.mark.parametrize(
    ("blocks", "lines"),
    [
        ([b"a\nb\n"], ["a", "b"]),
        ([b"a\nb"], ["a", "b"]),
        ([b"a", b"b\nc", b"\n"], ["ab", "c"]),
        ([b"a\r\nb\rc\n"], ["a", "b", "c"]),
        ([b"a\r", b"\nb\n"], ["a", "b"]),
        ([b"a\r", b"b\r"], ["a", "b"]),
        ([b"\n\n"], ["", ""]),
        ([], []),
        ([b"a\r", b"", b"\n", b"\nb"], ["a", "", "b"]),
        ([b"a\r", b"\r", b"\n\r\n", b"b"], ["a", "", "", "b"]),
        (["ż".encode()[:1], "ż".encode()[1:] + b"\n"], ["ż"]),
    ],
)
def test_lines_as_java_reads_them(blocks: list[bytes], lines: list[str]) -> None:
    frames = [unpack(pack(LINES, 1, 2, (), d, count=n)) for d, n in line_blocks(blocks)]
    assert list(decode_all(frames)) == lines


def test_a_carriage_return_ends_a_line_at_once() -> None:
    came = []

    def burst(data: bytes) -> bytes:
        came.append(data)
        return data

    lines = line_blocks(map(burst, [b"a\r", b"\nb\rc", b"\n"]))
    assert [(line, len(came)) for line, _ in lines] == [(b"a", 1), (b"b", 2), (b"c", 3)]


class Unpicklable(Exception):
    def __reduce__(self) -> Any:
        raise TypeError("no pickle")


def test_errors_tell_what_was_handled_before() -> None:
    """As tracebacks do, unless the user has said that it does not matter."""
    texts = []
    for cause in ("context", "none"):
        try:
            try:
                {}["missing"]
            except KeyError:
                if cause == "none":
                    raise ValueError("outer") from None
                raise ValueError("outer")  # noqa: B904
        except ValueError as error:
            texts.append(errors.capture(error).text)
    assert all("ValueError: outer" in text for text in texts)
    assert ["KeyError: 'missing'" in text for text in texts] == [True, False]


def test_errors_keep_type_text_and_cause() -> None:
    try:
        try:
            {}["missing"]
        except KeyError as inner:
            raise ValueError("outer") from inner
    except ValueError as error:
        captured = errors.load(errors.dump(errors.capture(error)))
    assert captured.summary == "ValueError: outer"
    assert "KeyError: 'missing'" in captured.text
    assert '{}["missing"]' in captured.text
    assert isinstance(captured.exception(), ValueError)


def test_errors_that_cannot_be_pickled_keep_their_text() -> None:
    captured = errors.capture(Unpicklable("lost"))
    assert captured.exception() is None
    assert "Unpicklable: lost" in captured.text


def stored(*seqs: int) -> BytesIO:
    """The frames of one stream, as a Spark partition gives them to a worker."""
    found = BytesIO()
    for seq in seqs:
        frame = pack(RECORDS, 1, 1000, (0,), pickle.dumps([seq]), seq=seq, count=1)
        found.write(struct.pack("!i", len(frame)) + frame)
    found.seek(0)
    return found


def test_frames_in_order_are_read_one_by_one() -> None:
    stream = stored(0, 1, 2)
    records = FrameSerializer(1, 1000, None).load_stream(stream)
    assert next(records) == 0
    assert stream.tell() < len(stream.getvalue()) / 2, "the others are not in memory yet"
    assert list(records) == [1, 2]


def test_frames_out_of_order_are_put_in_order() -> None:
    assert list(FrameSerializer(1, 1000, 1).load_stream(stored(2, 0, 1))) == [0, 1, 2]
    assert list(FrameSerializer(2, 1000, 1).load_stream(stored(2, 0, 1))) == []


class OfMain:
    """Stands for a class of the user's main module."""


def module_function() -> int:
    return 1


@pytest.fixture
def of_main(monkeypatch: pytest.MonkeyPatch) -> type:
    """Return a class that can be found in the main module, but in no other process."""
    monkeypatch.setattr(OfMain, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "OfMain", OfMain, raising=False)
    return OfMain


@pytest.mark.parametrize(
    "value",
    [
        [("a", 1), ("a", 2.5), (None, b"x")],
        {"key": [datetime(2026, 1, 2), Decimal("0.1")]},
        [Point(1, 2), Point(1, "__main__")],
        "__main__",
        [len, module_function, Point],
        [lambda: 1],
        [type("Local", (), {})()],
        [{1: 2}.keys()],
    ],
    ids=["pairs", "dict", "named", "main", "by-name", "lambda", "local", "keys"],
)
def test_records_are_pickled_as_by_cloudpickle(value: Any) -> None:
    ours, spark = pickle.loads(dump_records(value)), pickle.loads(dumps(value))
    assert repr(type(ours)) == repr(type(spark))
    assert re.sub(" at 0x.*?>", "", repr(ours)) == re.sub(" at 0x.*?>", "", repr(spark))


def test_classes_of_the_main_module_travel_by_value(of_main: type) -> None:
    for value in (of_main(), of_main, [(1, of_main())], {"a": [of_main]}):
        assert b"Stands for a class" in dump_records(value), "its definition"


def test_modules_that_users_send_by_value_travel_so() -> None:
    here = sys.modules[__name__]
    value = [module_function]
    assert b"co_code" not in dump_records(value) and len(dump_records(value)) < 200
    cloudpickle.register_pickle_by_value(here)
    try:
        assert len(dump_records(value)) > 200, "its code"
    finally:
        cloudpickle.unregister_pickle_by_value(here)


def test_what_cannot_be_pickled_says_what_cloudpickle_says() -> None:
    value = [1, Lock()]
    with pytest.raises(TypeError) as ours:
        dump_records(value)
    with pytest.raises(TypeError) as spark:
        dumps(value)
    assert str(ours.value) == str(spark.value)
    assert ours.value.__suppress_context__ or ours.value.__context__ is None
