"""The input files of batches."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.harness.feed import Feed


@pytest.mark.parametrize("parts", [1, 2])
def test_lines_are_seen_when_released(tmp_path: Path, parts: int) -> None:
    feed = Feed(tmp_path / "input", parts)
    lines = ["a b", "c", "d"]

    feed.stage("7", lines, 12.5)
    assert list(feed.folder.iterdir()) == []
    feed.release("7")

    files = sorted(feed.folder.iterdir())
    assert len(files) == parts
    assert "".join(file.read_text() for file in files).splitlines() == lines
    assert {file.stat().st_mtime for file in files} == {12.5}


def test_an_empty_batch_has_empty_files(tmp_path: Path) -> None:
    feed = Feed(tmp_path, 2)

    feed.stage("0", [], 0.5)
    feed.release("0")

    assert [file.stat().st_size for file in feed.folder.iterdir()] == [0, 0]
