"""Which settings a recovered context takes over from the process that saved it."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import SparkConf, SparkContext

from dstream_compat.settings import lasting_settings, recovered_conf
from dstream_compat.workers import DAEMON, MODULE

pytestmark = pytest.mark.slow


def saved(sc: SparkContext, **values: str) -> dict[str, str]:
    conf = SparkConf(False)
    for name, value in values.items():
        conf.set(name.replace("_", "."), value)
    return dict(lasting_settings(conf))


def test_what_submit_ships_ends_with_it(sc: SparkContext) -> None:
    found = saved(
        sc,
        spark_files="/a.txt,file:/tmp/x/dstream_compat.zip",
        spark_submit_pyFiles="file:/tmp/x/dstream_compat.zip",
        spark_app_id="application_1",
        spark_app_name="job",
    )
    assert found == {"spark.files": "/a.txt", "spark.app.name": "job"}


def test_our_daemon_is_of_one_process(sc: SparkContext) -> None:
    name = DAEMON.replace(".", "_")
    assert saved(sc, **{name: MODULE}) == {}
    assert saved(sc, **{name: "mine"}) == {DAEMON: "mine"}


def test_files_are_those_of_this_submission(sc: SparkContext) -> None:
    system: Any = sc._jvm.java.lang.System  # type: ignore[union-attr]
    system.setProperty("spark.files", "/new.txt")
    try:
        conf = recovered_conf([("spark.files", "/old.txt"), ("spark.jars", "/old.jar")])
        assert (conf.get("spark.files"), conf.get("spark.jars")) == ("/new.txt", "/old.jar")
    finally:
        system.clearProperty("spark.files")
    assert recovered_conf([("spark.files", "/old.txt")]).get("spark.files") == "/old.txt"
