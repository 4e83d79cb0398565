"""`# migrate: ignore[...]` comments."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.model.report import Finding, SuppressedBy
from tests.support.migrator.reports import report
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
HEAD = "from dstream_compat import StreamingContext\nssc = StreamingContext(sc, 1)\n"


def suppressed(source: str | bytes, name: str = "job.py") -> list[tuple[str, str]]:
    found: list[Finding] = report(source, name).findings
    assert all(f.suppression is None or f.suppression.by is SuppressedBy.COMMENT for f in found)
    return [(f.code, f.suppression.reason) for f in found if f.suppression is not None]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = ssc._jssc  # migrate: ignore[D601] read only\n", [("D601", "read only")]),
        ("x = ssc._jssc  # migrate: ignore[D601]\n", [("D601", "")]),
        ("x = ssc._jssc  # migrate: ignore[d601, D204] a\n", [("D601", "a")]),
        ("x = ssc._jssc  #migrate:ignore[D601] close\n", [("D601", "close")]),
        ("x = ssc._jssc  # noqa: X  # migrate: ignore[D601] b\n", [("D601", "b")]),
        ("# migrate: ignore[D601] above\nx = ssc._jssc\n", [("D601", "above")]),
        ("# migrate: ignore[D601] above\n# more\n\nx = ssc._jssc\n", [("D601", "above")]),
        (
            "# migrate: ignore[D601] one\n# migrate: ignore[D303] two\nprint(ssc._jssc)\n",
            [("D601", "one")],
        ),
        ("x = ssc._jssc  # migrate: ignore[D204] other\n", []),
        ("x = ssc._jssc\ny = 1  # migrate: ignore[D601] wrong line\n", []),
        ("# migrate: ignore[D601] first only\ny = 1\nx = ssc._jssc\n", []),
        ("x = ssc._jssc, '# migrate: ignore[D601] no comment'\n", []),
        ("x = ssc._jssc  # migrate: ignore D601\n", []),
    ],
)
def test_comments(source: str, expected: list[tuple[str, str]]) -> None:
    assert suppressed(HEAD + source) == expected


def test_an_ignored_finding_needs_no_person() -> None:
    found = report(HEAD + "x = ssc._jssc  # migrate: ignore[D601] fine\n").findings
    assert [f.needs_person for f in found if f.code == "D601"] == [False]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.conf", "# migrate: ignore[D703] slow\nspark.streaming.raw.maxBlockSizeBytes 5\n"),
        (
            "a.sh",
            "x --conf spark.streaming.raw.maxBlockSizeBytes=5  # migrate: ignore[D703] slow\n",
        ),
        ("a.yaml", "# migrate: ignore[D703] slow\na: spark.streaming.raw.maxBlockSizeBytes=5\n"),
        ("old.py", "x = (  # migrate: ignore[D001] slow\nimport pyspark.streaming\n"),
    ],
)
def test_other_files(name: str, text: str) -> None:
    assert [reason for _, reason in suppressed(text, name)] == ["slow"]


def test_notebooks() -> None:
    source = ["%matplotlib inline\n", *HEAD.splitlines(keepends=True)]
    source += ["x = ssc._jssc  # migrate: ignore[D601] in a cell\n", "y = ssc._jssc\n"]
    data = json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode()
    found = report(data, "n.ipynb").findings
    assert [(f.at.cell, f.at.line, f.suppression is None) for f in found] == [
        (1, 4, False),
        (1, 5, True),
    ]


def test_an_ignored_import_keeps_the_file_as_it_is(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    text = (
        "from pyspark.streaming import StreamingContext  # migrate: ignore[D101] not yet\n"
        "from pyspark.streaming.kafka import KafkaUtils\n"
    )
    job.write_text(text)
    run = migrate(job, "--in-place", "--format", "json")
    assert run.code == 1
    assert job.read_text() == text
    first, second = run.json["findings"]
    assert first["suppression"] == {"by": "comment", "reason": "not yet"}
    assert not first["fixed"]
    assert second["needs_person"]
    assert second["effort_minutes"] > 0
    assert "not rewritten: D101 is ignored in line 1" in second["message"]
    assert {s["outcome"] for s in run.json["sites"]} == {"reported"}
    assert run.json["files"][0]["status"] == "unchanged"


def test_all_imports_ignored(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text("import pyspark.streaming  # migrate: ignore[D101] stays on Spark 2\n")
    assert migrate(job, "--check").code == 0


def test_comments_survive_the_rewriting(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(
        "from pyspark.streaming import StreamingContext\n"
        "x = StreamingContext(sc, 1)._jssc  # migrate: ignore[D601] fine\n"
    )
    assert migrate(job, "--in-place").code == 0
    assert "# migrate: ignore[D601] fine" in job.read_text()
    assert migrate(job, "--check").code == 0


def test_unused_comments_are_reported_in_files_without_streams(
    migrate: Migrate, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("x = 1  # migrate: ignore[D204] long gone\n")
    run = migrate(tmp_path, "--check")
    assert run.code == 1
    assert "D009 warning" in run.out
    assert migrate(tmp_path, "--check", "--ignore", "D009").code == 0
