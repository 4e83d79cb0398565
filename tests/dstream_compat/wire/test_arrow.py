"""Frames in Arrow batches."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dstream_compat.wire.arrow import to_batches, to_rows


@pytest.mark.parametrize("count", [0, 1, 5, 2000])
def test_what_goes_in_comes_out(count: int) -> None:
    rows = [(number % 7, bytes(number % 256) * (number % 50)) for number in range(count)]
    batches = list(to_batches(rows))
    for batch in batches:
        batch.validate(full=True)
        assert batch.schema.names == ["frame", "slot"]
    assert list(to_rows(batches)) == rows


def test_batches_are_of_limited_size() -> None:
    rows = [(0, b"x" * (1 << 20))] * 11
    batches = list(to_batches(rows))
    assert [batch.num_rows for batch in batches] == [4, 4, 3]
    assert list(to_rows(batches)) == rows


def test_workers_need_no_pandas() -> None:
    code = (
        "import sys\n"
        "from dstream_compat.wire.arrow import to_batches, to_rows\n"
        "assert list(to_rows(to_batches([(1, b'a'), (2, b'')]))) == [(1, b'a'), (2, b'')]\n"
        "assert 'pandas' not in sys.modules, 'it takes 27 MB of each worker'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
