"""Files of lines are packed and unpacked by their suffix, as Hadoop reads them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dstream_compat.testing.line_files import file_of_lines, lines_of_file
from dstream_compat.testing.query_inputs import QueryInput


@pytest.mark.parametrize("name", ["a", "a.txt", "a.gz", "a.txt.bz2", "a.deflate", ".gz", "a.GZ"])
@pytest.mark.parametrize("lines", [[], ["käse", "", "b"]])
def test_lines_are_read_as_they_were_written(name: str, lines: list[str]) -> None:
    assert lines_of_file(name, file_of_lines(name, lines)) == (lines, 0)


def test_only_a_suffix_packs() -> None:
    for name in ("a.txt", "gz", ".gz", "a.GZ"):
        assert file_of_lines(name, ["a"]) == b"a\n"
    assert gzip.decompress(file_of_lines("a.gz", ["a"])) == b"a\n"


def test_a_query_reads_recorded_files_that_were_packed(tmp_path: Path) -> None:
    one = QueryInput(tmp_path / "input", {}, "file:/in")
    one.add(1, 0, {"file:/in": {"a.gz": ["x"], "b.txt": ["y"]}})
    assert gzip.decompress((tmp_path / "input" / "a.gz").read_bytes()) == b"x\n"
    assert (tmp_path / "input" / "b.txt").read_bytes() == b"y\n"
