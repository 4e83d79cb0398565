"""Whole packages: Spark's own, and the legacy jobs of this project."""

from __future__ import annotations

from pathlib import Path

import pyspark
import pytest

from migrator.model.report import Outcome
from migrator.run.scan import scan

pytestmark = pytest.mark.slow

SPARK = Path(pyspark.__path__[0])
EXAMPLES = Path(__file__).parents[3] / "legacy_examples"


def test_pyspark_itself() -> None:
    """Only its streaming package, what is built on that, and examples use DStreams."""
    report = scan(SPARK, "check")
    assert report.scanned > 400
    examples = "examples/src/main/python/"
    homes = ("streaming/", "mllib/", f"{examples}streaming/", f"{examples}mllib/streaming_")
    # Spark's own tests of DStreams
    homes += ("testing/streamingutils.py",)
    # what local clusters leave there if no test has set SPARK_HOME
    homes += ("work/",)
    assert [f.path for f in report.files if not f.path.startswith(homes)] == []
    assert all(f.content is not None for f in report.files if f.path.startswith("examples/"))
    assert report.internal_errors == 0


def test_legacy_examples() -> None:
    report = scan(EXAMPLES, "check")
    found = {(f.path, x.code) for f in report.files for x in f.findings if x.needs_person}
    assert {
        ("kafka_receiver_wordcount.py", "D201"),
        ("conf/spark-defaults.conf", "D701"),
        ("submit.sh", "D901"),
    } <= found
    bugs = {(f.path, x.code) for f in report.files for x in f.findings if x.is_bug}
    assert ("conf/spark-defaults.conf", "D705") in bugs
    noted = {(f.path, x.code) for f in report.files for x in f.findings if not x.needs_person}
    assert {
        ("conf/spark-defaults.conf", "D702"),
        ("conf/spark-defaults.conf", "D703"),
        ("clickstream/job.py", "D702"),
        ("direct_kafka_wordcount.py", "D202"),
    } <= noted
    outcomes = report.by_outcome()
    assert outcomes[Outcome.REPORTED] < 0.05 * len(report.sites())
    assert outcomes[Outcome.KEPT] > outcomes[Outcome.REWRITTEN] > 0
    for file in report.files:
        source = file.content or file.original
        assert b"import pyspark.streaming" not in source
        assert b"from pyspark.streaming" not in source
