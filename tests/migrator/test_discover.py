"""Which files are looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

import migrator.scan
from migrator.discover.candidates import is_candidate
from migrator.discover.ignore import IgnoreFile, is_ignored, parse_pattern
from migrator.discover.walk import walk
from migrator.scan import scan


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
        *("conda/conda-meta/h", "conda/x.py", "lib/site-packages/x.py", "image.png", "data.csv"),
        *("README.md", "script", "a.b.sh"),
    )
    assert seen(tmp_path) == ["a.b.sh", "a.py", "script", "sub/b.py"]


def test_gitignore(tmp_path: Path) -> None:
    make(
        tmp_path, "a.py", "gen_a.py", "build/x.py", "sub/gen_b.py", "sub/keep/gen_c.py", "sub/d.py"
    )
    (tmp_path / ".gitignore").write_text("# c\n\ngen_*.py\n/build/\n")
    (tmp_path / "sub" / "keep").joinpath(".gitignore").write_text("!gen_c.py\n")
    assert seen(tmp_path) == ["a.py", "sub/d.py", "sub/keep/gen_c.py"]


@pytest.mark.parametrize(
    ("pattern", "path", "folder", "ignored"),
    [
        ("*.py", "a/b/c.py", False, True),
        ("*.py", "a/b/c.pyc", False, False),
        ("/a.py", "a.py", False, True),
        ("/a.py", "b/a.py", False, False),
        ("b/a.py", "b/a.py", False, True),
        ("b/a.py", "x/b/a.py", False, False),
        ("build/", "build", False, False),
        ("build/", "x/build", True, True),
        ("a/**/z", "a/z", False, True),
        ("a/**/z", "a/b/c/z", False, True),
        ("**/z", "a/b/z", False, True),
        ("a/**", "a/b/c", False, True),
        ("a/*", "a/b", False, True),
        ("a/*", "a/b/c", False, False),
        ("?.py", "a.py", False, True),
        ("?.py", "ab.py", False, False),
        ("[ab].py", "b.py", False, True),
        ("[!ab].py", "b.py", False, False),
        ("[z-a].py", "b.py", False, False),
        ("a[", "a[", False, True),
        (r"\#x", "#x", False, True),
        (r"\!x", "!x", False, True),
        ("x  ", "x", False, True),
        ("#x", "#x", False, False),
        ("a+b", "a+b", False, True),
    ],
)
def test_patterns(pattern: str, path: str, folder: bool, ignored: bool) -> None:
    parsed = parse_pattern(pattern)
    files = [IgnoreFile("", () if parsed is None else (parsed,))]
    assert is_ignored(files, path, folder) is ignored


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
    monkeypatch.setattr(migrator.scan, "MAX_BYTES", 100)
    (tmp_path / "big.py").write_text("import pyspark.streaming\n" + "x = 1\n" * 100)
    (tmp_path / "data.json").write_text("{}\n" * 100)
    report = scan(tmp_path, "check")
    assert [(f.path, [x.code for x in f.findings]) for f in report.files] == [("big.py", ["D003"])]
    assert report.exit_code() == 1


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
