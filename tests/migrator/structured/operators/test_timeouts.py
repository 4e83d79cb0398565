"""Keys of `mapWithState` time out in the batches in which they did, counted by plain Python.

PySpark's own DStreams have no `mapWithState`, so the goldens cannot have it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.compare import channels
from tests.support.structured.pairs import MODES, run
from tests.support.structured.values import plain

IDLE, LENGTH, SLIDE = 3, 4, 2
JOB = """import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

IDLE = {timeout}


def visits(user, page, state):
    if state.isTimingOut():
        return (user, "left", state.get())
    count = (state.getOption() or 0) + 1
    if page == "out":
        state.remove()
    else:
        state.update(count)
    return (user, "here", count)


def main():
    seconds = {interval}
    sc = SparkContext(appName="Visits")
    ssc = StreamingContext(sc, seconds)
    ssc.checkpoint(sys.argv[2])
    parts = ssc.textFileStream(sys.argv[1]).map(lambda line: line.split(" "))
    pages = parts.filter(lambda each: len(each) == 2).map(lambda each: (each[0], each[1]))
    made = pages.mapWithState(StateSpec.function(visits).timeout(IDLE))
    made.pprint(100)
    made.map(lambda visit: visit[1]).countByValueAndWindow(4, 2).pprint(100)
    ssc.start()
    ssc.awaitTermination()


main()
"""
# by interval: a is there at its limit, b never again, c goes and comes, d is there all the time
STEPS: list[list[str]] = [
    *(["a x", "b x", "c x"], ["d x", "c out"], [], ["a y", "d y"], ["c x"], [], ["d y", "a z"]),
    *([], [], [], [], ["e x", "e x", "a x"], [], [], [], [], []),
]


def expected() -> tuple[list[Counter[Any]], dict[int, Counter[Any]]]:
    """What the job gives in each interval, and in each of its windows."""
    counts: dict[str, int] = {}
    last: dict[str, int] = {}
    found: list[Counter[Any]] = []
    windows = {}
    for time, lines in enumerate(STEPS, 1):
        given: Counter[Any] = Counter()
        for line in lines:
            user, page = line.split(" ")
            counts[user], last[user] = counts.get(user, 0) + 1, time
            given[user, "here", counts[user]] += 1
            if page == "out":
                del counts[user], last[user]
        for user in [each for each in last if last[each] + IDLE < time]:
            given[user, "left", counts[user]] += 1
            del counts[user], last[user]
        found.append(given)
        if time % SLIDE == 0:
            rows = sum(found[-LENGTH:], Counter[Any]())
            windows[time] = Counter(Counter(kind for _, kind, _ in rows.elements()).items())
    return found, windows


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
def test_keys_time_out_in_their_batch(mode: str, tmp_path: Path) -> None:
    rewritten = rewrite(JOB.format(timeout=IDLE, interval=1), unsafe=True)
    assert isinstance(rewritten, Rewritten), rewritten
    root = tmp_path / "job"
    root.mkdir()
    (root / "after.py").write_text(rewritten.text, encoding="utf-8")
    plan = {
        "script": "after.py",
        "root": str(root),
        "args": ["{FOLDER}/in", "{FOLDER}/checkpoint"],
        "interval": 1,
        "end": "stop",
        "queries": 2,
        "steps": [
            {"files": {f"in/{number}.txt": "".join(f"{line}\n" for line in lines)}} if lines else {}
            for number, lines in enumerate(STEPS)
        ],
    }
    (result,) = run(mode, [plan], tmp_path)
    assert not result["problems"], result["problems"]
    found = channels(result["events"], [*range(1, len(STEPS) + 1)])
    records, windows = expected()
    assert sum(kind == "left" for each in records for _, kind, _ in each) == 6
    for time in range(1, len(STEPS) + 1):
        assert shown(found, 1, time) == records[time - 1], time
        assert shown(found, 2, time) == windows.get(time, Counter()), time


def shown(found: dict[str, dict[int, Any]], place: int, time: int) -> Counter[Any]:
    """What an output shows in an interval."""
    events = found[f"shown {place}"].get(time, [])
    return Counter(plain(each) for event in events for each in event["records"])


@pytest.mark.parametrize(
    ("timeout", "interval", "until"),
    [
        ("3", "1", "now % 1000 + 4000"),
        ("2.5", "1", "now % 1000 + 3000"),
        ("0.3", "0.1", "now % 100 + 400"),
        ("30", "60", "now % 60000 + 60000"),
        ("int(sys.argv[3])", "10", "now % (10 * 1000) + (IDLE // 10 + 1) * 10 * 1000"),
    ],
)
def test_a_timer_is_at_the_first_later_batch(timeout: str, interval: str, until: str) -> None:
    job = JOB.format(timeout=timeout, interval=interval).replace(
        "(4, 2)", f"({interval}, {interval})"
    )
    job = job.replace("StreamingContext(sc, seconds)", f"StreamingContext(sc, {interval})")
    found = rewrite(job, unsafe=True)
    assert isinstance(found, Rewritten), found
    assert f"registerTimer(now - {until})" in found.text


@pytest.mark.parametrize(
    ("timeout", "interval"),
    [("float(sys.argv[3])", "1"), ("3", "int(sys.argv[3])"), ("0", "1"), ("sum(LIST)", "1")],
)
def test_a_timeout_that_is_not_known_stays(timeout: str, interval: str) -> None:
    job = JOB.format(timeout=timeout, interval=interval).replace("(4, 2)", "(seconds, seconds)")
    found = rewrite(job, unsafe=True)
    assert isinstance(found, Reason)
    assert found.code in ("TIMEOUT", "DURATION")
