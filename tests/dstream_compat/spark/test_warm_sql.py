"""Spark SQL is loaded while a SparkContext starts, and before any code of users runs."""

from __future__ import annotations

import threading
from typing import Any
from unittest.mock import MagicMock

import pytest
from pyspark import SparkContext

from dstream_compat.spark.warm_sql import query_classes_loading, sql_classes_loading


def test_the_end_waits_for_it() -> None:
    inside, analyzed = threading.Event(), threading.Event()

    def execute(plan: Any) -> None:
        assert inside.wait(60)
        analyzed.set()

    jvm = MagicMock()
    jvm.org.apache.spark.sql.catalyst.analysis.SimpleAnalyzer.execute = execute
    with sql_classes_loading(jvm):
        assert not analyzed.is_set()
        inside.set()
    assert analyzed.is_set()


def test_what_fails_in_it_fails_nothing_else(sc: SparkContext) -> None:
    with sql_classes_loading(MagicMock(org=None)):
        pass


def test_an_error_of_the_context_is_raised() -> None:
    with pytest.raises(ValueError, match="no master"), sql_classes_loading(MagicMock()):
        raise ValueError("no master")


def test_spark_has_what_it_calls(sc: SparkContext, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", "dstream_compat"), sql_classes_loading(sc._jvm):
        pass
    assert not [record for record in caplog.records if "not warmed up" in record.message]


def test_spark_has_what_queries_need(sc: SparkContext, caplog: pytest.LogCaptureFixture) -> None:
    sessions = sc._jvm.org.apache.spark.sql.classic.SparkSession  # type: ignore[union-attr]
    before = [sessions.getDefaultSession(), sessions.getActiveSession()]
    with caplog.at_level("DEBUG", "dstream_compat"), query_classes_loading(sc):
        pass
    assert not [record for record in caplog.records if "not warmed up" in record.message]
    assert [sessions.getDefaultSession(), sessions.getActiveSession()] == before
