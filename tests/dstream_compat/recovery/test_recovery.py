"""SIGKILL and restart: state exact, replays identical, no setup call."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.support.streaming.processes import run_job
from tests.support.streaming.recovery_log import read_log


def write_inputs(folder: Path) -> None:
    """Write one file per second of the manual clock; second 3 is idle."""
    folder.mkdir()
    texts = {1: "a b a\n", 2: "b c\n", 4: "a a a\nd\n", 5: "c\n", 6: "e a\n", 8: "b\n"}
    for second, text in texts.items():
        path = folder / f"part-{second}"
        path.write_text(text)
        os.utime(path, (second, second))


@pytest.mark.slow
@pytest.mark.full
def test_recovery_under_another_parallelism(tmp_path: Path) -> None:
    """Partitions, and where state is, are those of the process that made the graph."""
    write_inputs(tmp_path / "in")

    def live(name: str, intervals: int, death: float, *spark: str) -> int:
        places = [str(tmp_path / place) for place in (name, "in", f"{name}.log")]
        ended = run_job("recovery", *places, str(intervals), str(death), "plain", *spark)
        assert ended.code in (0, -signal.SIGKILL), ended.err[-3000:]
        assert ("setup was called" in ended.out) == (intervals == 2 or name == "calm")
        return ended.code

    lives = [(2, 0.0, "local[2]", ""), (5, 4.0, "local[1]", "7"), (6, 0.0, "local[1]", "")]
    lives += [(7, 0.0, "local[4]", "1"), (8, 0.0, "local[3]", "")]
    assert live("calm", 8, 0) == 0
    codes = [live("moved", *life) for life in lives]
    assert codes == [0, -signal.SIGKILL, 0, 0, 0]
    expected, log = read_log(tmp_path / "calm.log"), read_log(tmp_path / "moved.log")
    assert {batch: seen[0] for batch, seen in log.items()} == {
        batch: seen[0] for batch, seen in expected.items()
    }
    assert all(content == seen[0] for seen in log.values() for content in seen)
    assert len(log["counts", 4.0]) == 2, "the batch of the crash ran again"


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("where", ["plain", "behind"])
def test_crash_inside_a_catch_up_replays_identically(tmp_path: Path, where: str) -> None:
    write_inputs(tmp_path / "in")

    def args(name: str, intervals: int, death: float) -> list[str]:
        place = tmp_path / name
        return [
            str(place),
            str(tmp_path / "in"),
            str(tmp_path / f"{name}.log"),
            str(intervals),
            str(death),
            where,
        ]

    undisturbed = run_job("recovery", *args("calm", 8, 0))
    assert undisturbed.code == 0, undisturbed.err[-3000:]
    expected = read_log(tmp_path / "calm.log")
    assert all(len(seen) == 1 for seen in expected.values())
    assert expected["counts", 8.0] == [[["a", 6], ["b", 3], ["c", 2], ["d", 1], ["e", 1]]]

    first = run_job("recovery", *args("hurt", 2, 0))
    assert first.code == 0, first.err[-3000:]
    killed = run_job("recovery", *args("hurt", 5, 4.0))
    assert killed.code == -signal.SIGKILL, killed.err[-3000:]
    again = run_job("recovery", *args("hurt", 7, 4.0))
    assert again.code == -signal.SIGKILL, "the replay contains the same batch"
    last = run_job("recovery", *args("hurt", 8, 0))
    assert last.code == 0, last.err[-3000:]
    for run in (killed, again, last):
        assert "setup was called" not in run.out
    assert "setup was called" in first.out

    log = read_log(tmp_path / "hurt.log")
    assert set(log) == set(expected)
    for batch, seen in log.items():
        for content in seen:
            assert content == expected[batch][0], batch
    # Intervals of one micro-batch run again together, those of a query behind it one by one.
    assert len(log["counts", 3.0]) == (3 if where == "plain" else 1)
    assert len(log["counts", 4.0]) == 3, "the interval of the crash ran in each attempt"
    assert len(log["counts", 8.0]) == 1


@pytest.mark.slow
@pytest.mark.full
def test_a_crash_with_blocks_of_texts(tmp_path: Path) -> None:
    """Functions that are computed on blocks give what they give record by record, and again."""
    write_inputs(tmp_path / "in")

    def live(name: str, intervals: int, death: float, native: str) -> int:
        places = [str(tmp_path / place) for place in (name, "in", f"{name}.log")]
        spark = ["local[2]", "", native]
        ended = run_job("recovery", *places, str(intervals), str(death), "plain", *spark)
        assert ended.code in (0, -signal.SIGKILL), ended.err[-3000:]
        return ended.code

    assert live("calm", 8, 0.0, "never") == 0
    lives = [(2, 0.0, "always"), (5, 4.0, "always"), (6, 0.0, "never"), (8, 0.0, "always")]
    assert [live("hurt", *life) for life in lives] == [0, -signal.SIGKILL, 0, 0]
    expected, log = read_log(tmp_path / "calm.log"), read_log(tmp_path / "hurt.log")
    assert log.keys() == expected.keys()
    for batch, seen in log.items():
        assert all(content == expected[batch][0] for content in seen), batch
    assert len(log["counts", 4.0]) == 2, "the batch of the crash ran again"
