"""What a job reads is told from its source and its arguments, or not at all."""

from __future__ import annotations

import pytest

from migrator.verify.live_sources import interval_of, sources_of

TOLD = [
    ("ssc.socketTextStream('localhost', 9999)", [], ["socket:9999"]),
    ("ssc.socketTextStream(hostname='h', port=1)", [], ["socket:1"]),
    ("ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))", ["h", "77"], ["socket:77"]),
    ("host, port = sys.argv[1:]\nssc.socketTextStream(host, int(port))", ["h", "7"], ["socket:7"]),
    ("port = int(sys.argv[-1])\nssc.socketTextStream('h', port)", ["h", "8"], ["socket:8"]),
    ("folder = sys.argv[1]\nssc.textFileStream(folder)", ["/in"], ["file:/in"]),
    (
        "ssc.socketTextStream('h', 1)\nssc.socketTextStream('h', 2)\nssc.textFileStream('d')",
        [],
        ["socket:1", "socket:2", "file:d"],
    ),
    ("a = ssc.socketTextStream('h', 1)\nb = ssc.socketTextStream('h', 1)", [], ["socket:1"]),
    (
        "b, t = sys.argv[1:]\nKafkaUtils.createDirectStream(ssc, t.split(','), "
        "{'metadata.broker.list': b, 'auto.offset.reset': 'smallest'})",
        ["h:1,i:2", "x,y"],
        ["kafka:x", "kafka:y"],
    ),
    (
        "params = {'bootstrap.servers': 'h:1'}\n"
        "KafkaUtils.createStream(ssc, 'zk', 'g', {'t': 1}, kafkaParams=params)",
        [],
        ["kafka:t"],
    ),
    ("print('no streams')", [], []),
]
UNTOLD = [
    ("ssc.socketTextStream(host, 9999)", []),
    ("ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))", ["h"]),
    ("ssc.socketTextStream('h', int(os.environ['PORT']))", []),
    ("ssc.socketTextStream('h', '9999')", []),
    ("p = 1\np = 2\nssc.socketTextStream('h', p)", []),
    ("ssc.textFileStream(folder)", []),
    ("ssc.binaryRecordsStream('d', 4)", []),
    ("KafkaUtils.createDirectStream(ssc, ['t'], {})", []),
    ("KafkaUtils.createDirectStream(ssc, [t], {'bootstrap.servers': 'h:1'})", []),
    ("KafkaUtils.createDirectStream(ssc, ['t'], {**more, 'bootstrap.servers': 'h:1'})", []),
    ("KafkaUtils.createStream(ssc, 'zk:2181', 'g', {'t': 1})", []),
    ("KinesisUtils.createStream(ssc, 'app', 's', {'t': 1}, {'bootstrap.servers': 'h:1'})", []),
    ("a, b = sys.argv[1:]\nssc.socketTextStream(a, int(b))", ["h", "1", "2"]),
]


@pytest.mark.parametrize(("text", "arguments", "names"), TOLD)
def test_told(text: str, arguments: list[str], names: list[str]) -> None:
    found, unknown = sources_of(text, arguments)
    assert [one.name for one in found] == names
    assert unknown == []


@pytest.mark.parametrize(("text", "arguments"), UNTOLD)
def test_not_told(text: str, arguments: list[str]) -> None:
    found, unknown = sources_of(text, arguments)
    assert found == []
    assert len(unknown) == 1
    assert f"in line {len(text.splitlines())}" in unknown[0]


def test_a_program_that_does_not_parse_has_none() -> None:
    assert sources_of("print 'x'", []) == ([], [])


@pytest.mark.parametrize(
    ("text", "arguments", "interval"),
    [
        ("StreamingContext(sc, 2)", [], 2.0),
        ("streaming.StreamingContext(sc, batchDuration=0.5)", [], 0.5),
        ("StreamingContext(sc, int(sys.argv[1]))", ["3"], 3.0),
        ("StreamingContext(sc, SECONDS)\n", [], None),
        ("SECONDS = 4\nStreamingContext(sc, SECONDS)\n", [], 4.0),
        ("StreamingContext(sc, 0)", [], None),
        ("StreamingContext(sc, True)", [], None),
        ("SparkContext(1, 2)", [], None),
    ],
)
def test_interval(text: str, arguments: list[str], interval: float | None) -> None:
    assert interval_of(text, arguments) == interval
