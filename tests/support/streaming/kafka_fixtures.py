"""A broker and Spark's connector for a module's tests."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from tests.support.components import jars
from tests.support.components.kafka import Broker


@pytest.fixture(scope="session")
def kafka_cache(pytestconfig: pytest.Config) -> Path:
    cache = pytestconfig.cache
    assert cache is not None
    return cache.mkdir("kafka")


@pytest.fixture(scope="session")
def connector(kafka_cache: Path) -> list[Path]:
    return jars.connector(kafka_cache)


@pytest.fixture(scope="module")
def broker(kafka_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    made = Broker(jars.broker(kafka_cache), tmp_path_factory.mktemp("kafka"))
    made.start()
    try:
        yield made
    finally:
        made.stop()


@pytest.fixture
def topic(broker: Broker) -> str:
    """A new topic with two partitions."""
    name = f"t-{uuid.uuid4().hex[:8]}"
    broker.create(name, 2)
    return name


@pytest.fixture(scope="session")
def kafka_sc(sc: SparkContext, connector: list[Path]) -> SparkContext:
    """The SparkContext of all tests, to whose JVM the connector is added."""
    jvm: Any = sc._jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    for jar in connector:
        loader.addURL(jvm.java.io.File(str(jar)).toURI().toURL())
        sc._jsc.sc().addJar(str(jar))  # type: ignore[attr-defined]
    return sc
