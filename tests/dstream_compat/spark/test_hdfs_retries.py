"""Clients of HDFS wait for it, and say so; recovery/test_hdfs.py has jobs that do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.spark.console import default_logging
from dstream_compat.spark.hdfs_retries import SETTING, has_standby, wait_for_hdfs


def test_clients_wait_unless_the_user_has_decided(sc: SparkContext) -> None:
    jvm: Any = sc._jvm
    conf = jvm.org.apache.spark.SparkConf(False)
    wait_for_hdfs(sc, conf)
    assert conf.get(SETTING) == "true"
    conf.set(SETTING, "false")
    wait_for_hdfs(sc, conf)
    assert conf.get(SETTING) == "false"


def test_clients_of_an_hdfs_with_a_standby_do_not_wait(sc: SparkContext) -> None:
    jvm: Any = sc._jvm
    conf = jvm.org.apache.spark.SparkConf(False)
    conf.set("spark.hadoop.dfs.ha.namenodes.jobs", "nn0,nn1")
    wait_for_hdfs(sc, conf)
    assert not conf.contains(SETTING)


@pytest.mark.parametrize("name", ["HADOOP_CONF_DIR", "YARN_CONF_DIR"])
def test_a_standby_is_seen_in_the_settings_of_clients(tmp_path: Path, name: str) -> None:
    environment = {"HADOOP_CONF_DIR": "", name: str(tmp_path)}
    site = "<configuration><property><name>{}</name><value>{}</value></property></configuration>"
    (tmp_path / "core-site.xml").write_text(site.format("fs.defaultFS", "hdfs://jobs"))
    assert not has_standby(environment)
    assert not has_standby({})
    (tmp_path / "hdfs-site.xml").write_text(site.format("dfs.ha.namenodes.jobs", "nn0,nn1"))
    assert has_standby(environment)


@pytest.mark.parametrize("name", ["io.retry.RetryInvocationHandler", "ipc.Client"])
def test_retries_are_logged_whatever_the_level_is(sc: SparkContext, name: str) -> None:
    jvm: Any = sc._jvm
    factory = jvm.org.slf4j.LoggerFactory
    logging = default_logging(sc)
    assert logging is not None
    logging.removeLogger(f"org.apache.hadoop.{name}")
    StreamingContext(sc, 1)  # before its job starts
    sc.setLogLevel("OFF")
    assert factory.getLogger(f"org.apache.hadoop.{name}").isInfoEnabled()
    assert not factory.getLogger("org.apache.hadoop.ipc").isErrorEnabled()
