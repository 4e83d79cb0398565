"""Records what the outputs of DStreams give in each batch, on either engine."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from ..source.kafka.records import OffsetRange
from .batch_marks import mark
from .batches import BatchesWriter
from .calls import name_of_call, place, sources_of
from .capture import capture_output
from .engines import two_arguments
from .results_writer import ResultsWriter
from .sorted_streams import FOUND, note_sorted, number_of_transform, transforms
from .values import written_record

_KINDS: Final = {"shown": "show", "result": "result", "batch": "foreachBatch", "sent": "sent"}


class Outputs:
    """The outputs of the job that runs now; nothing of it is pickled with their functions."""

    def __init__(self) -> None:
        self.writer: ResultsWriter | BatchesWriter | None = None
        self.script = ""
        self.interval = 1000
        self.begin = 0
        self.last: int | None = None
        self._own: dict[tuple[Any, ...], int] = {}

    def open(self, writer: ResultsWriter | BatchesWriter, script: str) -> None:
        """Begin with a job."""
        self.writer, self.script = writer, script
        self._own.clear()
        self.last = None

    def declare(
        self,
        kind: str,
        operator: str,
        name: str | None = None,
        where: tuple[int, ...] | None = None,
        target: str = "",
        **more: Any,
    ) -> int:
        """Add an output of the job; return its number."""
        assert self.writer is not None
        return self.writer.output(name or place(kind), kind, operator, where, target, **more)

    def events(self, batch: int, number: int, owner: str, events: list[dict[str, Any]]) -> None:
        """Write what the function of an output gave out beside the records that it was given."""
        assert self.writer is not None
        for event in events if self._is_wanted(batch) else ():
            kind, name, operator = _description(event, owner)
            if not event["records"] and kind in ("printed", "files", "calls"):
                continue
            where = number, *event["site"]
            # a file is one output, whoever writes to it
            is_one = "path" in event or "client" in event
            key = (kind, name) if is_one else (kind, name, *where)
            if key not in self._own:
                about = {"num": event.get("n"), "direct": kind == "foreachBatch"}
                target = event.get("target") or event.get("client", "")
                own = self.writer.output(name, kind, operator, where, target, **about)
                self._own[key] = own
            self.writer.rows(
                batch,
                self._own[key],
                self.writer.records_of(event["records"]),
                ordered=kind == "printed" or bool(event.get("ordered", "path" in event)),
                from_sorted=bool(event.get("sorted")),
            )
            if event.get("derives"):
                self.writer.derives(self._own[key])

    def batch(self, at: int) -> int:
        """Return the number of the batch of a time."""
        return round((at - self.begin) / self.interval)

    def value(self, record: Any) -> Any:
        """Return a record as the writer keeps it."""
        assert self.writer is not None
        return self.writer.value(record)

    def text(self, record: Any) -> Any:
        """Return a record that is saved as text as the writer keeps it."""
        return (
            written_record(record) if isinstance(self.writer, ResultsWriter) else self.value(record)
        )

    def rows(self, number: int, at: int, rows: list[Any], ordered: bool) -> None:
        """Write the records of an output."""
        assert self.writer is not None
        if self._is_wanted(self.batch(at)):
            self.writer.rows(self.batch(at), number, rows, ordered=ordered)

    def derives(self, number: int) -> None:
        """Write that the function of an output makes others of the records it is given."""
        assert self.writer is not None
        self.writer.derives(number)

    def note_failure(self, at: int) -> None:
        """Write that the batch of a time has failed; DStreams may begin others before they stop."""
        assert self.writer is not None
        self.writer.note_failure(self.batch(at))

    def _is_wanted(self, batch: int) -> bool:
        """Return whether a batch is one of the recording's: a graceful stop runs more."""
        return self.last is None or batch <= self.last


def _description(event: dict[str, Any], owner: str) -> tuple[str, str, str]:
    if event["kind"] == "lines":
        return "printed", f"lines printed by {owner}", owner
    if event["kind"] == "calls":
        return "calls", f"calls of {event['client']} by {owner}", owner
    if "path" in event:
        return "files", f"file {event['path']}", owner
    kind = _KINDS.get(event["kind"], "files")
    return kind, event["name"], event.get("operator") or owner


OUTPUTS = Outputs()


def record(
    number: int,
    owner: str,
    chain: tuple[int, ...],
    work: Callable[[Any, Any], None],
    time: Any,
    rdd: Any,
) -> None:
    """Carry out an output of one batch, and write its records."""
    at = round(time.timestamp() * 1000)
    # the records are computed once, as without us; and a level of the job's own would be refused
    keep, is_sorted = not _is_kept(rdd), FOUND.any(chain)
    rdd._is_sorted = is_sorted
    if keep:
        rdd.cache()
        rdd.persist = rdd.cache = lambda *_: rdd
    events: list[dict[str, Any]] = []
    try:
        OUTPUTS.rows(number, at, [OUTPUTS.value(row) for row in rdd.collect()], is_sorted)
        with capture_output(number, OUTPUTS.script) as output:
            events = output.events
            output.in_order = is_sorted or not _is_shuffled(rdd)
            try:
                work(time, rdd)
            finally:
                if output.derives:
                    OUTPUTS.derives(number)
    except BaseException:
        OUTPUTS.note_failure(at)
        raise
    finally:
        OUTPUTS.events(OUTPUTS.batch(at), number, owner, events)
        if keep:
            rdd.unpersist()


