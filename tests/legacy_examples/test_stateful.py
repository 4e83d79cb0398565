"""Jobs that remember: what the last batch shows, and what windows add up to."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.legacy_examples.harness import (
    Block,
    Job,
    Lines,
    LineServer,
    add_up,
    blocks,
    run_job,
    settled,
    values,
)

pytestmark = pytest.mark.slow

WORDS = ["spark storm flink", "flink spark", "a spark and a storm", "beam"]


def last_values(lines: Lines) -> dict[str, int]:
    printed = blocks(lines)
    return dict(printed[-1].values()) if printed else {}


def test_stateful_network_wordcount(engine: str, server: LineServer, tmp_path: Path) -> None:
    text = WORDS * 6
    # the job starts from 100 times spark and 3 times storm
    expected = Counter(word for line in text for word in line.split())
    expected.update({"spark": 100, "storm": 3})
    server.send(text)

    with run_job(
        engine,
        "stateful_network_wordcount.py",
        ["127.0.0.1", server.port, tmp_path / "checkpoint"],
        tmp_path,
    ) as job:
        job.wait_until(
            settled(lambda lines: sum(last_values(lines).values()) >= expected.total(), 3),
            "all words are in the totals",
        )
        assert last_values(job.stdout) == expected
        assert grows(blocks(job.stdout))

        # a word taken out of the state starts from zero when it comes back
        server.send(["storm!"])
        job.wait_until(lambda lines: "storm" not in last_values(lines), "storm is forgotten")
        server.send(["storm spark"])
        job.wait_until(lambda lines: "storm" in last_values(lines), "storm is back")
        expected["storm"] = 1
        expected["spark"] += 1
        assert last_values(job.stdout) == expected


def grows(printed: list[Block]) -> bool:
    """Totals never fall, and the state is shown in every batch, data or not."""
    states = [dict(block.values()) for block in printed]
    return all(
        before.get(word, 0) <= total
        for before, after in itertools.pairwise(states)
        for word, total in after.items()
    ) and all({"spark", "storm"} <= state.keys() for state in states)


WINDOW, SLIDE = 5, 1


def test_windowed_wordcount(engine: str, server: LineServer, tmp_path: Path) -> None:
    text = WORDS * 6
    # wherever a batch ends, it is part of WINDOW / SLIDE windows
    times = WINDOW // SLIDE
    words = Counter(word for line in text for word in line.split())
    expected = {word: count * times for word, count in words.items()}
    server.send(text)

    with run_job(
        engine,
        "windowed_wordcount.py",
        ["127.0.0.1", server.port, WINDOW, SLIDE],
        tmp_path,
    ) as job:
        job.wait_until(
            settled(
                lambda lines: (
                    sum(n for tag, n in map(ends, values(lines)) if tag == "lines")
                    >= len(text) * times
                )
            ),
            "every line has left the window",
        )

        seen = values(job.stdout)
        assert add_up((v[1], v[2]) for v in seen if v[0] == "kept") == expected
        assert add_up((v[1], v[2]) for v in seen if v[0] == "fresh") == expected
        assert sum(v[1] for v in seen if v[0] == "lines") == len(text) * times

        # with the inverse function a word stays with the count 0, without it the word vanishes
        last = {tag: last_tagged(job, tag) for tag in ("kept", "fresh", "lines")}
        assert {v[1]: v[2] for v in last["kept"]} == dict.fromkeys(words, 0)
        assert last["fresh"] == []
        assert [v[1] for v in last["lines"]] == [0]


def ends(value: tuple[object, ...]) -> tuple[object, int]:
    last = value[-1]
    assert isinstance(last, int)
    return value[0], last


def last_tagged(job: Job, tag: str) -> list[tuple[object, ...]]:
    """The elements with this tag in the last batch that all three outputs printed."""
    printed = blocks(job.stdout)
    complete = [block.time for block in printed]
    time = next(t for t in reversed(complete) if complete.count(t) == 3)
    return [v for block in printed if block.time == time for v in block.values() if v[0] == tag]


def test_recoverable_network_wordcount(engine: str, server: LineServer, tmp_path: Path) -> None:
    args = ["127.0.0.1", server.port, tmp_path / "checkpoint", tmp_path / "counts.txt"]
    first, second = WORDS * 6, ["beam me up", "a spark of hope"] * 3
    totals = Counter(word for line in first for word in line.split())
    server.send(first)

    with run_job(engine, "recoverable_network_wordcount.py", args, tmp_path) as job:
        job.wait_until(
            settled(
                lambda lines: (
                    sum(last_values(lines).values()) >= totals.total()
                    and lines[-1].startswith("left out so far: ")
                )
            ),
            "all words are in the totals",
        )
        assert last_values(job.stdout) == totals
        assert "no checkpoint yet, making a new context" in job.stdout
        common = totals["a"] + totals["and"]
        assert [line for line in job.stdout if line.startswith("left out")][-1] == (
            f"left out so far: {common}"
        )
        assert written(tmp_path / "counts.txt") == {
            word: count for word, count in totals.items() if word not in ("a", "and")
        }
    # leaving the block killed the job with SIGKILL, in the middle of whatever it did

    server.wait_disconnected()

    totals.update(word for line in second for word in line.split())
    server.send(second)
    with run_job(engine, "recoverable_network_wordcount.py", args, tmp_path) as job:
        job.wait_until(
            settled(lambda lines: sum(last_values(lines).values()) >= totals.total()),
            "the new words are added to the old totals",
        )
        assert last_values(job.stdout) == totals
        assert "no checkpoint yet, making a new context" not in job.stdout


def written(output: Path) -> dict[str, int]:
    rows = [line.split("\t") for line in output.read_text().splitlines()]
    return add_up((word, int(count)) for _, word, count in rows)


def test_clickstream(engine: str, server: LineServer, tmp_path: Path) -> None:
    clicks = [
        {"user": user, "page": page, "ms": ms}
        for user, page, ms in [
            ("ann", "/shop/shoes", 120),
            ("ann", "/shop/cart", 900),
            ("bob", "/", 80),
            ("cy", "/help/", 700),
            ("bob", "/shop/cart", 501),
            ("bob", "/shop/cart", 500),
        ]
    ] * 3
    broken = ["", "not json", '{"user": "ann"}', "[1]"]
    window = 3

    server.send([json.dumps(click) for click in clicks] + broken)
    with run_job(engine, "clickstream/job.py", ["127.0.0.1", server.port, window], tmp_path) as job:
        job.wait_until(
            settled(
                lambda lines: (
                    sum(v[2] for v in values(lines) if v[0] == "visit") >= len(clicks) * window
                )
            ),
            "every click has left the window",
        )
        server.send(["quit"])
        assert job.wait_exit() == 0

    seen = values(job.stdout)
    visits = [v for v in seen if v[0] == "visit"]
    assert add_up((v[1], v[2]) for v in visits) == {
        user: window * sum(click["user"] == user for click in clicks)
        for user in ("ann", "bob", "cy")
    }
    assert sum(v[3] for v in visits) == window * sum(int(str(click["ms"])) for click in clicks)
    assert add_up((v[1], v[2]) for v in seen if v[0] == "slow") == {
        "/shop/cart": 6,
        "/help/": 3,
    }
    assert [line for line in job.stdout if line.startswith("TOTAL")] == [
        "TOTAL help 3",
        "TOTAL home 3",
        "TOTAL shop 12",
    ]
