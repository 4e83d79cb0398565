"""Unknown keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.spark.settings import PREFIX, suggestion
from tests.support.migrator.reports import codes, project, report

FIRES = [
    'conf.set("spark.streaming.kafka.maxRatePerPartion", 1)\n',
    'conf.set("spark.streaming.nonsense", 1)\n',
    'conf.set("spark.streaming." + name, 1)\n',
    'conf.set(f"spark.streaming.{name}", 1)\n',
    'conf.set("spark.steaming.receiver.maxRate", 1)\n',
    'conf.set("sprak.streaming.receiver.maxRate", 1)\n',
    'a = "--conf spark.Streaming.receiver.maxRate=1"\n',
    'a = "--conf spark.streaming.nonsense=1"\n',
    'a = ["--conf", "spark.streaming.nonsense=1"]\n',
    'run("spark-submit", "--conf", f"spark.streaming.nonsense={n}")\n',
    'SparkConf().setAppName("a").set("spark.streaming.nonsense", 1)\n',
    'SparkConf().setAll([("spark.streaming.nonsense", 1)])\n',
    'SparkConf().setAll({"spark.streaming.nonsense": 1}.items())\n',
    'SparkSession.builder.config("spark.streaming.nonsense", 1)\n',
    'spark.conf.set(key="spark.streaming.nonsense", value=1)\n',
    'conf = {"spark.streaming.nonsense": 1}\n',
    'conf = dict({"spark.streaming.nonsense": 1})\n',
    'self.spark_conf = {"spark.streaming.nonsense": 1}\n',
    'conf["spark.streaming.nonsense"] = 1\n',
    'x = {"spark.master": "a", "spark.streaming.nonsense": 1}\n',
    'x = [("spark.master", "a"), ("spark.streaming.nonsense", 1)]\n',
    'Submit(conf={"spark.streaming.nonsense": 1})\n',
    'x = {"sparkConf": {"spark.streaming.nonsense": 1}}\n',
    'from pyspark import SparkConf\nc = SparkConf()\nc.set("spark.streaming.nonsense", 1)\n',
    # no key's place, but it can only mean one
    'KEY = "spark.streaming.kafka.maxRatePerPartion"\n',
    'conf.set("spark.streaming.{}".format(name), 1)\n',
]
SILENT = [
    'conf.set("spark.streaming.compat.maxIntervals", 1)\n',
    'conf.set("spark.streaming.kafka.maxRatePerPartition", 1)\n',
    'import logging\nlogging.getLogger("org.apache.spark.streaming.scheduler")\n',
    '"The spark.streaming. prefix is old"\n',
    'x = "see spark.streaming.foo for more"\n',
    'x = "see spark.steaming.receiver.maxRate for more"\n',
    'conf.set("spark.string.separator", 1)\n',
    'conf.set("spark.storage.memoryFraction", 1)\n',
    'conf.set("spark.sql.streaming.minBatchesToRetain", 1)\n',
    # names that are no settings
    'SparkConf().setAppName("spark.streaming.wordcount")\n',
    'TOPIC = "spark.streaming.clicks"\n',
    'TOPIC = "spark.streaming.clocks"\n',
    'TOPIC = "spark.stream.clicks"\n',
    'lines.map(lambda x: ("spark.streaming.events", x))\n',
    'topics = ["spark.streaming.events", "spark.streaming.clicks"]\n',
    'topics = {"spark.streaming.events": 1}\n',
    'logger = logging.getLogger("spark.streaming.job")\n',
    'redis.set("spark.streaming.events", 1)\n',
    'cache.put("spark.streaming.events", 1)\n',
    'producer.send("spark.streaming.events", x)\n',
    'x = "spark.streaming." + name\n',
    'x = f"spark.streaming.{name}"\n',
    'print("spark.streaming.delay=" + str(n))\n',
    'x = "avg:spark.streaming.statistics.num_active_batches{*}"\n',
    'spark.read.parquet("spark.streaming.out")\n',
    'x = "spark-submit --name spark.streaming.x job.py"\n',
    'x = ["--name", "spark.streaming.x"]\n',
    'x = ("spark.streaming.a",)\n',
    'cmd = "tail -f /var/log/spark.streaming.log"\n',
    'conf.set("spark.app.name", "spark.streaming.x")\n',
    'conf.get("spark.streaming.nonsense")\n',
]
TEXTS = [
    ("a.sh", "spark-submit --conf spark.streaming.nonsense=1 x.py\n"),
    ("a.sh", "spark-submit --conf 'spark.streaming.nonsense=1' x.py\n"),
    ("a.sh", "spark-submit -c spark.streaming.nonsense=1 x.py\n"),
    ("a.sh", "spark-submit --conf=spark.streaming.nonsense=1 x.py\n"),
    ("a.sh", "spark-submit --conf \\\n  spark.streaming.nonsense=1 x.py\n"),
    ("a.sh", "gcloud submit --properties=a=b,spark.streaming.nonsense=1\n"),
    ("a.sh", "gcloud clusters create --properties 'spark:spark.streaming.nonsense=1'\n"),
    ("a.sh", "x --driver-java-options '-Dspark.streaming.nonsense=1'\n"),
    ("a.conf", "spark.streaming.nonsense 1\n"),
    ("a.conf", "spark.streaming.nonsense=1\n"),
    ("a.properties", "spark.streaming.nonsense : a b\n"),
    ("a.yaml", "conf:\n  spark.streaming.nonsense: 1\n"),
    ("a.yaml", 'conf:\n  "spark.streaming.nonsense": 1\n'),
    ("a.yaml", "conf: {spark.streaming.nonsense: 1}\n"),
    ("a.yaml", "args:\n  - --conf\n  - spark.streaming.nonsense=1\n"),
    ("a.toml", '"spark.streaming.nonsense" = 1\n'),
    ("a.json", '{"a": 1, "spark.streaming.nonsense": "1"}\n'),
    ("a.json", '["--conf", "spark.streaming.nonsense=1"]\n'),
    ("a.xml", "<name>spark.streaming.nonsense</name><value>1</value>\n"),
    ("a.kt", 'conf.set("spark.streaming.nonsense", "1")\n'),
    ("a.sh", 'export KEY="spark.streaming.concurentJobs"\n'),
]
SILENT_TEXTS = [
    ("a.sh", "tail -f /var/log/spark.streaming.log\n"),
    ("a.sh", "spark-submit --name spark.streaming.x job.py\n"),
    ("a.sh", "spark-submit --conf spark.app.name=spark.streaming.x job.py\n"),
    ("a.sh", "TOPIC=spark.streaming.events\n"),
    ("a.sh", "kafka-topics --create --topic spark.streaming.events --partitions 3\n"),
    ("a.sh", "kubectl logs -c spark.streaming.events\n"),
    ("a.sh", "echo spark.streaming.delay=$DELAY\n"),
    ("a.sh", "mv spark.streaming.log spark.streaming.log.1\n"),
    ("a.yaml", "topic: spark.streaming.events\n"),
    ("a.yaml", "topics:\n  - spark.streaming.events\n  - spark.streaming.clicks\n"),
    ("a.yaml", "topics: [spark.streaming.events, spark.streaming.clicks]\n"),
    ("a.yaml", "query: avg:spark.streaming.statistics.num_active_batches{*}\n"),
    ("a.yaml", "- metric: spark.streaming.delay\n"),
    ("a.json", '{"q": "avg:spark.streaming.statistics.num_active_batches{*} by {app}"}\n'),
    ("a.json", '{"topic": "spark.streaming.events", "n": 1}\n'),
    ("a.json", '{"topics": ["spark.streaming.a", "spark.streaming.b"]}\n'),
    ("a.conf", "topic=spark.streaming.events\n"),
    ("a.conf", "log4j.logger.spark.streaming.job=INFO\n"),
    ("a.conf", "spark.app.name spark.streaming.x\n"),
    ("a.toml", 'topic = "spark.streaming.events"\n'),
    ("pom.xml", "<name>spark.streaming.events</name>\n"),
    ("a.xml", '<queue name="spark.streaming.events"/>\n'),
    ("a.kt", 'val topic = "spark.streaming.events"\n'),
    ("README.md", "```\ntail spark.streaming.log\n```\n"),
]
JVM = [
    ('new SparkConf().set("spark.streaming.nonsense", "1")', ["D705"]),
    ('new SparkConf().setAppName("spark.streaming.nonsense")', []),
    ('val topic = "spark.streaming.events"', []),
    ('val key = "spark.streaming.concurentJobs"', ["D705"]),
    ('subscribe("spark.streaming.events", 1)', []),
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_keys_in_texts(name: str, text: str) -> None:
    assert [c.partition(":")[2] for c in codes(text.encode(), name)] == ["D705"]


@pytest.mark.parametrize(("name", "text"), SILENT_TEXTS)
def test_other_names_in_texts(name: str, text: str) -> None:
    assert codes(text.encode(), name) == []


@pytest.mark.parametrize(("code", "expected"), JVM)
def test_scala(code: str, expected: list[str]) -> None:
    source = f"object A {{\n  {code}\n}}\n"
    found = [c.partition(":")[2] for c in codes(source, "A.scala")]
    assert found == expected


@pytest.mark.slow
def test_many_names_in_one_wide_line() -> None:
    text = '["' + '", "'.join(["spark.streaming.events"] * 20_000) + '"]\n'
    assert codes(text.encode(), "a.json") == []


def test_the_right_key_is_suggested() -> None:
    finding = report(FIRES[0]).findings[0]
    assert "spark.streaming.kafka.maxRatePerPartition?" in finding.advice


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("receiver.maxrateperpartition", "kafka.maxRatePerPartition"),
        ("kafka.maxRatePerPartion", "kafka.maxRatePerPartition"),
        ("backpressure.enable", "backpressure.enabled"),
        ("Backpressure.Enabled", "backpressure.enabled"),
        ("backpresure.initialRate", "backpressure.initialRate"),
        ("stopGracefulyOnShutdown", "stopGracefullyOnShutdown"),
        ("receiver.writeAheadLogs.enable", "receiver.writeAheadLog.enable"),
        ("blockinterval", "blockInterval"),
        ("backpressure.enabledd", "backpressure.enabled"),
        ("backpresure.enabled", "backpressure.enabled"),
        ("dynamicAllocation.enable", "dynamicAllocation.enabled"),
        ("maxRate", "receiver.maxRate"),
        ("kafka.maxRate", "receiver.maxRate"),
        ("ui.retainedBatch", "ui.retainedBatches"),
        ("stopGracefully", "stopGracefullyOnShutdown"),
        ("checkpoint.interval", None),
        ("job.interval", None),
        ("timeout", None),
        ("clicks", None),
        ("events", None),
        ("nonsense", None),
        ("foo.enable", None),
    ],
)
def test_suggestion(wrong: str, right: str | None) -> None:
    assert suggestion(PREFIX + wrong) == (None if right is None else PREFIX + right)


@pytest.mark.parametrize(
    "wrong",
    [
        *("spark.steaming.", "spark.straming.", "spark.streamming.", "spark.stream."),
        *("Spark.streaming.", "spark.Streaming.", "sprak.streaming.", "park.streaming."),
    ],
)
def test_misspelt_beginnings(wrong: str) -> None:
    found = report(f"a=b\n{wrong}receiver.maxrate  5\n".encode(), "spark-defaults.conf").findings
    assert [(f.code, f.at.line, f.at.column) for f in found] == [("D705", 2, 1)]
    assert "did you mean spark.streaming.receiver.maxRate?" in found[0].advice


def test_a_misspelt_beginning_alone_is_seen(tmp_path: Path) -> None:
    found = project(tmp_path, {"a.conf": "spark.straming.backpressure.enabled true\n"})
    assert [x.code for _, x in found.findings()] == ["D705"]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D705" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D705" not in [c.partition(":")[2] for c in codes(source)]
