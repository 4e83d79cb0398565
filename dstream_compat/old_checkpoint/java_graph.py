"""From the Java objects of a checkpoint file to what they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from . import content
from .compression import decompress
from .content import Content, OldSource, OldState
from .java_stream import JavaObject, JavaStream, JavaStreamError
from .scala_values import items, millis, pairs, plain

_STATES: Final = {
    "PythonStateDStream": content.UPDATE,
    "StateDStream": content.UPDATE,
    "PythonReducedWindowedDStream": content.REDUCE,
    "ReducedWindowedDStream": content.REDUCE,
    "MapWithStateDStreamImpl": content.MAP_WITH_STATE,
    "InternalMapWithStateDStream": content.MAP_WITH_STATE,
    "WindowedDStream": content.WINDOW,
}
_INPUT: Final = "org.apache.spark.streaming.dstream.InputDStream"
_DATA: Final = "org.apache.spark.streaming.dstream.DStreamCheckpointData"


def content_of(data: bytes) -> Content:
    """Return what a file ``checkpoint-<ms>`` says.

    Raises
    ------
    JavaStreamError
        if it is cut off, damaged, or something else
    """
    checkpoint = next(JavaStream(decompress(data)).objects(), None)
    if not isinstance(checkpoint, JavaObject) or not checkpoint.is_a("Checkpoint"):
        raise JavaStreamError("it holds no checkpoint of DStreams")
    graph = checkpoint.get("graph")
    interval, zero = millis(graph.get("batchDuration")), millis(graph.get("zeroTime"))
    written_for = millis(checkpoint.get("checkpointTime"))
    if interval is None or written_for is None:
        raise JavaStreamError("it has no batch interval or no time")
    streams = list(_streams(items(graph.get("outputStreams"))))
    inputs = [(stream, _batches(stream)) for stream in streams if stream.is_a("InputDStream")]
    pending = sorted(t for time in items(checkpoint.get("pendingTimes")) if (t := millis(time)))
    # Spark also writes when a batch has completed, for the time of that batch, while the graph
    # already has those that wait behind it
    last = max([written_for, *pending, *(tick for _, batches in inputs for tick in batches)])
    conf = {
        str(each.get("_1")): str(each.get("_2")) for each in items(checkpoint.get("sparkConfPairs"))
    }
    return Content(
        app=str(checkpoint.get("framework")),
        master=str(checkpoint.get("master")),
        scala=_scala(graph),
        interval=interval,
        zero=written_for if zero is None else zero,
        last=last,
        pending=pending,
        conf=conf,
        sources=[
            _source(number, stream, batches, last)
            for number, (stream, batches) in enumerate(inputs, 1)
        ],
        states=[
            _state(number, kind, stream)
            for number, (kind, stream) in enumerate(_stateful(streams), 1)
        ],
    )


def _streams(outputs: Iterable[JavaObject]) -> Iterator[JavaObject]:
    """Yield the streams that outputs need, in the order in which their parents come up."""
    seen: set[int] = set()
    todo: list[tuple[JavaObject, bool]] = [(output, False) for output in reversed(list(outputs))]
    while todo:
        stream, is_done = todo.pop()
        if is_done:
            yield stream
        elif id(stream) not in seen:
            seen.add(id(stream))
            todo.append((stream, True))
            todo += [(parent, False) for parent in reversed(_parents(stream))]


def _parents(stream: JavaObject) -> list[JavaObject]:
    for names in (("parent", "parent2"), ("parent1", "parent2"), ("parents",), ("dataStream",)):
        values = [value for name in names if (value := stream.get(name)) is not None]
        if values and stream.get(names[0]) is not None:
            if names == ("parents",):
                return [each for each in items(values[0]) if isinstance(each, JavaObject)]
            return values
    return []


def _scala(graph: JavaObject) -> str:
    stream = next(iter(items(graph.get("inputStreams"))), graph)
    fields = stream.by_class.get(_INPUT, {})
    data = fields.get("checkpointData") or stream.get("checkpointData")
    entries = data.get("data") if isinstance(data, JavaObject) else None
    is_new = isinstance(entries, JavaObject) and entries.name.endswith("DefaultSerializationProxy")
    return "2.13 (Spark 4, or 3 for it)" if is_new else "2.11 or 2.12 (Spark 1.6 to 3.5)"


def _batches(stream: JavaObject) -> dict[int, Any]:
    """Return what an input stream had in each batch that was made, also if it has not run."""
    data = stream.get("checkpointData")
    entries = pairs(data.get("data") if isinstance(data, JavaObject) else None)
    return {time: value for key, value in entries if (time := millis(key)) is not None}


def _source(number: int, stream: JavaObject, batches: Mapping[int, Any], last: int) -> OldSource:
    name = stream.name.rpartition(".")[2]
    if stream.is_a("FileInputDStream"):
        folder = str(stream.get("directory"))
        return OldSource(
            number,
            content.FILES,
            f"{name} of {folder}",
            folder=folder,
            files={time: [str(path) for path in items(value)] for time, value in batches.items()},
            since=max(
                last - (millis(stream.get("durationToRemember")) or 0),
                int(stream.get("initialModTimeIgnoreThreshold") or 0),
            ),
        )
    if stream.is_a("DirectKafkaInputDStream"):
        position = {
            (str(place.get("topic")), int(place.get("partition"))): int(plain(offset))
            for place, offset in pairs(stream.get("currentOffsets"))
        }
        ranges = {time: [_range(each) for each in items(v)] for time, v in batches.items()}
        topics = sorted(
            {topic for topic, _ in position} | {r[0] for v in ranges.values() for r in v}
        )
        return OldSource(
            number,
            content.KAFKA,
            f"{name} of {', '.join(topics)}",
            ranges=ranges,
            position=position,
        )
    is_receiver = stream.is_a("ReceiverInputDStream")
    kind = content.RECEIVER if is_receiver else content.OTHER
    own = stream.by_class.get(_INPUT, {})
    return OldSource(number, kind, name, stream=int(own.get("id", -1)))


def _range(value: JavaObject) -> content.OffsetRange:
    topic, partition, begin, end = (plain(value.get(f"_{place}")) for place in range(1, 5))
    return str(topic), int(partition), int(begin), int(end)


def _stateful(streams: Iterable[JavaObject]) -> Iterator[tuple[str, JavaObject]]:
    for stream in streams:
        kind = _STATES.get(stream.name.rpartition(".")[2])
        # the outer one of two objects of mapWithState only passes on
        if kind is not None and not stream.is_a("MapWithStateDStreamImpl"):
            yield kind, stream


def _state(number: int, kind: str, stream: JavaObject) -> OldState:
    data = stream.get("checkpointData")
    entries = data.by_class.get(_DATA, {}).get("data") if isinstance(data, JavaObject) else None
    folders = {time: str(path) for key, path in pairs(entries) if (time := millis(key)) is not None}
    length = _first(stream, "_windowDuration", "windowDuration")
    return OldState(number, kind, folders, length, _first(stream, "_slideDuration"))


def _first(stream: JavaObject, *names: str) -> int | None:
    for name in names:
        for field, value in ((f, v) for fs in stream.by_class.values() for f, v in fs.items()):
            if field.endswith(name) and (duration := millis(value)) is not None:
                return duration
    return None
