"""Jobs that remember, killed and started again in real time."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from tests.support.legacy.harness import Block, Lines, LineServer, add_up, blocks, run_job, settled

pytestmark = pytest.mark.slow

WORDS = ["spark storm flink", "flink spark", "a spark and a storm", "beam"]


def last_values(lines: Lines) -> dict[str, int]:
    printed = blocks(lines)
    return dict(printed[-1].values()) if printed else {}


def test_stateful_network_wordcount(server: LineServer, tmp_path: Path) -> None:
    """Only ours: DStreams lose what a socket received before it was killed."""
    args = ["127.0.0.1", server.port, tmp_path / "checkpoint"]
    text = WORDS * 6
    # the job starts from 100 times spark and 3 times storm
    expected = Counter(word for line in text for word in line.split())
    expected.update({"spark": 100, "storm": 3})
    server.send(text)

    with run_job("compat", "stateful_network_wordcount.py", args, tmp_path) as job:
        job.wait_until(
            settled(lambda lines: sum(last_values(lines).values()) >= expected.total(), 1),
            "all words are in the totals",
        )
        assert last_values(job.stdout) == expected
        assert grows(blocks(job.stdout))
        # killed in the middle of more: what it had shown is a lower bound of what it kept
        server.send(["storm!", *WORDS])
        server.wait_sent()
    server.wait_disconnected()

    with run_job("compat", "stateful_network_wordcount.py", args, tmp_path) as job:
        job.wait_until(settled(lambda lines: bool(last_values(lines)), 2), "a batch after recovery")
        known = last_values(job.stdout)
        assert known in stages(expected, ["storm!", *WORDS])
        # a word taken out of the state starts from zero when it comes back
        server.send(["storm!", "spark"])
        job.wait_until(lambda lines: "storm" not in last_values(lines), "storm is forgotten")
        server.send(["storm"])
        job.wait_until(lambda lines: "storm" in last_values(lines), "storm is back")
        assert last_values(job.stdout) == known | {"storm": 1, "spark": known["spark"] + 1}


def stages(totals: Counter[str], lines: list[str]) -> list[dict[str, int]]:
    """The states after none, one, two... of the lines: whole lines are kept or lost, in order."""
    now = dict(totals)
    found = [dict(now)]
    for line in lines:
        for word in line.split():
            if word.endswith("!"):
                now.pop(word[:-1], None)
            else:
                now[word] = now.get(word, 0) + 1
        found.append(dict(now))
    return found


def grows(printed: list[Block]) -> bool:
    """Totals never fall, and the state is shown in every batch, data or not."""
    states = [dict(block.values()) for block in printed]
    return all(
        before.get(word, 0) <= total
        for before, after in itertools.pairwise(states)
        for word, total in after.items()
    ) and all({"spark", "storm"} <= state.keys() for state in states)


@pytest.mark.full
def test_recoverable_network_wordcount(server: LineServer, tmp_path: Path) -> None:
    args = ["127.0.0.1", server.port, tmp_path / "checkpoint", tmp_path / "counts.txt"]
    first, second = WORDS * 6, ["beam me up", "a spark of hope"] * 3
    totals = Counter(word for line in first for word in line.split())
    server.send(first)

    with run_job("compat", "recoverable_network_wordcount.py", args, tmp_path) as job:
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
    with run_job("compat", "recoverable_network_wordcount.py", args, tmp_path) as job:
        job.wait_until(
            settled(lambda lines: sum(last_values(lines).values()) >= totals.total()),
            "the new words are added to the old totals",
        )
        assert last_values(job.stdout) == totals
        assert "no checkpoint yet, making a new context" not in job.stdout


def written(output: Path) -> dict[str, int]:
    rows = [line.split("\t") for line in output.read_text().splitlines()]
    return add_up((word, int(count)) for _, word, count in rows)