def _is_shuffled(rdd: Any) -> bool:
    """Return whether no order of the records is promised, as far as Spark knows how they come."""
    plan = rdd.toDebugString() or b""
    return any(name in plan for name in (b"Shuffled", b"CoGrouped", b"Subtracted"))


def _is_kept(rdd: Any) -> bool:
    """Return whether an RDD has a storage level; Python does not know that of a state."""
    level = rdd.getStorageLevel()
    return bool(rdd.is_cached or level.useMemory or level.useDisk)


def take(
    number: int, chain: tuple[int, ...], encoded: Callable[[Any], Any], time: Any, rdd: Any
) -> None:
    """Write the records of one batch instead of an output that prints or saves them."""
    at = round(time.timestamp() * 1000)
    try:
        rows = [encoded(row) for row in rdd.collect()]
    except BaseException:
        OUTPUTS.note_failure(at)
        raise
    OUTPUTS.rows(number, at, rows, FOUND.any(chain))


def watch_streams(stream: Any, timed: Callable[[Any, str], Callable[[Any, Any], Any]]) -> None:
    """Let a class of streams record their outputs.

    Parameters
    ----------
    stream : type
        the class
    timed : callable
        makes a function of a time and an RDD of the job's, as the engine does
    """
    foreach_rdd, transform = stream.foreachRDD, stream.transform

    @functools.wraps(foreach_rdd)
    def foreachRDD(self: Any, func: Any) -> None:
        if func is mark:
            foreach_rdd(self, func)
            return
        number = declare(self, "foreachRDD", direct=True)
        owner = place("foreachRDD")
        work = _with_offsets(self, timed(func, "foreachRDD"))
        output = functools.partial(record, number, owner, transforms(self), work)
        foreach_rdd(self, two_arguments(output))

    def pprint(self: Any, num: int = 10) -> None:
        output(self, declare(self, "pprint", num=num), _value)

    def saveAsTextFiles(self: Any, prefix: str, suffix: str | None = None) -> None:
        name, target = place("saveAsTextFiles"), f"{prefix}.{suffix}" if suffix else prefix
        output(self, declare(self, "files", name, target=target), _text)

    def output(self: Any, number: int, encoded: Callable[[Any], Any]) -> None:
        work = functools.partial(take, number, transforms(self), encoded)
        foreach_rdd(self, two_arguments(work))

    @functools.wraps(transform)
    def transform_watched(self: Any, func: Any) -> Any:
        number = number_of_transform()
        work = _with_offsets(self, timed(func, "transform"))
        marked = functools.partial(_marking_failures, functools.partial(note_sorted, number, work))
        result = transform(self, two_arguments(marked))
        result._number_of_transform = number
        return result

    def declare(self: Any, kind: str, name: str | None = None, **more: Any) -> int:
        return OUTPUTS.declare(kind, name_of_call(self), name, sources=sources_of(self), **more)

    stream.transform = transform_watched
    stream.foreachRDD, stream.pprint, stream.saveAsTextFiles = foreachRDD, pprint, saveAsTextFiles
    stream._record_as = output


def _marking_failures(work: Callable[[Any, Any], Any], time: Any, rdd: Any) -> Any:
    try:
        return work(time, rdd)
    except BaseException:
        OUTPUTS.note_failure(round(time.timestamp() * 1000))
        raise


def _with_offsets(stream: Any, work: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a function that gives another one RDDs which know their offsets, as those of Kafka."""
    ranges = getattr(stream, "_offset_ranges", None)
    return work if ranges is None else functools.partial(_call_with_ranges, ranges, work)


def _call_with_ranges(
    ranges: Callable[[int], list[OffsetRange]],
    work: Callable[[Any, Any], Any],
    time: Any,
    rdd: Any,
) -> Any:
    at = round(time.timestamp() * 1000)
    rdd.offsetRanges = functools.partial(ranges, OUTPUTS.batch(at))
    return work(time, rdd)


def _value(record: Any) -> Any:
    return OUTPUTS.value(record)


def _text(record: Any) -> Any:
    return OUTPUTS.text(record)


def as_output(stream: Any, kind: str, operator: str, name: str) -> None:
    """Let a stream be an output that is only recorded."""
    number = OUTPUTS.declare(kind, operator, name, sources=sources_of(stream))
    stream._record_as(number, _value)
