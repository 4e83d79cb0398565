"""Edits that are withdrawn."""

from __future__ import annotations

import pytest

import migrator.run.analyse_file
from migrator.edit import rewrite
from tests.support.migrator.reports import report

COMMENTED = "from pyspark import (\n    streaming,  # why\n    SparkContext,\n)\n# DStream\n"


def test_a_lost_comment() -> None:
    found = report(COMMENTED)
    assert found.content is None
    assert [(f.code, f.is_fixed) for f in found.findings] == [("D004", False)]
    assert "a comment would be lost" in found.findings[0].message
    assert [s.outcome for s in found.sites] == ["reported"]
    assert found.status == "unchanged"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("import dstream_compat as (", "does not parse"),
        ("import dstream_compat\n", "not the old program"),
    ],
)
def test_a_wrong_result_is_noticed(
    monkeypatch: pytest.MonkeyPatch, wrong: str, reason: str
) -> None:
    monkeypatch.setattr(rewrite, "with_spans", lambda *_: wrong)
    found = report("from pyspark.streaming import DStream\nx = 1\n")
    assert found.content is None
    assert [f.code for f in found.findings] == ["D004"]
    assert reason in found.findings[0].message


def test_an_unstable_result_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = migrator.run.analyse_file.plan
    monkeypatch.setattr(
        migrator.run.analyse_file,
        "read_document",
        lambda kind, data, r=migrator.run.analyse_file.read_document: r(
            kind, data.replace(b"dstream_compat", b"pyspark.streaming")
        ),
    )
    assert real is migrator.run.analyse_file.plan
    found = report("from pyspark.streaming import DStream\n")
    assert [f.code for f in found.findings] == ["D004"]


@pytest.mark.parametrize(
    "source",
    [
        "from pyspark import (\n    SparkContext,\n    streaming,  # why\n)\n# DStream\n",
        "from pyspark.streaming import (  # a\n    DStream,  # b\n    # c\n)  # d\n",
        "import pyspark.streaming  # a\npyspark.SparkContext\n",
    ],
)
def test_comments_elsewhere_are_kept(source: str) -> None:
    found = report(source)
    assert found.content is not None
    assert found.content.count(b"#") == source.count("#")
