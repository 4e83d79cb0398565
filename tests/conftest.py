"""Makes the short-lived JVMs of the tests start with half of the CPU time; parts of long runs."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import jvm, long_run, parts
from tests.support.migrator.browser import started_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.components.hadoop import Hadoop


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or config.option.collectonly:
        return  # processes of pytest-xdist inherit the environment
    cache = getattr(config, "cache", None)
    # An archive of classes costs as much as it saves in some five starts.
    everything = config.args_source is not pytest.Config.ArgsSource.ARGS
    worth = everything and "not slow" not in config.option.markexpr
    archive = None
    if cache is not None:
        folder = cache.mkdir("jvm")
        os.environ.setdefault("SPARK_HOME", str(jvm.home(folder)))
        archive = jvm.archive(folder, make=worth)
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join([*jvm.OPTIONS, *jvm.use(archive)])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Takes PySpark's formatter off the handlers of `caplog`.

    pytest gives its handlers to each logger that does not propagate, and PySpark's two loggers of
    that kind set a formatter for JSON on every handler that they are given.
    """
    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        if name in logging.root.manager.loggerDict:
            logging.getLogger(name).propagate = True
    plugin: Any = item.config.pluginmanager.get_plugin("logging-plugin")
    for handler in (plugin.caplog_handler, plugin.report_handler):
        handler.setFormatter(plugin.formatter)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return parts.scheduler(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # before tests are chosen by their marks
    long_run.mark(items, config.args_source is not pytest.Config.ArgsSource.ARGS)
    parts.divide(config, items)
    if hasattr(config, "workerinput"):
        parts.longest_first(items)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One for all tests: a process can have one of playwright only."""
    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def hadoop(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hadoop]:
    """HDFS and YARN, started once for all tests of a process."""
    from tests.support.components.hadoop import started_hadoop  # PySpark is not for all tests

    assert pytestconfig.cache is not None
    with started_hadoop(
        pytestconfig.cache.mkdir("hadoop"), tmp_path_factory.mktemp("hadoop")
    ) as servers:
        yield servers
