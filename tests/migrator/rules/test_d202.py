"""The direct Kafka API."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project

KAFKA = "from pyspark.streaming.kafka import KafkaUtils\n"
FIRES = [
    KAFKA + "KafkaUtils.createDirectStream(ssc, [], {})\n",
    KAFKA + "KafkaUtils.createRDD(sc, {}, [])\n",
    KAFKA + "create = KafkaUtils.createDirectStream\n",
    "from dstream_compat.kafka import KafkaUtils\nKafkaUtils.createRDD(sc, {}, [])\n",
    KAFKA + "print 1\nKafkaUtils.createDirectStream(ssc, [], {})\n",
]
SILENT = [
    KAFKA,
    "from pyspark.streaming.kafka import TopicAndPartition as T\nT('t', 0)\n",
    "import pyspark.streaming.kafka as k\nk.OffsetRange('t', 0, 1, 2)\n",
    "from dstream_compat.kafka import Broker\nBroker('h', 1)\n",
    KAFKA + "KafkaUtils.createStream(ssc, z, g, t)\n",
    KAFKA + "# KafkaUtils.createDirectStream(ssc, [], {})\n",
    "from pyspark.streaming.kafka import TopicAndPartition, OffsetRange\n",
    "from pyspark.streaming.kafka import OffsetRange\nisinstance(x, OffsetRange)\n",
    "from pyspark.streaming.kafka import utf8_decoder\nutf8_decoder(b'x')\n",
    "from kafka import KafkaUtils\nKafkaUtils.createDirectStream(1)  # StreamingContext\n",
    "from kafka import OffsetRange\nOffsetRange(1)  # StreamingContext\n",
    "class KafkaUtils: pass\nKafkaUtils.createDirectStream(1)  # StreamingContext\n",
]


def test_it_is_a_note() -> None:
    from tests.support.migrator.reports import report

    found = report(FIRES[0])
    finding = next(f for f in found.findings if f.code == "D202")
    assert (finding.severity, finding.needs_person, finding.effort) == ("info", False, 0)
    assert "Kafka source, spark-sql-kafka-0-10" in finding.message
    assert {s.outcome for s in found.sites if s.name == "createDirectStream"} == {"kept"}


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D202" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D202" not in [c.partition(":")[2] for c in codes(source)]


def notes(root: Path, files: dict[str, str]) -> list[str]:
    """Where the project says it, and what it says of the number of uses."""
    found = [(f.path, x) for f, x in project(root, files).findings() if x.code == "D202"]
    return [f"{path}:{x.at.line}{x.message.partition('kafka-0-10')[2]}" for path, x in found]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a.py": FIRES[0]}, ["a.py:2"]),
        ({"b.py": FIRES[0], "a.py": FIRES[1]}, ["a.py:2 (2 uses in this project)"]),
        ({"a.py": FIRES[0] + FIRES[1]}, ["a.py:2 (2 uses in this project)"]),
        ({"a.py": SILENT[0], "b.py": FIRES[0]}, ["b.py:2"]),
        ({"a.py": "x = = 1\n" + FIRES[0], "b.py": FIRES[0]}, ["a.py:3 (2 uses in this project)"]),
        ({"a.py": SILENT[0], "b.py": SILENT[1]}, []),
        ({"a.py": SILENT[4], "b.py": SILENT[5]}, []),
    ],
)
def test_a_project_is_told_once(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    assert notes(tmp_path, files) == expected


def test_every_use_is_a_site(tmp_path: Path) -> None:
    found = project(tmp_path, {"a.py": FIRES[0], "b.py": FIRES[0]})
    assert [s.name for s in found.sites()].count("createDirectStream") == 2
