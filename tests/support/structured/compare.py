"""Compares what a job and its rewrite gave out, batch by batch.

The outputs that show records, and those that save some, are paired in the order in which they stand
in the code; those that never have a record are left out. Printed lines are one output, and each
file that Python writes is one. An output without a record is the same as none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dstream_compat.testing.comparison import Equality, match_rows
from dstream_compat.testing.values import Value, readable

SAME = Equality(columns=True, flat=False)
Events = list[dict[str, Any]]
Channels = dict[str, dict[int, Events]]


def differences(
    original: Events, result: Events, steps: list[dict[str, Any]], options: dict[str, Any]
) -> list[str]:
    """Return how the outputs differ, one entry per output and batch.

    Parameters
    ----------
    original, result : list of dict
        what was recorded
    steps : list of dict
        the input of each interval; those without any are not compared
    options : dict
        ``ordered``: the order of records counts; ``idle``: intervals without input are compared
        too; ``stated``: patterns of what differs in printed lines, as the rewriting says;
        ``flat``: the values of tuples in tuples are columns
    """
    batches = [n for n, step in enumerate(steps, 1) if options.get("idle") or has_input(step)]
    ordered = bool(options.get("ordered"))
    original, result = (_without(each, options.get("stated", [])) for each in (original, result))
    original = [event | {"records": [*map(_row, event["records"])]} for event in original]
    if options.get("flat"):
        original = [event | {"records": [*map(_flat, event["records"])]} for event in original]
    one, other = channels(original, batches), channels(result, batches)
    found = []
    for name in sorted({*one, *other}):
        for batch in batches:
            expected, given = one.get(name, {}).get(batch, []), other.get(name, {}).get(batch, [])
            lines = list(_differences(name, expected, given, ordered))
            if lines:
                found.append("\n  ".join([f"batch {batch}, {name}:", *lines]))
    return found


def _without(events: Events, patterns: list[str]) -> Events:
    """Printed lines without what is stated to differ, and without lines that are only that."""
    if not patterns:
        return events
    found = []
    for event in events:
        records = event["records"]
        if event["kind"] == "lines":
            kept = [(line, re.sub("|".join(patterns), "", line[1])) for line in records]
            records = [["str", new] for line, new in kept if new or not line[1]]
        found.append(event | {"records": records})
    return found


def _row(record: Value) -> Value:
    """A named tuple as the row that it becomes; any other record as it is."""
    return ["row", record[2]] if record[0] == "object" else record


def _flat(record: Value) -> Value:
    """A tuple with the values of the tuples in it; any other record as it is."""
    return ["tuple", [*_leaves(record)]] if record[0] == "tuple" else record


def _leaves(value: Value) -> Iterator[Value]:
    if value[0] != "tuple":
        yield value
        return
    for field in value[1]:
        yield from _leaves(field)


def has_input(step: dict[str, Any]) -> bool:
    """Return whether an interval has records or files."""
    parts = [step.get("lines"), step.get("files"), step.get("records")]
    return any(any(part.values()) if isinstance(part, dict) else part for part in parts)


def channels(events: Events, batches: list[int]) -> Channels:
    """Return what each output gave in each batch; outputs have names that both sides share."""
    events = [event for event in events if event["records"] and event["step"] in batches]
    events.sort(key=lambda event: event["output"])
    found: Channels = {}
    for kind in ("shown", "saved"):
        own = [event for event in events if event["kind"] == kind]
        places = sorted({_place(event) for event in own})
        for event in own:
            name = f"{kind} {places.index(_place(event)) + 1}"
            found.setdefault(name, {}).setdefault(int(event["step"]), []).append(event)
    for event in events:
        if event["kind"] in ("lines", "files"):
            name = f"file {event['path']}" if event["kind"] == "files" else "printed lines"
            batch = found.setdefault(name, {}).setdefault(int(event["step"]), [{"records": []}])
            batch[0]["records"] += event["records"]
    return found


def _place(event: dict[str, Any]) -> tuple[int, ...]:
    return (event["output"], *event["site"])


def _differences(name: str, expected: Events, given: Events, ordered: bool) -> Iterator[str]:
    if len(expected) > 1 or len(given) > 1:
        if len(expected) != len(given):
            yield f"{len(expected)} times with records, the rewrite {len(given)} times"
            return
        for number, (one, other) in enumerate(zip(expected, given, strict=True), 1):
            for line in _differences(name, [one], [other], ordered):
                yield f"time {number}: {line}"
        return
    one, other = (_records(events) for events in (expected, given))
    if not ordered:
        missing, additional, _ = match_rows(one, other, SAME)
    elif len(one) != len(other) or not all(map(SAME.same, one, other)):
        missing, additional = one, other
    else:
        missing, additional = [], []
    yield from (f"- {readable(record)}" for record in missing)
    yield from (f"+ {readable(record)}" for record in additional)
    lengths = [_length(events) for events in (expected, given)]
    if not missing and not additional and lengths[0] != lengths[1]:
        yield f"{lengths[0]} of the records are shown, by the rewrite {lengths[1]}"


def _records(events: Events) -> list[Value]:
    return [record for event in events for record in event["records"]]


def _length(events: Events) -> int:
    return sum(min(event.get("n", 2**31), len(event["records"])) for event in events)
