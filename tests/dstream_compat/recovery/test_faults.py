"""SIGKILL at any moment: nothing is lost, state counts once, replays are the same."""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.streaming.processes import run_job
from tests.support.streaming.recovery_log import Log, read_log

pytestmark = pytest.mark.slow

FULL = bool(os.environ.get("DSTREAM_COMPAT_FULL"))
DEATHS = 25 if FULL else 1
INTERVALS = 10
"""With input; each run goes one further, so that it has something to do."""

CALLS = {"plain": 3000, "behind": 4500}
"""Calls into the JVM that a whole run makes."""


def write_inputs(folder: Path, rng: random.Random) -> list[list[str]]:
    """Write a file per second of the manual clock, but for idle ones; returns the words."""
    folder.mkdir()
    written: list[list[str]] = []
    for second in range(1, INTERVALS + 1):
        words = rng.choices("abcdefg", k=rng.choice((0, 1, 5, 9)))
        written.append(words)
        if words:
            path = folder / f"part-{second}"
            path.write_text(" ".join(words) + "\n")
            os.utime(path, (second, second))
    return written


def expired(held: dict[str, tuple[int, float]], time: float, words: list[str]) -> list[list[Any]]:
    """Return what a batch emits of counts that are given up three seconds after their last word."""
    emitted: list[list[Any]] = []
    for word in words:
        held[word] = held.get(word, (0, time))[0] + 1, time
        emitted.append([word, held[word][0]])
    for word in [word for word, (_, last) in held.items() if time > last + 3]:
        emitted.append([word, -held.pop(word)[0]])
    return emitted


def expected(written: list[list[str]]) -> Log:
    """Return what each output has to log at each time: the counts of plain Python."""
    log: Log = {}
    total: Counter[str] = Counter()
    windows: Counter[str] = Counter()
    held: dict[str, tuple[int, float]] = {}
    for number, words in enumerate(written):
        time = float(number + 1)
        log["expiring", time] = [sorted(expired(held, time, words))]
        tracked = []
        for word in words:
            total[word] += 1
            tracked.append([word, total[word]])
        windows.update(words)
        if number >= 5:
            windows.subtract(written[number - 5])
        log["counts", time] = [sorted(map(list, total.items()))]
        log["windows", time] = [sorted(map(list, windows.items()))]
        log["tracked", time] = [sorted(tracked)]
        log["snapshots", time] = log["counts", time]
        last = written[max(number - 3, 0) : number + 1]
        log["reduced windows", time] = [
            sorted([word, 1] for word in {word for words in last for word in words})
        ]
        last = written[max(number - 2, 0) : number + 1]
        log["whole windows", time] = [sorted([word, 1] for words in last for word in words)]
        if number % 2:
            sums = [[word, n] for words in last for word, n in Counter(words).items()]
            log["merged windows", time] = [sorted(sums * 2)]
    return log


@pytest.mark.parametrize("where", [pytest.param("plain", marks=pytest.mark.full), "behind"])
def test_killed_at_random_moments(tmp_path: Path, where: str) -> None:
    rng = random.Random(f"{where} 2")
    written = write_inputs(tmp_path / "in", rng)

    def run(call: int, delay: float, whom: str, pace: str) -> int:
        place = [str(tmp_path / name) for name in ("checkpoint", "in", "log")]
        point = [str(call), str(delay), whom, pace]
        done = run_job("faults", *place, str(len(written)), "0", where, *point)
        assert done.code in (0, -signal.SIGKILL), (point, done.err[-3000:])
        written.append([])
        return done.code

    codes = []
    for _ in range(DEATHS):
        delay = rng.choice((0.0, rng.uniform(0, 0.3)))
        whom, pace = rng.choice(("driver", "group")), rng.choice(("prompt", "late"))
        # what is left to do shrinks, and so does the number of calls
        call = rng.randrange(1, CALLS[where] * 9 // (10 if not codes else 36))
        codes.append(run(call, delay, whom, pace))
    killed = codes.count(-signal.SIGKILL)
    print(f"{killed} of {DEATHS} runs were killed")
    assert killed >= DEATHS / 2  # else CALLS is more than what a run makes today
    assert run(0, 0, "driver", "prompt") == 0
    written.pop()
    log = read_log(tmp_path / "log")
    wanted = expected(written)
    assert set(log) == set(wanted)
    for batch, contents in log.items():
        for content in contents:
            assert content == wanted[batch][0], batch
