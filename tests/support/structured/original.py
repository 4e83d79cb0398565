"""Runs jobs on DStreams, and records what each output gives in each batch.

Spark 4 has DStreams, but no Kafka for them. Here `KafkaUtils` makes a stream of the same pairs from
sockets, so jobs that read Kafka run on Spark's engine, too. Each topic has one partition.
"""

from __future__ import annotations

import functools
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark import RDD
from pyspark.sql import DataFrame, DataFrameWriter

from dstream_compat.kafka import OffsetRange, TopicAndPartition
from dstream_compat.testing.batch_marks import mark
from dstream_compat.testing.capture import append, capture_output, current, watch_files
from dstream_compat.testing.captured_frames import watch_frames
from dstream_compat.testing.captured_rdds import watch_rdds
from dstream_compat.testing.engines import SparkEngine, two_arguments
from dstream_compat.testing.values import encode
from tests.support.legacy.drive import Runner
from tests.support.streaming import fewer_calls

TOPICS = 70_000  # the names of the sockets that stand for topics: no port is so high


class Outputs:
    """The outputs of the job that runs now; nothing of it is pickled with their functions."""

    def __init__(self) -> None:
        self.count = 0
        self.places: dict[str, str] = {}
        self.are_printed = False

    def next(self) -> int:
        self.count += 1
        return self.count - 1


OUTPUTS = Outputs()
TOPIC_NAMES: list[str] = []
GROUPS: set[str] = set()


def record(number: int, work: Callable[[Any, Any], None], time: Any, rdd: Any) -> None:
    """Carry out an output of one batch."""
    at = round(time.timestamp() * 1000)
    events: list[dict[str, Any]] = []
    try:
        with capture_output(number, OUTPUTS.places["script"]) as output:
            events = output.events
            work(time, rdd)
    finally:
        append(OUTPUTS.places["events"], [event | {"at": at} for event in events])


def take(n: int, time: Any, rdd: Any) -> None:
    """Do what `pprint` does, but for the text."""
    output = current()
    assert output is not None
    if OUTPUTS.are_printed:
        for one in rdd.take(n + 1)[:n]:
            print(one)
        return
    output.add("shown", [encode(one) for one in rdd.collect()], n=n)


def watch_streams(stream: Any) -> None:
    """Let the outputs of streams be recorded."""
    foreach_rdd = stream.foreachRDD

    def output(self: Any, work: Callable[[Any, Any], None]) -> None:
        foreach_rdd(self, two_arguments(functools.partial(record, OUTPUTS.next(), work)))

    @functools.wraps(foreach_rdd)
    def foreachRDD(self: Any, func: Any) -> None:
        if func is mark:
            foreach_rdd(self, func)
        elif func.__code__.co_argcount == 1:
            output(self, lambda time, rdd: func(rdd))
        else:
            output(self, func)

    def pprint(self: Any, num: int = 10) -> None:
        output(self, functools.partial(take, num))

    stream.foreachRDD, stream.pprint = foreachRDD, pprint


class Kafka:
    """Stands for `pyspark.streaming.kafka.KafkaUtils`."""

    @staticmethod
    def createDirectStream(
        ssc: Any,
        topics: Any,
        kafkaParams: Any,
        fromOffsets: Any = None,
        keyDecoder: Any = None,
        valueDecoder: Any = None,
        messageHandler: Any = None,
    ) -> Any:
        if fromOffsets or messageHandler:
            raise NotImplementedError("offsets and handlers of messages are not replayed")
        streams = [
            ssc.socketTextStream("127.0.0.1", TOPICS + TOPIC_NAMES.index(topic)) for topic in topics
        ]
        decode = functools.partial(_pair, keyDecoder, valueDecoder)
        named = [
            stream.map(functools.partial(_with_topic, topic))
            for topic, stream in zip(topics, streams, strict=True)
        ]
        messages = named[0] if len(named) == 1 else ssc.union(*named)
        return _with_offsets(messages, sorted(topics), decode)

    @staticmethod
    def createStream(
        ssc: Any, zkQuorum: Any, groupId: Any, topics: Any, *_: Any, **more: Any
    ) -> Any:
        decoders = {key: more[key] for key in ("keyDecoder", "valueDecoder") if key in more}
        stream = Kafka.createDirectStream(ssc, list(topics), {}, **decoders)
        known = groupId in GROUPS
        GROUPS.add(groupId)
        # receivers of a group share its records: here the first one gets them all
        return stream.filter(lambda message: False) if known else stream


