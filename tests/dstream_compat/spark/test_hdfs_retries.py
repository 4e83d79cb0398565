"""Clients of HDFS wait for it, and say so; recovery/test_hdfs.py has jobs that do."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.spark.console import default_logging
from dstream_compat.spark.hdfs_retries import SETTING, wait_for_hdfs


def test_clients_wait_unless_the_user_has_decided(sc: SparkContext) -> None:
    jvm: Any = sc._jvm
    conf = jvm.org.apache.spark.SparkConf(False)
    wait_for_hdfs(conf)
    assert conf.get(SETTING) == "true"
    conf.set(SETTING, "false")
    wait_for_hdfs(conf)
    assert conf.get(SETTING) == "false"


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
