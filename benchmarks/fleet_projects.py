"""Generates projects with DStream jobs of many kinds, for benchmarks and tests of fleets."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

_SOURCES = {
    "socket": 'lines = ssc.socketTextStream("collector-{n}", {port})',
    "files": 'lines = ssc.textFileStream("hdfs:///incoming/{name}")',
    "kafka": (
        'lines = KafkaUtils.createDirectStream(ssc, ["{name}"], '
        '{{"metadata.broker.list": "broker:9092"}}).map(lambda record: record[1])'
    ),
    "zookeeper": (
        'lines = KafkaUtils.createStream(ssc, "zookeeper:2181", "{name}", {{"{name}": 2}})'
        ".map(lambda record: record[1])"
    ),
    "kinesis": (
        'lines = KinesisUtils.createStream(ssc, "{name}", "{name}", "https://kinesis.invalid", '
        '"eu-west-1", InitialPositionInStream.LATEST, 10)'
    ),
    "mqtt": 'lines = MQTTUtils.createStream(ssc, "tcp://broker:1883", "{name}")',
    "flume": 'lines = FlumeUtils.createStream(ssc, "agent", {port}).map(lambda event: event[1])',
}
_IMPORTS = {
    "kafka": "from pyspark.streaming.kafka import KafkaUtils\n",
    "zookeeper": "from pyspark.streaming.kafka import KafkaUtils\n",
    "kinesis": "from pyspark.streaming.kinesis import InitialPositionInStream, KinesisUtils\n",
    "mqtt": "from pyspark.streaming.mqtt import MQTTUtils\n",
    "flume": "from pyspark.streaming.flume import FlumeUtils\n",
}
_SHARES = {"socket": 8, "files": 6, "kafka": 8, "zookeeper": 4, "kinesis": 1, "mqtt": 1, "flume": 1}
_PAIRS = {
    "words": 'pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))',
    "json": """\
events = lines.map(parse).filter(lambda fields: fields is not None)
    pairs = events.map(lambda fields: (key_of(fields), 1))""",
}
_STATES = {
    "none": "totals = pairs.reduceByKey(lambda a, b: a + b)",
    "total": "totals = pairs.updateStateByKey(add_up)",
    "window": "totals = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 60, 10)",
    "session": "totals = pairs.mapWithState(StateSpec.function(count_session))",
}
_FUNCTIONS = {
    "none": "",
    "total": """\
def add_up(values, before):
    return sum(values) + (before or 0)


""",
    "window": "",
    "session": """\
def count_session(key, value, state):
    total = (value or 0) + (state.getOption() or 0)
    state.update(total)
    return key, total


""",
}
_OUTPUTS = {
    "print": "totals.pprint(20)",
    "text": 'totals.map(lambda pair: "%s,%d" % pair).saveAsTextFiles("hdfs:///out/{name}")',
    "database": "totals.foreachRDD(lambda rdd: rdd.foreachPartition(store))",
    "table": "totals.foreachRDD(write_table)",
    "handle": "totals.pprint()\nssc._jssc.remember(None)",
}
_SHARES_OF_OUTPUTS = {"print": 6, "text": 4, "database": 6, "table": 4, "handle": 1}
_JOB = '''\
"""Counts the events of {name} by key."""

import json
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import {names}
{imports}from common import store, write_table

BATCH_SECONDS = {seconds}
FIELDS = ("user", "page", "country")


def parse(line):
    """Return the fields of an event, or None if there are none."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return tuple(event.get(field) for field in FIELDS)


def key_of(fields):
    user, page, country = fields
    return "%s/%s" % (country, page)


{functions}def main(arguments):
    conf = SparkConf().setAppName("{name}").set("spark.streaming.backpressure.enabled", "true")
    sc = SparkContext(conf=conf)
    ssc = StreamingContext(sc, BATCH_SECONDS)
    ssc.checkpoint("hdfs:///checkpoints/{name}")
    {source}
    {pairs}
    {state}
    {output}
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(sys.argv)
'''
_COMMON = '''\
"""What the jobs of this project share."""

import sqlite3


def store(records):
    connection = sqlite3.connect("/var/lib/totals.db")
    for key, total in records:
        connection.execute("INSERT INTO totals VALUES (?, ?)", (key, total))
    connection.commit()
    connection.close()


def write_table(time, rdd):
    if rdd.isEmpty():
        return
    for key, total in rdd.take(100):
        print(time, key, total)
'''
_SETTINGS = "spark.streaming.kafka.maxRatePerPartition 1000\nspark.executor.memory 2g\n"
_SUBMIT = """\
#!/bin/sh
exec spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 "$@"
"""


@dataclass(frozen=True)
class Job:
    """A generated job, and what it was made of."""

    path: str
    source: str
    state: str
    output: str


def make_project(folder: Path, jobs: int, seed: int) -> list[Job]:
    """Write a project with some jobs, and return them; a seed always gives the same ones.

    Parameters
    ----------
    folder : Path
        The folder of the project, which is made.
    """
    rng = random.Random(seed)
    (folder / "conf").mkdir(parents=True)
    (folder / "requirements.txt").write_text("requests\n")
    (folder / "common.py").write_text(_COMMON)
    (folder / "conf" / "spark-defaults.conf").write_text(_SETTINGS)
    (folder / "submit.sh").write_text(_SUBMIT)
    made = []
    for number in range(jobs):
        (source,) = rng.choices([*_SHARES], [*_SHARES.values()])
        (state,) = rng.choices([*_STATES], [5, 3, 2, 1])
        (output,) = rng.choices([*_SHARES_OF_OUTPUTS], [*_SHARES_OF_OUTPUTS.values()])
        name = f"events_{seed}_{number}"
        values = {"name": name, "n": number, "port": 9000 + number}
        text = _JOB.format(
            name=name,
            names="StateSpec, StreamingContext" if state == "session" else "StreamingContext",
            imports=_IMPORTS.get(source, ""),
            seconds=rng.choice((1, 5, 10)),
            functions=_FUNCTIONS[state],
            source=_SOURCES[source].format(**values),
            pairs=_PAIRS[rng.choice(("words", "json"))],
            state=_STATES[state],
            output=_OUTPUTS[output].format(**values).replace("\n", "\n    "),
        )
        path = f"job_{number}.py"
        (folder / path).write_text(text)
        made.append(Job(path, source, state, output))
    return made


def make_fleet(folder: Path, projects: int, jobs: int) -> dict[Path, list[Job]]:
    """Write projects, and return the jobs of each.

    Parameters
    ----------
    projects, jobs : int
        How many projects, and how many jobs in all of them together.
    """
    made = {}
    for number in range(projects):
        share = jobs // projects + (number < jobs % projects)
        path = folder / f"team-{number:02}"
        made[path] = make_project(path, share, number)
    return made
