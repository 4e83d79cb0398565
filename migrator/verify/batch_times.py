"""Leaves out the time of a batch in printed lines: a query has the time at which it computes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from dstream_compat.testing.results import Results
from dstream_compat.testing.values import Value

_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?")
_LEFT_OUT = "(time of the batch)"

Sides = list[list[list[Value]]]


def time_of(old: Results, batch: int) -> str:
    """Return the time of a batch as a job on DStreams prints it; empty if it is not known."""
    begin, interval = old.header.get("begin"), old.header.get("interval")
    if begin is None or interval is None:
        return ""
    return str(datetime.fromtimestamp(begin / 1000 + batch * interval))


def without_times(sides: Sides, time: str) -> Sides:
    """Return the lines that both jobs have printed in a batch, without its time.

    In lines of the query that is any time which no line of the original has, so times in the data
    are compared.

    Parameters
    ----------
    sides : list
        the lines of the original and of the query, one list for each time that an output ran
    time : str
        the time of the batch, as the original prints it
    """
    original, query = sides
    found = {each for rows in original for _, line in rows for each in _TIME.findall(line)}
    if time not in found:
        return sides
    data = found - {time}

    def without(rows: list[Value], kept: Callable[[str], bool]) -> list[Value]:
        def leave_out(match: re.Match[str]) -> str:
            return match[0] if kept(match[0]) else _LEFT_OUT

        return [[kind, _TIME.sub(leave_out, line)] for kind, line in rows]

    return [
        [without(rows, lambda each: each != time) for rows in original],
        [without(rows, data.__contains__) for rows in query],
    ]
