"""Lets a new job begin where the checkpoint of a job on Spark's DStreams ends."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pyspark import SparkContext

from ..exceptions import CheckpointError
from ..graph.nodes import Graph, with_sources
from ..intervals.imported import Imported
from ..source.base import Source
from ..source.files.source import FileSource
from ..source.files.taken_over import full_path
from ..source.kafka.source import DirectSource
from ..source.receivers.socket import SocketSource
from ..storage.files import is_local
from . import content
from .content import OldSource, OldState
from .folder import OldCheckpoint, read_checkpoint
from .new_graph import (
    NewState,
    kind_of,
    reach_of,
    sources_of,
    states_of,
    windows_of_states,
)
from .pickled_states import state_pairs
from .received_log import Block, count_records, logged_blocks

_LOG = logging.getLogger("dstream_compat")
_LOGGED_RECEIVERS: Final = "spark.streaming.receiver.writeAheadLog.enable"


def take_over(sc: SparkContext, graph: Graph, folder: str) -> Graph:
    """Return a graph with the states, positions and times of an old checkpoint.

    It is logged what went where.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        of a job that is about to start for the first time
    folder : str
        the checkpoint folder of the job on Spark's DStreams; nothing in it is changed

    Raises
    ------
    CheckpointError
        with all that does not fit, by name
    """
    old = read_checkpoint(sc, folder)
    old.refuse_running()
    states, nodes = states_of(graph), sources_of(graph)
    sources = list(nodes.values())
    try:
        at = old.content.last_saved_batch()
    except ValueError as error:
        raise CheckpointError(f"{folder} cannot be taken over: {error}") from error
    since = max(at - reach_of(graph), old.content.zero)
    problems = [
        *_unlike(old, graph, states, sources),
        *(problem for one in old.content.sources for problem in lost_input(old, one, since, at)),
    ]
    problems += [
        f"{label} is computed from a state, whose values before the batch of {at} ms are not saved"
        for label in windows_of_states(graph)
    ]
    if problems:
        raise CheckpointError(
            f"{folder} cannot be taken over by this job:\n  "
            + "\n  ".join(problems)
            + "\nNothing was changed"
        )
    keyed = [one for one in zip(old.content.states, states, strict=True) if at in one[0].folders]
    initial = [(new, state_pairs(sc, old, state, at)) for state, new in keyed]
    counts = {id(new): count for new, (_, count) in initial}
    logged = logged_blocks(old, since, old.content.last) if _has_log(old) else {}
    begun = {
        node: _behind(old, source, was, at, logged.get(was.stream, {}))
        for (node, source), was in zip(nodes.items(), old.content.sources, strict=True)
    }
    _LOG.warning("%s", "\n  ".join(_report_lines(old, keyed, counts, sources, at, logged)))
    return replace(
        with_sources(graph, begun),
        initial={**graph.initial, **{new.node.id: pairs for new, (pairs, _) in initial}},
        imported=Imported(old.content.zero, since, at),
    )


def _has_log(old: OldCheckpoint) -> bool:
    return old.content.conf.get(_LOGGED_RECEIVERS) == "true"


def _unlike(
    old: OldCheckpoint, graph: Graph, states: list[NewState], sources: list[Source]
) -> Iterator[str]:
    was = old.content
    if was.interval != graph.interval:
        yield (
            f"the batch interval was {was.interval} ms and is {graph.interval} ms in the code: "
            "give StreamingContext the old one"
        )
    then = [(state.kind, state.length, state.slide) for state in was.states]
    now = [(state.kind, state.length, state.slide) for state in states]
    if then != now:
        yield (
            "operators with state: "
            f"{_list_text(state.label for state in was.states)} in the checkpoint, "
            f"{_list_text(state.label for state in states)} in the code: they must be the same, in "
            "the order in which outputs need them"
        )
    for state in was.states:
        if state.kind == content.MAP_WITH_STATE:
            yield f"#{state.number} {state.label}: its state is in Java objects, not in Python's"
    kinds, have = [source.kind for source in was.sources], [kind_of(source) for source in sources]
    if kinds != have:
        yield (
            f"sources: {_list_text(source.label for source in was.sources)} in the checkpoint, "
            f"{_list_text(source.label for source in sources)} in the code"
        )
        return
    for one, source in zip(was.sources, sources, strict=True):
        yield from _unlike_source(old, one, source, reach_of(graph))


def _unlike_source(old: OldCheckpoint, was: OldSource, source: Source, reach: int) -> Iterator[str]:
    if isinstance(source, FileSource) and was.folder is not None:
        if full_path(source.folder) != full_path(was.folder):
            yield f"{was.label}: the code reads {source.folder}"
            return
        paths = [path for batch in was.files.values() for path in batch]
        local = is_local(old.sc, source.folder)
        if paths and local and not source.may_find(paths[0]):  # a relative one may be another now
            yield f"{was.label}: it read {paths[0]}, which is not in {full_path(source.folder)}"
    elif isinstance(source, DirectSource):
        topics = {topic for topic, _ in was.position}
        if topics != source.topics:
            yield f"{was.label}: the code reads other topics ({source.label})"
        if reach:
            yield (
                f"{was.label}: a window reads what is before the state, and Kafka's batches are "
                "not read again one by one"
            )
    elif was.kind == content.OTHER:
        yield f"{was.label}: the checkpoint does not say how far it had read"
    elif _has_log(old) and not isinstance(source, SocketSource):
        yield (
            f"{was.label}: the records in its write-ahead log are not read. Let the job process "
            "them on DStreams, and stop it gracefully"
        )


def lost_input(old: OldCheckpoint, was: OldSource, since: int, at: int) -> Iterator[str]:
    """Yield what has to be read again and is not there any more."""
    step = old.content.interval
    again = range(since + step, old.content.last + 1, step)
    if was.kind == content.FILES:
        unknown = [tick for tick in again if tick not in was.files]
        if unknown:
            yield (
                f"{was.label}: the checkpoint does not name the files of the batches from "
                f"{unknown[0]} to {unknown[-1]} ms, which have to be read again"
            )
        paths = [path for tick in again for path in was.files.get(tick, ())]
        gone = [path for path in paths if not old.has(path)]
        if gone:
            yield (
                f"{was.label}: files that have to be read again are gone ({len(gone)}; the first "
                f"is {gone[0]}): put them back, with the time of modification that they had"
            )
    elif was.kind == content.KAFKA and again and not was.after(at, step):
        yield f"{was.label}: the offsets of the batch of {at + step} ms are not in the checkpoint"


def _behind(
    old: OldCheckpoint, source: Source, was: OldSource, at: int, logged: dict[int, list[Block]]
) -> Source:
    """Return a source that goes on where the old job stood."""
    last = old.content.last
    if isinstance(source, FileSource):
        # of the batches before, the other job would not read anything again either
        return source.behind(was.files, last, was.since)
    if isinstance(source, DirectSource):
        return source.behind(was.offsets_after(at))
    if isinstance(source, SocketSource) and _has_log(old):
        return source.behind(logged, last + old.content.interval)
    return source


def _report_lines(
    old: OldCheckpoint,
    keyed: list[tuple[OldState, NewState]],
    counts: dict[int, int],
    sources: list[Source],
    at: int,
    logged: dict[int, dict[int, list[Block]]],
) -> Iterator[str]:
    was = old.content
    yield (
        f"taking over {old.folder} ({old.file}) as of the batch of {at} ms; the batches after it "
        f"run again, {max(was.last - at, 0) // was.interval} of which the old job had begun"
    )
    for problem in old.unread:
        yield f"not read: {problem}"
    for state, new in keyed:
        yield f"state #{state.number} {state.label}: {counts[id(new)]} keys to {new.node.label}"
    for old_source, source in zip(was.sources, sources, strict=True):
        yield f"source #{old_source.number} {old_source.label}: to {source.label}"
        if old_source.kind == content.RECEIVER and _has_log(old):
            records = count_records(logged.get(old_source.stream, {}))
            yield f"  {records} records of its write-ahead log are processed again, or for once"
        elif old_source.kind == content.RECEIVER and was.last > at:
            yield (
                f"  what it received for the batches after {at} ms was in memory only: it is lost, "
                "as in a recovery of DStreams without a write-ahead log"
            )
    unfinished = [tick for tick in was.pending if tick <= at]
    if unfinished:
        yield (
            f"the old job did not complete outputs of the batches {unfinished} (ms): they do not "
            "run again"
        )


def _list_text(labels: Iterator[str]) -> str:
    return ", ".join(labels) or "none"
