"""PySpark versions: those that are known work alike, others are refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import version_differences
from dstream_compat.clock import ManualClock
from dstream_compat.exceptions import UnsupportedOperationError
from dstream_compat.storage import LocalStorage
from dstream_compat.version_differences import check_version, logged_offset, merger_limit

from .contexts import MakeContext
from .test_scheduler import Once, offset_scheduler

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


def write_log(folder: Path, number: int, offset: dict[str, Any]) -> None:
    (folder / "offsets").mkdir(exist_ok=True)
    lines = ["v1", '{"batchWatermarkMs":0}', json.dumps(offset), '{"topic":{"0":3}}']
    (folder / "offsets" / str(number)).write_text("\n".join(lines))


def test_last_logged_offset(tmp_path: Path) -> None:
    storage = LocalStorage()
    assert logged_offset(storage, str(tmp_path)) is None
    (tmp_path / "offsets").mkdir()
    assert logged_offset(storage, str(tmp_path)) is None
    for number in (8, 9, 10):
        write_log(tmp_path, number, {"phase": "run", "t": number * 1_000, "zero": 0})
    (tmp_path / "offsets" / ".11.crc").touch()
    (tmp_path / "offsets" / ".11.0b7e.tmp").touch()
    assert logged_offset(storage, f"{tmp_path}/") == {"phase": "run", "t": 10_000, "zero": 0}


def test_planner_that_is_told_no_start(tmp_path: Path) -> None:
    """As in PySpark 4.1: the same micro-batches are planned as where Spark says the start."""
    clock, folder = ManualClock(), tmp_path / "query"
    folder.mkdir()
    scheduler = offset_scheduler(clock, tmp_path / "inputs", Once())
    scheduler.logged = lambda: logged_offset(LocalStorage(), str(folder))
    scheduler._begin(None)
    clock.advance(1_000)
    first = scheduler.latest_offset(None)
    assert first == {"phase": "run", "t": 1_000, "zero": 0}
    clock.advance(1_000)
    assert scheduler.latest_offset(None) == first, "it was not logged"
    write_log(folder, 0, first)
    assert scheduler.latest_offset(None) == {"phase": "run", "t": 2_000, "zero": 0}


def test_where_a_query_goes_on_nothing_is_read(tmp_path: Path) -> None:
    """As PySpark 4.1 asks."""
    scheduler = offset_scheduler(ManualClock(), tmp_path, Once())
    place = {"phase": "run", "t": 3_000, "zero": 0}
    assert scheduler.partitions(place, place) == []


def test_limits_are_whole() -> None:
    assert [merger_limit(limit) for limit in (512, 512.2, 0.5)] == [512, 513, 1]
