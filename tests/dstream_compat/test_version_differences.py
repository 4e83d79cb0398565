"""PySpark versions: those that are known work alike, others are refused by name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import version_differences
from dstream_compat.exceptions import UnsupportedOperationError
from dstream_compat.version_differences import check_version, merger_limit
from tests.support.streaming.contexts import MakeContext

ADVICE = (
    " is not supported: dstream_compat runs on 4.1 and later versions of Spark 4. Install "
    "pyspark>=4.1,<5, and let SPARK_HOME be unset or name such a Spark"
)


def spark_of(version: str) -> Any:
    return SimpleNamespace(version=version)


@pytest.mark.parametrize("version", ["2.4.8", "3.5.9", "4.0.5", "5.0.0"])
def test_other_versions_are_refused(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_differences, "__version__", "4.3.0")
    with pytest.raises(UnsupportedOperationError) as refused:
        check_version(spark_of(version))
    assert str(refused.value) == f"Spark {version}{ADVICE}"
    monkeypatch.setattr(version_differences, "__version__", version)
    with pytest.raises(UnsupportedOperationError) as refused:
        check_version(spark_of("4.3.0"))
    assert str(refused.value) == f"PySpark {version}{ADVICE}"


@pytest.mark.parametrize("version", ["4.1.0", "4.1.4-amzn-0", "4.2.1", "4.3.0", "4.10.0.dev1"])
def test_supported_versions_pass(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_differences, "__version__", version)
    check_version(spark_of(version))


@pytest.mark.slow
def test_start_refuses(
    sc: SparkContext, make: MakeContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    ssc = make()
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: seen.extend(rdd.collect()))
    monkeypatch.setattr(version_differences, "__version__", "4.0.5")
    with pytest.raises(UnsupportedOperationError, match=r"^PySpark 4\.0\.5 is not supported"):
        ssc.start()
    assert seen == []
    monkeypatch.undo()
    following = make()  # what was refused is not in the way
    following.queueStream([[2]]).foreachRDD(lambda rdd: seen.extend(rdd.collect()))
    following.start()


def test_limits_are_whole() -> None:
    assert [merger_limit(limit) for limit in (512, 512.2, 0.5)] == [512, 513, 1]
