"""A broker and Spark's connector for a module's tests."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from tests.support.components import jars
from tests.support.components.kafka import Broker
from tests.support.programs import give_up


@pytest.fixture(scope="session")
def kafka_cache(pytestconfig: pytest.Config) -> Path:
    cache = pytestconfig.cache
    assert cache is not None
    return cache.mkdir("kafka")


def or_give_up(fetch: Callable[[Path], list[Path]], cache: Path) -> list[Path]:
    """Return jars of Maven Central, for tests that need them."""
    try:
        return fetch(cache)
    except RuntimeError as error:
        give_up(f"no jars of Kafka without a way to Maven Central: {error}")


@pytest.fixture(scope="session")
def connector(kafka_cache: Path) -> list[Path]:
    return or_give_up(jars.connector, kafka_cache)


@pytest.fixture(scope="session")
def broker_jars(kafka_cache: Path) -> list[Path]:
    return or_give_up(jars.broker, kafka_cache)


@pytest.fixture(scope="module")
def broker(broker_jars: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    made = Broker(broker_jars, tmp_path_factory.mktemp("kafka"))
    try:
        made.start()
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
