"""Which files are read."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path

import pytest

import migrator.discover.candidates
import migrator.run.scan
from migrator.discover.candidates import is_candidate, large_file_mentions
from migrator.discover.walk import walk
from migrator.run.scan import scan


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import pyspark.streaming\n")


def seen(root: Path) -> list[str]:
    return [source.relative for source in walk(root)]


def test_what_is_skipped(tmp_path: Path) -> None:
    make(
        tmp_path,
        *("a.py", "sub/b.py", ".hidden.py", ".git/x.py", "__pycache__/x.py", "venv/x.py"),
        *("venv/pyvenv.cfg", "node_modules/x.py", "out/.migrate-output", "out/x.py"),
        *("verify-x/.migrate-verify", "verify-x/migrated/x.py"),
        *("conda/conda-meta/h", "conda/x.py", "lib/site-packages/x.py", "image.png", "data.csv"),
        *("notes.txt", "notes.md", "script", "a.b.sh", ".travis.yml", ".github/workflows/ci.yml"),
        *(".idea/x.xml", ".job.sh.swp", ".notes.md", "notes.doc"),
    )
    assert seen(tmp_path) == [
        *(".travis.yml", "a.b.sh", "a.py", "notes.md", "notes.txt", "script"),
        *(".github/workflows/ci.yml", "sub/b.py"),
    ]


def test_links_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "root/a.py", "root/sub/b.py", "outside/c.py")
    root = tmp_path / "root"
    (root / "loop").symlink_to(root)
    (root / "sub" / "up").symlink_to("..")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.py").symlink_to(tmp_path / "outside" / "c.py")
    (root / "self.py").symlink_to("self.py")
    assert seen(root) == ["a.py", "sub/b.py"]
    # unless they are named
    assert seen(root / "out") == ["c.py"]
    assert seen(root / "out.py") == ["out.py"]


def test_special_files_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    make(tmp_path, "a.py")
    assert seen(tmp_path) == ["a.py"]


def test_folders_nested_deeper_than_calls(tmp_path: Path) -> None:
    relative = "d/" * 300 + "a.py"
    make(tmp_path, relative)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        assert seen(tmp_path) == [relative]
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    "data",
    [
        b"import pyspark.streaming",
        b"from pyspark import streaming",
        b"from pyspark import (SparkContext,\n    streaming)",
        b"from pyspark import SparkContext, \\\n   streaming",
        b"import pyspark as p\np.streaming.StreamingContext",
        b"conf: spark.streaming.x",
        b"x.foreachRDD(f)",
        "import pyspark.streaming".encode("utf-16"),
    ],
)
def test_candidates(data: bytes) -> None:
    assert is_candidate(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"spark.sql.streaming.x and spark.readStream",
        b"from pyspark import SparkContext\nx = 'streaming'",
        b"import streaming\nfrom pyspark.sql.streaming import DataStreamReader",
    ],
)
def test_not_candidates(data: bytes) -> None:
    assert not is_candidate(data)


def test_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrator.discover.candidates, "MAX_BYTES", 100)
    (tmp_path / "big.py").write_text("import pyspark.streaming\n" + "x = 1\n" * 100)
    (tmp_path / "data.json").write_text("{}\n" * 100)
    report = scan(tmp_path, "check")
    assert [(f.path, [x.code for x in f.findings]) for f in report.files] == [("big.py", ["D003"])]
    assert report.exit_code() == 1


def test_large_files_without_a_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script says by its first line what it is; anything else is some binary."""
    monkeypatch.setattr(migrator.discover.candidates, "MAX_BYTES", 10)
    (tmp_path / "node").write_bytes(b"\x7fELF ... DStream ...")
    (tmp_path / "job").write_bytes(b"#!/usr/bin/env python\nDStream\n")
    assert [f.path for f in scan(tmp_path, "check").files] == ["job"]


def test_long_texts_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are logs and data; a README and a script of that size are neither."""
    monkeypatch.setattr(migrator.discover.candidates, "_MAX_DOCUMENT_BYTES", 200)
    (tmp_path / "job.py").write_text("import pyspark.streaming\n")
    submit = "```\nspark-submit --packages a:b_2.11:1.0 job.py\n```\n"
    for name in ("notes.md", "driver.txt", "README.md", "run.sh"):
        (tmp_path / name).write_text(submit + "word\n" * 50)
    (tmp_path / "short.md").write_text(submit)
    found = {f.path for f in scan(tmp_path, "check").files}
    assert found == {"job.py", "README.md", "run.sh", "short.md"}


@pytest.mark.parametrize("word", migrator.discover.candidates._STRONG)
def test_every_word_makes_a_candidate(word: bytes) -> None:
    assert is_candidate(b"a = 1  # " + word)


def test_only_the_beginning_of_large_data_is_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrator.discover.candidates, "_LOOK_INTO", 200)
    late = b" " * 300 + b"pyspark.streaming"
    for name in ("a.json", "a.py"):
        (tmp_path / name).write_bytes(late)
    assert not large_file_mentions(tmp_path / "a.json", whole=False)
    assert large_file_mentions(tmp_path / "a.py", whole=True)


@pytest.mark.parametrize("name", ["a.py", "a.conf", "a.sh", "a.json", "Dockerfile"])
def test_binary_files_that_mention_streams_are_noted(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x7fELF\0\0spark.streaming.receiver.maxRate=5\0")
    (file,) = scan(tmp_path, "check").files
    assert [f.code for f in file.findings] == ["D003"]
    assert file.status == "unreadable"


@pytest.mark.parametrize("name", ["a.py", "a.conf"])
def test_binary_files_without_streams_are_not(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x7fELF\0\0")
    assert scan(tmp_path, "check").files == []


def test_scripts_without_suffix(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("#!/usr/bin/env python\nimport pyspark.streaming\n")
    (tmp_path / "submit").write_text("#!/bin/bash\nx --conf spark.streaming.blockInterval=1\n")
    (tmp_path / "LICENSE").write_text("spark.streaming.blockInterval=1\n")
    report = scan(tmp_path, "check")
    assert [(f.path, f.status) for f in report.files] == [
        ("run", "rewritten"),
        ("submit", "unchanged"),
    ]


def test_named_files_of_any_name_are_read(tmp_path: Path) -> None:
    (tmp_path / "job").write_text("import pyspark.streaming\n")
    (tmp_path / "notes.txt").write_text("spark.streaming.blockInterval=1\n")
    (tmp_path / ".job.py").write_text("import pyspark.streaming\n")
    assert scan(tmp_path / "job", "check").files[0].status == "rewritten"
    assert scan(tmp_path / "notes.txt", "check").files[0].findings[0].code == "D704"
    assert scan(tmp_path / ".job.py", "check").files[0].status == "rewritten"
