"""Folders that can never be listed end a job at its start; others are looked at again."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from dstream_compat.source.files.listing import unusable_folder
from dstream_compat.storage.files import FolderEntry, LocalStorage
from tests.support.streaming.files import put
from tests.support.streaming.stepwise import Run

if TYPE_CHECKING:
    from tests.support.streaming.contexts import MakeContext


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("nothing://host/in", 'No FileSystem for scheme "nothing"'),
        ("s3n://bucket/in", 'No FileSystem for scheme "s3n"'),
        ("s3a://bucket/in", "Class org.apache.hadoop.fs.s3a.S3AFileSystem not found"),
        ("hdfs://no-such-host.invalid/in", "UnknownHostException: no-such-host.invalid"),
        ("hdfs:///in", "Incomplete HDFS URI, no host: hdfs:///in"),
        ("hdfs://no-such-host.invalid/in/2026-*", "UnknownHostException: no-such-host.invalid"),
        ("viewfs://no-such-table/in", None),  # an IOException, such as of a service that is away
        ("hdfs://127.0.0.1:1/in", None),
        ("in", None),
        ("/no/such/folder", None),
        ("file:///no/such/folder", None),
        ("/in/2026-*", None),
        ("a: b", "Relative path in absolute URI"),  # for Hadoop that is a scheme
    ],
)
def test_folders(sc: SparkContext, folder: str, reason: str | None) -> None:
    said = unusable_folder(sc, folder)
    assert said is None if reason is None else said is not None and reason in said, said


def test_errors_that_pyspark_converts(sc: SparkContext) -> None:
    SparkSession(sc)
    for folder in ("hdfs://no-such-host.invalid/in", "a: b"):
        assert unusable_folder(sc, folder) is not None


@pytest.mark.parametrize("kind", ["text", "binary"])
def test_a_job_with_such_a_folder_does_not_start(make: MakeContext, kind: str) -> None:
    ssc = make()
    folder = "nothing://host/in"
    name = "textFileStream" if kind == "text" else "binaryRecordsStream"
    stream = ssc.textFileStream(folder) if kind == "text" else ssc.binaryRecordsStream(folder, 4)
    stream.pprint()
    with pytest.raises(ValueError, match=rf"{name}\({folder}\) can never find a file: .*No FileS"):
        ssc.start()


@pytest.mark.slow
def test_a_folder_that_may_not_be_listed_is_looked_at_again(
    sc: SparkContext,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who is root may list any, so the answer of the system is given here."""

    def refuse(_: LocalStorage, path: str) -> list[FolderEntry]:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setenv("LOGNAME", "somebody")
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    with Run(sc) as run, caplog.at_level(logging.WARNING):
        run.keep("lines", run.ssc.textFileStream(str(tmp_path)))
        run.start()
        put(tmp_path, "a", 0.5, b"a\n")
        with monkeypatch.context() as patch:
            patch.setattr(LocalStorage, "list", refuse)
            run.advance(2)
        run.advance()
        assert run.batches("lines") == [[], [], ["a"]]
    said = f"textFileStream({tmp_path}): user 4000000 may not list it; looking again"
    assert caplog.text.count(said) == 1
