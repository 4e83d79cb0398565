"""What an old checkpoint holds, for people and as JSON."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from .content import WINDOW, OldSource, OldState
from .folder import OldCheckpoint
from .pickled_states import loaded_records


def summary(old: OldCheckpoint, load: bool, sample: int) -> dict[str, Any]:
    """Return what a checkpoint holds, as JSON values; times in milliseconds since the epoch.

    Parameters
    ----------
    old : OldCheckpoint
        what to describe
    load : bool
        load pickles, which runs code of whoever wrote them
    sample : int
        pairs of each state to show

    Raises
    ------
    CheckpointError
        if a state cannot be read, or a class of what is in it is gone
    """
    was = old.content
    try:
        saved = was.last_saved_batch()
        trouble = None
    except ValueError as error:
        saved, trouble = None, str(error)
    return {
        "folder": old.folder,
        "file": old.file,
        "seconds_since_written": round(time.time() - old.written / 1000, 1),
        "unread": old.unread,
        "application": was.app,
        "master": was.master,
        "scala": was.scala,
        "interval_ms": was.interval,
        "zero_time": was.zero,
        "last_batch": was.last,
        "saved_as_of": saved,
        "not_saved": trouble,
        "pending_batches": list(was.pending),
        "states": [_state(old, state, load, sample) for state in was.states],
        "sources": [_source(source) for source in was.sources],
    }


def _state(old: OldCheckpoint, state: OldState, load: bool, sample: int) -> dict[str, Any]:
    at = max(state.folders, default=None)
    shown: dict[str, Any] = {
        "number": state.number,
        "operator": state.kind,
        "window_ms": state.length,
        "slide_ms": state.slide,
        "saved_batches": sorted(state.folders),
        "bytes": None if at is None else old.size(state, at),
    }
    if load and at is not None:
        pairs = list(loaded_records(old, state, at))
        shown["keys"] = len(pairs)
        shown["sample"] = [repr(pair) for pair in pairs[:sample]]
    return shown


def _source(source: OldSource) -> dict[str, Any]:
    return {
        "number": source.number,
        "kind": source.kind,
        "stream": source.label,
        "files": {str(tick): list(source.files[tick]) for tick in sorted(source.files)},
        "offsets": {
            str(tick): [list(part) for part in source.ranges[tick]]
            for tick in sorted(source.ranges)
        },
        "position": [[topic, part, at] for (topic, part), at in sorted(source.position.items())],
    }


def as_text(shown: Mapping[str, Any]) -> str:
    """Return a summary as lines for people."""
    return "\n".join(_lines(shown))


def _lines(shown: Mapping[str, Any]) -> Iterator[str]:
    yield f"{shown['folder']}: {shown['file']}, written {shown['seconds_since_written']} s ago"
    for problem in shown["unread"]:
        yield f"  not read: {problem}"
    yield f"application     {shown['application']} ({shown['master']})"
    yield f"Spark           not recorded; written with Scala {shown['scala']}"
    yield f"batch interval  {shown['interval_ms'] / 1000:g} s"
    yield f"zero time       {_time(shown['zero_time'])}"
    yield f"last batch      {_time(shown['last_batch'])}"
    if shown["saved_as_of"] is None:
        yield f"saved as of     {shown['not_saved']}"
    else:
        yield f"saved as of     {_time(shown['saved_as_of'])}"
    yield f"not completed   {_times(shown['pending_batches'])}"
    for state in shown["states"]:
        yield from _state_lines(state)
    for source in shown["sources"]:
        yield f"source #{source['number']}       {source['stream']}"
        if source["files"]:
            count = sum(map(len, source["files"].values()))
            yield f"  {count} files of {len(source['files'])} batches"
        for topic, part, at in source["position"]:
            yield f"  {topic}-{part}: {at}"


def _state_lines(state: Mapping[str, Any]) -> Iterator[str]:
    window = f", {state['window_ms'] / 1000:g} s" if state["window_ms"] else ""
    head = f"state #{state['number']}        {state['operator']}{window}"
    if state["operator"] == WINDOW:
        yield f"{head}: made again of the input"
        return
    if not state["saved_batches"]:
        yield f"{head}: nothing saved yet"
        return
    keys = f"{state['keys']} keys, " if "keys" in state else ""
    yield f"{head}: {keys}{state['bytes']} bytes as of {_time(state['saved_batches'][-1])}"
    for pair in state.get("sample", ()):
        yield f"  {pair}"


def _times(ticks: list[int]) -> str:
    return ", ".join(map(str, ticks)) or "none"


def _time(tick: int) -> str:
    return f"{tick} ({datetime.fromtimestamp(tick / 1000).isoformat(' ', 'milliseconds')})"
