"""Which names in a text are packages: connectors, and packages for an old Scala."""

from __future__ import annotations

import pytest

from migrator.collect.required_versions import (
    connector_packages_in,
    may_name_old_scala,
    scala_packages_in,
)

KAFKA = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.0"


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        (f"--packages {KAFKA}", [(KAFKA, "kafka")]),
        ("--jars spark-streaming-flume.jar", [("spark-streaming-flume.jar", "flume")]),
        ("image: spark-streaming-kafka", []),
        ("topic = 'spark-streaming-kafka-events'", []),
        ("<artifactId>spark-streaming-mqtt", [("spark-streaming-mqtt", "mqtt")]),
        (
            "group: 'org.apache.bahir', name: 'spark-streaming-twitter'",
            [("spark-streaming-twitter", "twitter")],
        ),
        ("$name_spark-streaming-kafka", []),
    ],
)
def test_connectors(text: str, packages: list[tuple[str, str]]) -> None:
    assert [(shown, name) for _, shown, name in connector_packages_in(text)] == packages


def test_a_url_counts_once_for_a_command() -> None:
    url = "https://repo/spark-streaming-kafka_2.11/spark-streaming-kafka_2.11-1.6.0.jar"
    found = [*connector_packages_in(f"wget {url} && wget {url}\nwget {url}")]
    assert [shown for _, shown, _ in found] == ["spark-streaming-kafka_2.11-1.6.0.jar"] * 3


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        ("--packages org.x:delta-core_2.12:2.4.0", [("org.x:delta-core_2.12:2.4.0", "2.12")]),
        ("--jars lib_2.11.jar", [("lib_2.11.jar", "2.11")]),
        ("lib/lib_2.11-0.9.jar", [("lib_2.11-0.9.jar", "2.11")]),
        ("org.x:delta-core_2.13:3.0.0", []),
        ("kafka_2.12-2.5.0.tgz", []),
        ("image: repo/kafka_2.12:2.5.0", []),
        (KAFKA, []),
    ],
)
def test_packages_for_an_old_scala(text: str, packages: list[tuple[str, str]]) -> None:
    assert [(shown, scala) for _, shown, scala in scala_packages_in(text)] == packages
    if packages:
        assert may_name_old_scala(text.encode())


def test_the_place_is_where_the_package_begins() -> None:
    text = "spark.jars.packages  org.x:one_2.12:1.0,org.x:two_2.11:1.0\n"
    for offset, shown, _ in scala_packages_in(text):
        assert text[offset:].startswith(shown)
    assert len([*scala_packages_in(text)]) == 2
