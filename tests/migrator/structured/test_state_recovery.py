"""A rewritten job with state that is killed goes on with exactly the state that it had.

The jobs are goldens that run as they are, as processes of their own. They are killed with SIGKILL
after a batch was planned, done or not, and started again with the same checkpoint folder.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.support.legacy.harness import ROOT, environment, session_end

GOLDENS = Path(__file__).parent / "goldens"
DEADLINE = 300.0
FILES = [
    "spark Storm storm\nflink!\n",
    "storm storm kafka\nbeam Beam\n",
    "spark\nkafka kafka samza\n",
    "flink heron!\nspark spark\n",
    "last spark\n",
]
KNOWN_BEFORE = {"spark": 100, "storm": 3}


def counted(texts: list[str]) -> dict[str, int]:
    return dict(
        Counter(word for text in texts for line in text.splitlines() for word in line.split(" "))
    )


def forgotten(texts: list[str]) -> dict[str, int]:
    totals = dict(KNOWN_BEFORE)
    for token in " ".join(texts).split():
        word = token.rstrip("!").lower()
        totals[word] = 0 if token.endswith("!") else totals.get(word, 0) + 1
    return {word: total for word, total in totals.items() if total}


JOBS: dict[str, Callable[[list[str]], dict[str, int]]] = {
    "state_count": counted,
    "state_recover": forgotten,
}


def appear(folder: Path, number: int, text: str) -> None:
    draft = folder.parent / f"draft-{number}"
    draft.write_text(text, encoding="utf-8")
    draft.rename(folder / f"{number}.txt")


def tables(output: Path) -> list[dict[str, int]]:
    """The complete tables that a job has shown."""
    found: list[dict[str, int]] = []
    rules = 0
    for line in output.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("+--"):
            rules += 1
            if rules % 3 == 1:
                rows: dict[str, int] = {}
            elif rules % 3 == 0:
                found.append(rows)
        elif line.startswith("|") and rules % 3 == 2:
            word, total = (each.strip() for each in line.strip("|").split("|"))
            rows[word] = int(total)
    return found


def wait_for(what: str, process: subprocess.Popen[bytes], done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not done():
        with contextlib.suppress(subprocess.TimeoutExpired):
            raise AssertionError(
                f"not reached: {what}; the process ended with {process.wait(0.05)}"
            )
        assert time.monotonic() < deadline, f"not reached: {what}"


def planned(checkpoint: Path, kind: str) -> int:
    folder = checkpoint / kind
    return sum(each.name.isdigit() for each in folder.iterdir()) if folder.is_dir() else 0


def exceeds(checkpoint: Path, kind: str, number: int) -> bool:
    return planned(checkpoint, kind) > number


def has_shown(output: Path, expected: dict[str, int]) -> bool:
    return expected in tables(output)


@contextlib.contextmanager
def running(name: str, folder: Path, run: int) -> Iterator[subprocess.Popen[bytes]]:
    """The process of a rewritten golden; SIGKILL ends it, its JVM and the workers."""
    settings = [
        f"--conf {key}={value}"
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "2",
        }.items()
    ]
    variables = environment("spark") | {
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYSPARK_SUBMIT_ARGS": " ".join(["--master local[2]", *settings, "pyspark-shell"]),
    }
    script = GOLDENS / name / "after.py"
    output = folder / f"output-{run}"
    with output.open("wb") as out, (folder / f"log-{run}").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, str(script), str(folder / "in"), str(folder / "checkpoint")],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        session_end(process)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["state_recover", "state_count"])
@pytest.mark.full
def test_state_survives_sigkill(name: str, tmp_path: Path) -> None:
    folder, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    folder.mkdir()
    expected = JOBS[name](FILES)
    appear(folder, 0, FILES[0])
    for run, kind in enumerate(["offsets", "commits", "offsets", ""]):
        output = tmp_path / f"output-{run}"
        with running(name, tmp_path, run) as process:
            before = planned(checkpoint, kind) if kind else 0
            appear(folder, run + 1, FILES[run + 1])
            if kind:
                wait_for(kind, process, partial(exceeds, checkpoint, kind, before))
            else:
                wait_for(str(expected), process, partial(has_shown, output, expected))
                assert tables(output)[-1] == expected


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("name", ["state_recover", "state_count", "files_window"])
def test_more_keys_than_are_shown(name: str, tmp_path: Path) -> None:
    """`show` reads the first partitions only; the state of all is saved in each batch."""
    folder, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    folder.mkdir()
    with running(name, tmp_path, 0) as process:
        for number in range(3):
            before = planned(checkpoint, "commits")
            appear(folder, number, "".join(f"word{word}\n" for word in range(300)))
            wait_for("a batch", process, partial(exceeds, checkpoint, "commits", before))
