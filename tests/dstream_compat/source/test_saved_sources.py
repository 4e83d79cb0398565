"""Sources in graphs that earlier versions have saved, and what they share with functions there."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from pyspark import RDD, SparkContext, cloudpickle

from dstream_compat.checkpoint.driver_variables import Variables, with_variables
from dstream_compat.graph.nodes import Graph, OutputNode, SourceNode, with_sources
from dstream_compat.kafka import KafkaRDD, OffsetRange
from dstream_compat.source.base import Source
from dstream_compat.source.files.source import FileSource
from dstream_compat.source.files.taken_over import TakenOver
from dstream_compat.source.kafka.offsets import BatchOffsets
from dstream_compat.source.kafka.source import (
    DirectSource,
    DirectTable,
    ReceiverSource,
    ReceiverTable,
)
from dstream_compat.source.kinesis.source import KinesisSource
from dstream_compat.source.queues.source import QueueSource, UnreadableRDD
from dstream_compat.source.receivers.mqtt import TEXT, MQTTSource
from dstream_compat.source.receivers.socket import SocketSource
from dstream_compat.source.tables.frames import FrameSource
from dstream_compat.source.tables.table import Table
from dstream_compat.storage.files import LocalStorage
from dstream_compat.wire import errors
from dstream_compat.worker.reading.kinesis_access import Access
from tests.support.streaming.inputs import opened

DIRECT = DirectTable("direct", {"bootstrap.servers": "b"}, {("t", 0): 3}, True, False, (True, True))
GROUP = ReceiverTable((("bootstrap.servers", "b"),), ("t",), "latest", (True, True))
ACCESS = Access("http://x", "eu-west-1", "key", "secret")
TAKEN = TakenOver({"file:/in/a": 1000}, 2000)

BEFORE: list[tuple[type[Source], dict[str, Any], dict[str, Any]]] = [
    (
        FileSource,
        {
            "label": "textFileStream(/in)",
            "_folder": "/in",
            "_since": 7,
            "_length": None,
            "texts": True,
            "_remember": 60_000,
            "_seen": {},
            "_found": {},
            "_trouble": "",
        },
        {"folder": "/in", "since": 7, "length": None, "remember": 60_000},
    ),
    (
        FileSource,
        {"_folder": "/in", "_since": 7, "_length": 3, "_remember": 60_000, "_taken": TAKEN},
        {"folder": "/in", "since": 7, "length": 3, "remember": 60_000, "taken": TAKEN},
    ),
    (
        SocketSource,
        {
            "label": "socketTextStream(h:1)",
            "_host": "h",
            "_port": 1,
            "_partitions": 2,
            "_taken_over": {2000: [], 1000: [(b"a\nb", 2)]},
        },
        {"host": "h", "port": 1, "partitions": 2, "taken_over": {2000: [], 1000: [(b"a\nb", 2)]}},
    ),
    (
        MQTTSource,
        {
            "label": "createStream(words)",
            "receiver": "MQTTReceiver",
            "_url": "tcp://h:1",
            "_topics": ("words",),
            "_elements": TEXT,
            "_partitions": 2,
            "_login": None,
        },
        {
            "name": "createStream(words)",
            "url": "tcp://h:1",
            "topics": ("words",),
            "elements": TEXT,
            "partitions": 2,
            "login": None,
        },
    ),
    (
        KinesisSource,
        {
            "label": "createStream(s)",
            "_stream": "s",
            "_access": ACCESS,
            "_initial": "LATEST",
            "_app": "app",
        },
        {
            "name": "createStream(s)",
            "stream": "s",
            "access": ACCESS,
            "initial": "LATEST",
            "app": "app",
        },
    ),
    (
        QueueSource,
        {"_queue": [[()], b"error"], "_one": True, "_default": None, "_zero": 0},
        {"queue": [[()], b"error"], "one": True, "default": None},
    ),
    (
        ReceiverSource,
        {"table": GROUP, "label": GROUP.label, "_timeline": None, "_rate": None},
        {"table": GROUP},
    ),
]


class Before:
    """Is pickled as an object of a class was by an earlier version."""

    def __init__(self, of: type, state: dict[str, Any]) -> None:
        self.of = of
        self.state = state

    def __reduce__(self) -> Any:
        return made, (self.of,), self.state


def made(kind: type) -> Any:
    return object.__new__(kind)


def again(saved: object) -> Any:
    return pickle.loads(pickle.dumps(saved, 5))


@pytest.mark.parametrize(("kind", "before", "now"), BEFORE)
def test_saved_by_an_earlier_version(
    kind: type[Source], before: dict[str, Any], now: dict[str, Any]
) -> None:
    found = again(Before(kind, before))
    assert type(found) is kind
    assert vars(found) == now
    assert vars(again(found)) == {**now, **vars(found)}
    assert opened(found).label == found.label == before.get("label", found.label)


def test_functions_of_an_earlier_version_ask_the_source_for_offsets() -> None:
    state = {"table": DIRECT, "label": "direct", "_ranges": (0, []), "_rate": None}
    found, asked = again([source := Before(DirectSource, state), source])
    assert found is asked
    assert found.table.start == DIRECT.start
    opened(found).note(1000, [pickle.dumps([("t", 0, 3, 5)])])
    assert asked.offset_ranges(1000) == [("t", 0, 3, 5)]
    with pytest.raises(RuntimeError, match="direct: the offsets of the batch of 2000 ms"):
        asked.offset_ranges(2000)


def test_they_give_their_rdds_offsets_by_a_function_of_the_package() -> None:
    """As ``call`` in ``dstream_compat.kafka`` was in graphs of an earlier version."""
    found = pickle.loads(b"cdstream_compat.kafka\n_kafka_rdd\n.")
    rdd: Any = SimpleNamespace(_jrdd=MagicMock(), ctx=None, _jrdd_deserializer=None)
    made = found(rdd, [OffsetRange("t", 0, 3, 5)])
    assert isinstance(made, KafkaRDD)
    assert made.offsetRanges() == [OffsetRange("t", 0, 3, 5)]
    assert KafkaRDD(rdd._jrdd, rdd.ctx, None).offsetRanges() == []


def graph_of_offsets() -> tuple[Graph, DirectSource]:
    """A graph whose output asks for the offsets of its source's batches."""
    graph = Graph(1000)
    source = DirectSource(DIRECT, BatchOffsets("direct"))
    node = SourceNode(graph.next_id(), (), 1000, source.label, source)
    offsets, seen = source.offsets, list[Any]()

    def note(at: Any, rdd: Any) -> list[Any]:
        seen.append(at)
        return [*offsets.of(at), len(seen)]

    graph.outputs.append(OutputNode(graph.next_id(), (node,), 1000, "out", note))
    return graph, source


