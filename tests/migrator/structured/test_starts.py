"""What a result does when it starts: as a process, twice, with what is there from before."""

from __future__ import annotations

import socket
from functools import partial
from pathlib import Path

import pytest

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.processes import appear, running, tables, wait_for

pytestmark = pytest.mark.slow

HEAD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""
ANEW = (
    HEAD
    + """\
sc = SparkContext(appName="Anew")
ssc = StreamingContext(sc, 1)
{checkpoint}
lines = ssc.textFileStream("in")
lines.saveAsTextFiles("lines")
ssc.start()
ssc.awaitTermination()
"""
)
COUNTING = ANEW.replace(
    "ssc.start()",
    "counts = lines.map(lambda line: (line, 1)).updateStateByKey(\n"
    "    lambda new, old: sum(new) + (old or 0))\n"
    'counts.map(lambda kv: "%s %d" % kv).saveAsTextFiles("counts", "txt")\nssc.start()',
)
RECOVERED = (
    HEAD
    + """\
def create():
    sc = SparkContext(appName="Recovered")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    ssc.textFileStream("in").saveAsTextFiles("lines", "txt")
    return ssc


ssc = StreamingContext.getOrCreate("checkpoint", create)
ssc.start()
ssc.awaitTermination()
"""
)
WRITTEN = '.text(f"lines-{batch_id}.txt")\n'
DIES = """\
    import os
    import pathlib
    import signal

    if pathlib.Path("die").exists():
        pathlib.Path("die").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
"""


def result(text: str, name: str, folder: Path) -> Path:
    found = rewrite(text, name=name)
    assert isinstance(found, Rewritten), found
    (folder / "in").mkdir()
    script = folder / f"{name}.py"
    script.write_text(found.text, encoding="utf-8")
    return script


def saved(folder: Path, pattern: str) -> dict[str, list[str]]:
    """The lines of the folders that were written whole."""
    return {
        each.parent.name: [
            line for part in sorted(each.parent.glob("part-*")) for line in part.open().readlines()
        ]
        for each in folder.glob(f"{pattern}/_SUCCESS")
    }


def all_saved(folder: Path, pattern: str) -> list[str]:
    return sorted(line for lines in saved(folder, pattern).values() for line in lines)


def has_saved(folder: Path, lines: list[str]) -> bool:
    return all_saved(folder, "lines-*") == lines


def has_begun(folder: Path, before: int) -> bool:
    """Whether there is a batch of what was in the folder."""
    return len(saved(folder, "lines-*")) > before


def has_planned(folder: Path, runs: int, kind: str = "metadata") -> bool:
    return len(list(folder.glob(f"checkpoint/*/{kind}"))) >= runs


@pytest.mark.parametrize(
    "checkpoint", ['ssc.checkpoint("checkpoint")', "ssc.remember(60)"], ids=["folder", "none"]
)
@pytest.mark.full
def test_saved_files_of_two_starts(checkpoint: str, tmp_path: Path) -> None:
    """The second start has names of its own, and reads neither what is there nor what was."""
    script = result(ANEW.format(checkpoint=checkpoint), "anew", tmp_path)
    appear(tmp_path / "in" / "before", "before\n")
    for run in range(2):
        before = len(saved(tmp_path, "lines-*"))
        with running(script, [], tmp_path, run) as process:
            wait_for("a start", process, partial(has_begun, tmp_path, before))
            appear(tmp_path / "in" / str(run), f"{run}\n")
            lines = [f"{each}\n" for each in range(run + 1)]
            wait_for("a batch", process, partial(has_saved, tmp_path, lines))
    assert all(len(each) == len("lines-") + 13 for each in saved(tmp_path, "lines-*"))


def test_a_start_without_get_or_create_begins_at_zero(tmp_path: Path) -> None:
    text = COUNTING.format(checkpoint='ssc.checkpoint("checkpoint")')
    script = result(text, "counting", tmp_path)
    appear(tmp_path / "in" / "before", "before\n")
    for run in range(2):
        with running(script, [], tmp_path, run) as process:
            wait_for("a start", process, partial(has_planned, tmp_path, 2 * run + 2))
            appear(tmp_path / "in" / str(run), "a\nb\na\n")
            lines = ["a\n", "a\n", "b\n"] * (run + 1)
            wait_for("a batch", process, partial(has_saved, tmp_path, sorted(lines)))
            wait_for("a count", process, partial(has_counted, tmp_path, run))
    # DStreams give all keys in every batch
    assert {*all_saved(tmp_path, "counts-*.txt")} == {"a 2\n", "b 1\n"}


def has_counted(folder: Path, before: int) -> bool:
    found = [each for each in saved(folder, "counts-*.txt").values() if each]
    return len(found) > before


def test_a_batch_that_was_saved_and_not_committed(tmp_path: Path) -> None:
    """It is written again after SIGKILL, once, in a folder of the job."""
    script = result(RECOVERED, "recovered", tmp_path)
    text = script.read_text()
    assert WRITTEN in text
    script.write_text(text.replace(WRITTEN, WRITTEN + DIES), encoding="utf-8")
    (tmp_path / "die").touch()
    appear(tmp_path / "in" / "0", "a\nb\n")
    with running(script, [], tmp_path, 0) as process:
        process.wait(300)
    assert not (tmp_path / "die").exists()
    assert has_planned(tmp_path, 1, "offsets/0")
    assert not has_planned(tmp_path, 1, "commits/0")
    with running(script, [], tmp_path, 1) as process:
        wait_for("a commit", process, partial(has_planned, tmp_path, 1, "commits/0"))
        appear(tmp_path / "in" / "1", "c\n")
        wait_for("a commit", process, partial(has_planned, tmp_path, 1, "commits/1"))
    assert saved(tmp_path, "lines-*") == {
        "lines-0.txt": ["a\n", "b\n"],
        "lines-1.txt": ["c\n"],
    }
    assert [each.name for each in (tmp_path / "checkpoint").iterdir()] == ["recovered"]


def test_lines_of_a_socket_are_shown_in_their_order(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        text = HEAD + (
            'sc = SparkContext(appName="Lines")\nssc = StreamingContext(sc, 1)\n'
            f'ssc.socketTextStream("127.0.0.1", {port}).pprint(7)\n'
            "ssc.start()\nssc.awaitTermination()\n"
        )
        script, output = result(text, "lines", tmp_path), tmp_path / "output-0"
        with running(script, [], tmp_path, 0) as process:
            peer, _ = server.accept()
            with peer:
                peer.sendall("".join(f"{each}\n" for each in range(50)).encode())
                wait_for("lines", process, lambda: any(map(len, tables(output))))
    for rows in filter(None, tables(output)):
        numbers = [int(each) for (each,) in rows]
        assert numbers == [*range(numbers[0], numbers[0] + len(numbers))][:7]
    assert len(max(tables(output), key=len)) == 7
