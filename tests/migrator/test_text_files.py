"""Settings and packages in files that are not Python."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes, report

CASES = [
    ("spark-defaults.conf", "spark.streaming.receiver.maxRate   5\n", ["1:D703"]),
    ("a.conf", "spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
    ("a.conf", "spark.streaming.receiver.maxRate : 5\n", ["1:D703"]),
    ("a.conf", "# spark.streaming.receiver.maxRate 5\n", []),
    ("a.conf", "  ! spark.streaming.receiver.maxRate 5\n", []),
    ("a.ini", "; spark.streaming.receiver.maxRate = 5\n", []),
    ("a.properties", "a=b\r\nspark.streaming.backpressure.enabled=true\r\n", ["2:D702"]),
    ("a.sh", "spark-submit --conf spark.streaming.receiver.maxRate=5 x.py\n", ["1:D703"]),
    ("a.sh", "spark-submit \\\n  --conf 'spark.streaming.receiver.maxRate=5' \\\n x\n", ["2:D703"]),
    ("a.sh", 'X="--conf spark.streaming.receiver.maxRate=$RATE"\n', ["1:D703"]),
    ("a.sh", "# --conf spark.streaming.receiver.maxRate=5\n", []),
    ("a.sh", "run x # spark.streaming.receiver.maxRate=5\n", []),
    ("a.sh", "run 'a # b' --conf spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
    ("a.sh", "x --packages a:b:1,org.apache.spark:spark-streaming-flume_2.11:2.4.8\n", ["1:D901"]),
    ("a.sh", "x --jars /opt/spark-streaming-kafka-0-8-assembly_2.11-2.4.8.jar\n", ["1:D901"]),
    (
        "a.sh",
        "curl -O u/spark-streaming-mqtt_2.11/2.4/spark-streaming-mqtt_2.11-2.4.jar\n",
        ["1:D901"],
    ),
    ("a.sh", "x --class org.apache.spark.streaming.Foo --conf spark.sql.streaming.x=1\n", []),
    ("a.sh", "cd spark-streaming-kafka-demo && ./run\n", []),
    ("Dockerfile", "RUN x --conf spark.streaming.blockInterval=1 # c\n", ["1:D704"]),
    ("Dockerfile.prod", "ENV A=spark.streaming.receiver.maxRate=5\n", ["1:D703"]),
    ("a.yaml", "conf:\n  spark.streaming.receiver.maxRate: '5'\n", ["2:D703"]),
    ("a.yml", "conf:\n  # spark.streaming.receiver.maxRate: 5\n", []),
    ("a.json", '{"spark.streaming.receiver.maxRate": "5"}\n', ["1:D703"]),
    ("a.xml", "<name>spark.streaming.receiver.maxRate</name><value>5</value>\n", ["1:D703"]),
    ("a.toml", '"spark.streaming.receiver.maxRate" = 5\n', ["1:D703"]),
    ("a.conf", "spark.streaming.kafka.maxRatePerPartion 5\n", ["1:D705"]),
    ("a.conf", "my.spark.streaming.receiver.maxRate 5\n", []),
    ("a.sh", "--conf spark.streaming.${KEY}=5\n", ["1:D705"]),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_case(name: str, text: str, expected: list[str]) -> None:
    assert codes(text.encode(), name) == expected


def test_place_and_value() -> None:
    finding = report(b"\n  spark.streaming.receiver.maxRate  500\n", "a.conf").findings[0]
    assert (finding.at.line, finding.at.column) == (2, 3)
    assert finding.message.startswith("spark.streaming.receiver.maxRate=500: ")


@pytest.mark.parametrize("value", ["false", "False", "no"])
def test_switched_off(value: str) -> None:
    text = f"spark.streaming.backpressure.enabled {value}\n"
    assert report(text.encode(), "a.conf").findings[0].severity == "info"


def test_odd_bytes() -> None:
    assert codes(b"\xe9\nspark.streaming.receiver.maxRate 5\n", "a.conf") == ["2:D703"]
    text = "spark.streaming.receiver.maxRate 5\r\n".encode("utf-16")
    assert codes(text, "a.conf") == ["1:D703"]