def test_functions_get_the_offsets_of_another_source_in_its_place(tmp_path: Any) -> None:
    """As when positions are taken over, and after a recovery with the variables of functions."""
    first, source = graph_of_offsets()
    graph = with_sources(first, {1: source.behind({("t", 0): 9})})
    assert source.table.start == {("t", 0): 3}, "what the user defined stays"
    storage, path = LocalStorage(), str(tmp_path / "variables")
    saved: bytes = cloudpickle.dumps(graph, 5)  # type: ignore[no-untyped-call]
    variables = Variables(storage, path, graph, lambda: b"digest")
    recovered = pickle.loads(saved)
    for number, found in enumerate((graph, recovered), 1):
        ((output,), (node,)) = found.outputs, found.outputs[0].parents
        assert node.source.table.start == {("t", 0): 9}
        opened(node.source).note(1000 * number, [pickle.dumps([("t", 0, 9, 12)])])
        assert output.action(1000 * number, None) == [("t", 0, 9, 12), 1]
    variables.save()
    restored = with_variables(storage, path, pickle.loads(saved), b"digest")
    (output,) = restored.outputs
    opened(output.parents[0].source).note(5000, [pickle.dumps([("t", 0, 12, 13)])])
    assert output.action(5000, None) == [("t", 0, 12, 13), 2]


def test_a_graph_with_other_sources() -> None:
    graph = Graph(1000)
    sockets = [SocketSource("h", port, 2) for port in (1, 2)]
    nodes = [SourceNode(graph.next_id(), (), 1000, one.label, one) for one in sockets]
    for node in nodes:
        graph.outputs.append(OutputNode(graph.next_id(), (node,), 1000, "out", print))
    logged = sockets[1].behind({1000: [["a", "b"], []]}, 2000)
    found = with_sources(graph, {nodes[1].id: logged})
    assert [output.parents[0].source for output in found.outputs] == [sockets[0], logged]  # type: ignore[attr-defined]
    assert [output.parents[0] for output in graph.outputs] == nodes
    assert logged.taken_over == {2000: [], 1000: [(b"a\nb", 2)]}
    assert found.persisted is graph.persisted, "what is set later counts for both"


@pytest.mark.slow
def test_a_queue_has_records_when_it_is_saved(sc: SparkContext) -> None:
    good, bad = sc.parallelize([1, 2], 1), sc.parallelize([0], 1).map(lambda n: 1 // n)
    source = QueueSource([good, bad], True, good)
    saved = source.savable_source(sc)
    assert source.queue == [good, bad], "the queue of the user stays"
    read, failed = saved.queue
    assert isinstance(read, list) and saved.default == read
    assert isinstance(failed, UnreadableRDD) and failed.rdd is bad
    assert saved.items() == [read, bad, read], "it is tried again"
    lost = again(saved).queue[1]
    assert "item 1 of a queueStream, counted from 0, is an RDD" in errors.load(lost).text
    assert not any(isinstance(item, RDD) for item in again(saved).items())


def test_what_functions_and_inputs_share() -> None:
    table: Any = SimpleNamespace(label="from_dataframe")
    frames = FrameSource(table)
    assert frames.parts == {"source": frames, "table": table}
    direct = DirectSource(DIRECT, BatchOffsets("direct"))
    assert direct.parts == {"source": direct, "table": DIRECT, "offsets": direct.offsets}
    assert isinstance(DIRECT, Table)
    queue = QueueSource([], True, None)
    assert queue.parts == {"source": queue}


def kinds(above: type[Source]) -> list[type[Source]]:
    """The classes below one that can be made."""
    below = [kind for one in above.__subclasses__() for kind in (one, *kinds(one))]
    return [kind for kind in below if not inspect.isabstract(kind)]


def test_sources_never_change() -> None:
    ours = [kind for kind in kinds(Source) if kind.__module__.startswith("dstream_compat.")]
    names = {kind.__name__ for kind in ours}
    assert names >= {"DirectSource", "FileSource", "FrameSource", "QueueSource", "SocketSource"}
    for kind in ours:
        with pytest.raises(FrozenInstanceError):
            made(kind).label = "another"
