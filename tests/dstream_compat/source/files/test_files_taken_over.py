"""Which batch reads a file that another engine has read, or has not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.source.files.source import FileInput, FileSource
from tests.support.streaming.inputs import opened


def put(folder: Path, name: str, second: float) -> str:
    path = folder / name
    path.write_text(f"{name}\n")
    os.utime(path, (second, second))
    return f"file:{path}"


def read(source: FileInput, sc: SparkContext, *seconds: int) -> dict[int, list[str]]:
    plan: Any = source.plan(sc, [second * 1000 for second in seconds])
    return {
        tick // 1000: [os.path.basename(item.path) for items in parts for item in items]
        for tick, parts in plan.items()
        if parts
    }


def taken_over(folder: Path, files: dict[int, list[str]], last: int, since: int) -> FileInput:
    source = FileSource(str(folder), 10**12, None, 60_000)
    ticks = {second * 1000: paths for second, paths in files.items()}
    found: FileInput = opened(source.behind(ticks, last * 1000, since * 1000))
    return found


def test_files_stay_in_their_batches_and_older_ones_are_not_read_again(
    sc: SparkContext, tmp_path: Path
) -> None:
    files = {second: [put(tmp_path, f"f{second}", 100 + second / 10)] for second in range(111, 116)}
    source = taken_over(tmp_path, files, 115, 55)
    put(tmp_path, "new", 115.5)
    assert read(source, sc, 113, 114) == {113: ["f113"], 114: ["f114"]}
    assert read(source, sc, 115, 116, 117) == {115: ["f115"], 116: ["new"]}
    assert read(source, sc, 118) == {}


def test_what_the_other_job_has_not_seen_comes_behind_its_last_batch(
    sc: SparkContext, tmp_path: Path
) -> None:
    source = taken_over(tmp_path, {}, 115, 55)
    put(tmp_path, "late", 112.5)
    put(tmp_path, "too-old", 54)
    assert read(source, sc, 113, 114, 115) == {}
    assert read(source, sc, 116, 117) == {116: ["late"]}


def test_a_recovered_job_knows_what_was_taken_over(sc: SparkContext, tmp_path: Path) -> None:
    files = {second: [put(tmp_path, f"f{second}", second)] for second in range(111, 116)}
    source = taken_over(tmp_path, files, 115, 55)
    assert read(source, sc, 113) == {113: ["f113"]}
    again = opened(FileSource(str(tmp_path), 10**12, None, 60_000))
    again.restore(source.memory())
    assert read(again, sc, 114, 115, 116) == {114: ["f114"], 115: ["f115"]}


def test_it_is_forgotten_when_no_such_file_can_be_new(sc: SparkContext, tmp_path: Path) -> None:
    source = taken_over(tmp_path, {115: [put(tmp_path, "f", 114.5)]}, 115, 55)
    assert read(source, sc, 116) == {}
    assert read(source, sc, 240) == {}
    assert source.memory()["taken"] == ({}, 0)
    assert read(source, sc, 241) == {}


def test_a_relative_folder_is_compared_with_where_files_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("in", str(tmp_path / "in"), f"file://{tmp_path}/in/", f"file:{tmp_path}/in"):
        source = FileSource(folder, 0, None, 60_000)
        assert source.may_find(f"file:{tmp_path}/in/part-1")
        assert not source.may_find("file:/elsewhere/in/part-1")
    assert FileSource(f"{tmp_path}/*", 0, None, 60_000).may_find("file:/elsewhere/in/part-1")
    assert FileSource("hdfs://a/in", 0, None, 60_000).may_find("hdfs://b/in/part-1")


def test_other_sources_are_as_before(sc: SparkContext, tmp_path: Path) -> None:
    put(tmp_path, "early", 100)
    put(tmp_path, "f", 101.5)
    source = opened(FileSource(str(tmp_path), 100_000, None, 60_000))
    assert read(source, sc, 101, 102) == {102: ["f"]}