class Mqtt:
    """Stands for `pyspark.streaming.mqtt.MQTTUtils`."""

    @staticmethod
    def createStream(ssc: Any, brokerUrl: str, topic: str, *_: Any, **more: Any) -> Any:
        return Kafka.createDirectStream(ssc, [topic], {}).map(lambda message: message[1])


def _with_topic(topic: str, line: str) -> tuple[str, str]:
    return topic, line


def _with_offsets(messages: Any, topics: list[str], decode: Callable[[str], Any]) -> Any:
    """Return a stream whose own `transform` and `foreachRDD` give RDDs that know their offsets."""
    stream = messages.map(lambda message: decode(message[1]))
    ends = dict.fromkeys(topics, 0)
    known: dict[Any, list[OffsetRange]] = {}

    def knowing(time: Any, rdd: Any) -> Any:
        if time not in known:
            counts = Counter(rdd.map(lambda message: message[0]).collect())
            known[time] = [
                OffsetRange(topic, 0, ends[topic], ends[topic] + counts[topic]) for topic in topics
            ]
            ends.update({one.topic: one.untilOffset for one in known[time]})
        pairs = rdd.map(lambda message: decode(message[1]))
        pairs.offsetRanges = lambda: known[time]
        return pairs

    def given(func: Callable[..., Any]) -> Callable[[Any, Any], Any]:
        if func.__code__.co_argcount == 1:
            return lambda time, rdd: func(knowing(time, rdd))
        return lambda time, rdd: func(time, knowing(time, rdd))

    stream.transform = lambda func: messages.transform(given(func))
    stream.foreachRDD = lambda func: messages.foreachRDD(given(func))
    return stream


def _pair(key_decoder: Any, value_decoder: Any, line: str) -> tuple[Any, Any]:
    key, value = json.loads(line)
    return (
        key_decoder(key and key.encode()) if key_decoder else key,
        value_decoder(value.encode()) if value_decoder else value,
    )


class Originals:
    """Runs the jobs as they were."""

    def __init__(self) -> None:
        fewer_calls.install()
        self._home = Path.cwd()
        engine = SparkEngine()
        watch_streams(engine.stream)
        self._runner = Runner(engine)
        names = {"KafkaUtils": Kafka, "TopicAndPartition": TopicAndPartition}
        vars(sys.modules["pyspark.streaming.kafka"]).update(names)
        vars(sys.modules["pyspark.streaming.mqtt"])["MQTTUtils"] = Mqtt
        from pyspark.sql.classic.dataframe import DataFrame as Classic

        assert issubclass(Classic, DataFrame)
        watch_frames(Classic, DataFrameWriter)
        watch_rdds(RDD)
        watch_files()  # the job may open files of its executors before the first batch

    def run(self, job: dict[str, Any], folder: Path, events: Path) -> dict[str, Any]:
        """Run one job; return how it ended."""
        OUTPUTS.count = 0
        OUTPUTS.are_printed = not job.get("portable", True)
        # relative checkpoint folders are here for all jobs, and Spark keeps the ten latest times
        for checkpoint in self._home.glob("*checkpoint*"):
            shutil.rmtree(checkpoint)
        script = Path(job["root"], job["script"])
        OUTPUTS.places = {"script": str(script), "events": str(events)}
        topics = {topic for step in job["steps"] for topic in step.get("records", {})}
        TOPIC_NAMES[:] = sorted(topics)
        GROUPS.clear()
        result = self._runner.run(job | {"steps": list(map(_as_lines, job["steps"]))}, folder)
        found = [json.loads(line) for line in events.read_text(encoding="utf-8").splitlines()]
        for event in found:
            event["step"] = event.pop("at") / (job["interval"] * 1000)
        return result | {"events": found}


def _as_lines(step: dict[str, Any]) -> dict[str, Any]:
    """Return a step whose messages are lines for the sockets that stand for topics."""
    if not step.get("records"):
        return step
    lines = dict(step.get("lines") or {})
    for topic, values in step["records"].items():
        pairs = [value if isinstance(value, list) else [None, value] for value in values]
        lines[TOPICS + TOPIC_NAMES.index(topic)] = [json.dumps(pair) for pair in pairs]
    return {key: value for key, value in step.items() if key != "records"} | {"lines": lines}
