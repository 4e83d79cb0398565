"""The Kafka receiver."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.model.report import Finding, Report
from migrator.run.apply_fixes import apply_fixes
from migrator.select.apply import apply_filter, make_filter
from tests.support.migrator.reports import codes, report

KAFKA = "from pyspark.streaming.kafka import KafkaUtils\n"


def found(source: str) -> Finding:
    return next(f for f in report(source).findings if f.code == "D201")


FIRES = [
    KAFKA + 'KafkaUtils.createStream(ssc, "zk:2181", "g", {"t": 1})\n',
    KAFKA + "K = KafkaUtils\nK.createStream(ssc, zk, g, topics)\n",
    KAFKA + "create = KafkaUtils.createStream\ncreate(ssc, zk, g, topics)\n",
    "import pyspark.streaming.kafka as k\nk.KafkaUtils.createStream(ssc, z, g, t)\n",
    KAFKA + "from functools import partial\nopen_stream = partial(KafkaUtils.createStream, ssc)\n",
]
SILENT = [
    KAFKA + "KafkaUtils.createDirectStream(ssc, [], {})\n",
    "from kafka import KafkaUtils\nKafkaUtils.createStream(ssc, z, g, t)  # StreamingContext\n",
    "class KafkaUtils:\n    def createStream(self): pass\nKafkaUtils.createStream(1)\n",
    "from pyspark.streaming.kinesis import KinesisUtils\nKinesisUtils.createStream(ssc)\n",
    KAFKA + "# KafkaUtils.createStream(ssc)\n",
]


@pytest.mark.parametrize(
    ("call", "direct"),
    [
        (
            'createStream(ssc, "zk:2181", "g", {"clicks": 1, topic: 2})',
            """createDirectStream(ssc, ['clicks', topic], """
            """{"bootstrap.servers": "<broker:9092>"}, fromOffsets=<where to begin>)""",
        ),
        (
            "createStream(self.ssc, zkQuorum=zk, groupId=g, topics=topics)",
            "createDirectStream(self.ssc, list(topics), "
            '{"bootstrap.servers": "<broker:9092>"}, fromOffsets=<where to begin>)',
        ),
        (
            "createStream(*args)",
            'createDirectStream(ssc, [<topics>], {"bootstrap.servers": "<broker:9092>"}, '
            "fromOffsets=<where to begin>)",
        ),
    ],
)
def test_the_direct_stream_is_named(call: str, direct: str) -> None:
    finding = found(f"{KAFKA}KafkaUtils.{call}\n")
    assert finding.details[-1] == f"or it reads directly: KafkaUtils.{direct}"


def test_without_brokers_it_raises() -> None:
    finding = found(FIRES[0])
    assert finding.message == (
        "KafkaUtils.createStream asks ZooKeeper (here 'zk:2181'), which no longer exists: without "
        "the brokers it raises"
    )
    for place in (
        "kafkaParams",
        "spark.streaming.compat.kafka.bootstrap.servers",
        "DSTREAM_COMPAT_KAFKA_BOOTSTRAP_SERVERS",
    ):
        assert place in finding.details[0]
    assert (finding.severity, finding.safety) == ("error", "display")


def test_the_places_are_those_of_the_runtime() -> None:
    from dstream_compat.settings import KAFKA_BROKERS
    from dstream_compat.source.kafka.params import BROKERS_VARIABLE

    ways = found(FIRES[0]).details[0]
    assert KAFKA_BROKERS.name in ways
    assert BROKERS_VARIABLE in ways


@pytest.mark.parametrize(
    "params",
    [
        '{"bootstrap.servers": "b:9092"}',
        'kafkaParams={"metadata.broker.list": hosts, "x": 1}',
    ],
)
def test_with_brokers_the_offsets_are_left(params: str) -> None:
    finding = found(f'{KAFKA}KafkaUtils.createStream(ssc, zk, "g", {{"t": 1}}, {params})\n')
    assert "takes offsets from ZooKeeper only if it is told to" in finding.message
    assert finding.severity == "warning"


@pytest.mark.parametrize("params", ["{}", "params", '{"group.id": "g"}', "{**params}"])
def test_brokers_that_are_not_seen(params: str) -> None:
    finding = found(f'{KAFKA}KafkaUtils.createStream(ssc, zk, "g", {{"t": 1}}, {params})\n')
    assert finding.severity == "error"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D201" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D201" not in [c.partition(":")[2] for c in codes(source)]


B = '"bootstrap.servers": "b:1,c:2"'
CHANGED = [
    ('(ssc, "z", "g", {"t": 1})', f'(ssc, "z", "g", {{"t": 1}}, kafkaParams={{{B}}})'),
    ("(ssc, z, g, t,)", f"(ssc, z, g, t, kafkaParams={{{B}}},)"),
    ("(ssc, z, g, topics=t)", f"(ssc, z, g, topics=t, kafkaParams={{{B}}})"),
    (
        "(ssc, z, g, t, keyDecoder=k)",
        f"(ssc, z, g, t, keyDecoder=k, kafkaParams={{{B}}})",
    ),
    (
        "(\n    ssc, z, g,\n    {'é': 1},  # topics\n)",
        f"(\n    ssc, z, g,\n    {{'é': 1}}, kafkaParams={{{B}}},  # topics\n)",
    ),
    ("(ssc, z, g, t, {})", f"(ssc, z, g, t, {{{B}}})"),
    ("(ssc, z, g, t, {'a': b})", f"(ssc, z, g, t, {{{B}, 'a': b}})"),
    (
        "(ssc, z, g, t, kafkaParams={\n    'a': b,  # c\n})",
        f"(ssc, z, g, t, kafkaParams={{\n    {B}, 'a': b,  # c\n}})",
    ),
]
LEFT = [
    "(*args)",
    "(ssc, z, g, t, **options)",
    "(ssc, z, g, *rest)",
    "(ssc, z, g)",
    "(ssc, z, g, t, params)",
    "(ssc, z, g, t, kafkaParams=params)",
    "(ssc, z, g, t, dict(a=1))",
    "(ssc, z, g, t, {**params})",
    "(ssc, z, g, t, {**params, 'a': 1})",
    "(ssc, z, g, t, {('a'): 1})",
    "(ssc, z, g, (t))",
    "(ssc, z, g, (t), )",
    "(ssc, z, g, t, {'a': b}, kafkaParams={})",
]


VARIABLE = "params = {{'group.id': 'g'}}\nx = [KafkaUtils.createStream(ssc, z, g, t, {})]\n"
OTHER_VARIABLES = [
    "params = options()\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {key: 'g'}\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {**more}\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\nparams['a'] = b\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\nparams.update(a)\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\nfill(params)\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\nif a:\n    params = b\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\ndef f(params): pass\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\nfrom a import params\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
    "params = {}\nKafkaUtils.createStream(ssc, z, g, t, (params))\n",
    "params = {'metadata.broker.list': b}\nKafkaUtils.createStream(ssc, z, g, t, params)\n",
]


def with_brokers(*sources: str) -> Report:
    run = Report(".", "check")
    run.files = [report(source.encode(), f"{n}.py") for n, source in enumerate(sources)]
    values = {"kafka-brokers": "b:1,c:2"}
    apply_filter(run, Path("."), make_filter((), (), None, None, values=values))
    apply_fixes(run)
    return run


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_brokers_are_written(before: str, after: str) -> None:
    call = "x = [KafkaUtils.createStream{}]  # a\n"
    run = with_brokers(KAFKA + call.format(before))
    content = run.files[0].content
    assert content is not None
    imports = KAFKA.replace("pyspark.streaming", "dstream_compat")
    assert content.decode() == imports + call.format(after)
    again = with_brokers(content.decode())
    assert again.files[0].content is None
    # what the fix leaves is what the next run finds
    left = [(f.code, f.severity, f.message) for f in run.files[0].findings if not f.is_fixed]
    assert left == [(f.code, f.severity, f.message) for f in again.files[0].findings]
    sites = [(s.name, s.outcome, s.migration) for s in run.files[0].sites if s.use == "call"]
    assert sites == [
        (s.name, s.outcome, s.migration) for s in again.files[0].sites if s.use == "call"
    ]


@pytest.mark.parametrize("given", ["params", "kafkaParams=params"])
def test_a_variable_with_a_literal_is_extended(given: str) -> None:
    after = f"{{**params, {B}}}" if given == "params" else f"kafkaParams={{**params, {B}}}"
    run = with_brokers(KAFKA + VARIABLE.format(given))
    content = run.files[0].content
    assert content is not None
    imports = KAFKA.replace("pyspark.streaming", "dstream_compat")
    assert content.decode() == imports + VARIABLE.format(after)
    again = with_brokers(content.decode())
    assert again.files[0].content is None
    assert [f.severity for f in again.files[0].findings] == ["warning"]


@pytest.mark.parametrize("source", OTHER_VARIABLES)
def test_other_variables_are_left(source: str) -> None:
    content = with_brokers(KAFKA + source).files[0].content
    assert content is not None and b"b:1" not in content


@pytest.mark.parametrize("call", LEFT)
def test_calls_that_are_left(call: str) -> None:
    source = f"{KAFKA}KafkaUtils.createStream{call}\n"
    run = with_brokers(source)
    content = run.files[0].content
    assert content is not None and b"b:1" not in content
    assert [f.code for f in run.files[0].findings if not f.is_fixed] == ["D201"]


@pytest.mark.parametrize(
    "source",
    [
        "KafkaUtils = make()\nKafkaUtils.createStream(ssc, z, g, t)  # pyspark.streaming\n",
        "from kafka import KafkaUtils\nKafkaUtils.createStream(ssc, z, g, t)  # DStream\n",
        KAFKA + "if x:\n    KafkaUtils = other\nKafkaUtils.createStream(ssc, z, g, t)\n",
        KAFKA + "KafkaUtils.createStream(ssc, z, g, t, {'bootstrap.servers': 'x:1'})\n",
        KAFKA + "KafkaUtils.createStream(ssc, z, g, t, {'metadata.broker.list': 'x:1'})\n",
        "from pyspark.streaming.kinesis import KinesisUtils as K\nK.createStream(ssc, a, s, t)\n",
    ],
)
def test_other_calls_are_left(source: str) -> None:
    contents = [f.content for f in with_brokers(source).files]
    assert not any(content is not None and b"b:1" in content for content in contents)


def test_a_converted_file_gets_the_brokers() -> None:
    source = KAFKA + "x = KafkaUtils.createStream(ssc, `z`, g, `t`).map(lambda (k, v): v)\n"
    (file,) = with_brokers(source).files
    assert file.content is not None
    assert file.content.decode().splitlines()[1] == (
        'x = KafkaUtils.createStream(ssc, repr(z), g, repr(t), kafkaParams={"bootstrap.servers": '
        '"b:1,c:2"}).map(lambda k_v: k_v[1])'
    )


def test_a_message_says_what_was_written() -> None:
    run = with_brokers(KAFKA + "KafkaUtils.createStream(ssc, z, g, t)\n")
    fixed = [f for f in run.files[0].findings if f.code == "D201" and f.is_fixed]
    assert [(f.message, f.safety, f.effort) for f in fixed] == [
        ('KafkaUtils.createStream gets {"bootstrap.servers": "b:1,c:2"}', "safe", 0)
    ]
