"""Compressed files, as Hadoop writes them."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark import SparkContext

from dstream_compat.worker.reading.codecs import BLOCK, blocks, is_compressed

TEXT = b"".join(b"line %d of many\n" % number for number in range(200_000))
NOISE = random.Random(1).randbytes(BLOCK + 100_000)


def content(name: str, data: bytes) -> bytes:
    found = list(blocks(io.BytesIO(data), name))
    assert all(len(block) <= 2 * BLOCK for block in found)
    return b"".join(found)


def framed(codec: str, *parts: list[bytes]) -> bytes:
    """Blocks of chunks, as Hadoop frames them."""
    result = b""
    for part in parts:
        result += sum(map(len, part)).to_bytes(4, "big")
        for chunk in part:
            small = pa.Codec(codec).compress(chunk, asbytes=True)
            result += len(small).to_bytes(4, "big") + small
    return result


def in_blocks(codec: str) -> Callable[[bytes], bytes]:
    def pack(data: bytes) -> bytes:
        halves = [data[: len(data) // 2], data[len(data) // 2 :]]
        return framed(codec, [h for h in halves if h], [b"x" * 3]) if data else b""

    return pack


def zstd(data: bytes) -> bytes:
    packed: bytes = pa.compress(data, codec="zstd", asbytes=True)
    return packed


PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".deflate": zlib.compress,
    ".zst": zstd,
}
FRAMED = {".snappy": "snappy", ".lz4": "lz4_raw"}


@pytest.mark.parametrize("data", [b"", b"short\n", TEXT, NOISE], ids=["none", "short", "long", "?"])
@pytest.mark.parametrize("ending", PACKED)
def test_streams(ending: str, data: bytes) -> None:
    packed = PACKED[ending](data)
    assert content(f"a{ending}", packed) == data
    # files that were put together read as one
    assert content(f"a{ending}", packed + PACKED[ending](b"more")) == data + b"more"


@pytest.mark.parametrize("data", [b"short\n", TEXT, NOISE], ids=["short", "long", "?"])
@pytest.mark.parametrize("ending", FRAMED)
def test_frames(ending: str, data: bytes) -> None:
    packed = in_blocks(FRAMED[ending])(data)
    assert content(f"a{ending}", packed) == data + b"xxx"
    assert content(f"a{ending}", b"") == b""
    assert content(f"a{ending}", bytes(4) + packed) == data + b"xxx"


@pytest.mark.parametrize("ending", [*PACKED, *FRAMED])
def test_cut_off(ending: str) -> None:
    packed = PACKED[ending](TEXT) if ending in PACKED else in_blocks(FRAMED[ending])(TEXT)
    with pytest.raises(ValueError, match=f"a{ending}: the file is damaged"):
        content(f"a{ending}", packed[: len(packed) // 2])


@pytest.mark.parametrize("ending", [*PACKED, *FRAMED])
def test_something_else(ending: str) -> None:
    with pytest.raises(ValueError, match=f"a{ending}: the file is damaged"):
        content(f"a{ending}", b"just some text, long enough to be taken for something else\n" * 9)


def test_plain_and_refused() -> None:
    assert content("a.txt", TEXT) == TEXT
    assert content("gz", b"x") == b"x"
    for name in ("a.lzo", "a.xz"):
        with pytest.raises(ValueError, match=f"{name}: files compressed in this way"):
            content(name, b"x")
    assert is_compressed("a.b.gz")
    assert not is_compressed("gz")


CODECS = {
    "GzipCodec": ".gz",
    "BZip2Codec": ".bz2",
    "DefaultCodec": ".deflate",
    "SnappyCodec": ".snappy",
    "Lz4Codec": ".lz4",
}


@pytest.mark.slow
@pytest.mark.parametrize("codec", CODECS)
def test_what_hadoop_writes(sc: SparkContext, tmp_path: Path, codec: str) -> None:
    # a long line makes several chunks of one block
    lines = [f"line {number}" for number in range(50_000)] + ["long " * 300_000, "żółć"]
    name = f"org.apache.hadoop.io.compress.{codec}"
    sc.parallelize(lines, 1).saveAsTextFile(str(tmp_path / "out"), name)
    (file,) = (tmp_path / "out").glob("part-*")
    assert file.name.endswith(CODECS[codec])
    with file.open("rb") as stream:
        assert b"".join(blocks(stream, str(file))).decode().split("\n") == [*lines, ""]
