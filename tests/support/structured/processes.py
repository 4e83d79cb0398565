"""Runs results as processes of their own, which a test kills and starts again."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from tests.support.legacy.harness import ROOT, environment, session_end

DEADLINE = 300.0


@contextlib.contextmanager
def running(
    script: Path,
    arguments: Sequence[str],
    folder: Path,
    run: int,
    more: Mapping[str, str] = {},
) -> Iterator[subprocess.Popen[bytes]]:
    """The process of a result in a folder; SIGKILL ends it, its JVM and the workers.

    What it prints is in the file ``output-`` and the number of the run, its log in ``log-``.
    """
    settings = [
        f"--conf {key}={value}"
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "2",
            # a local master asks no executor again when the wait is over
            "spark.locality.wait": "0",
        }.items()
    ]
    variables = environment("spark") | {
        **more,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYSPARK_SUBMIT_ARGS": " ".join(["--master local[2]", *settings, "pyspark-shell"]),
    }
    with (
        (folder / f"output-{run}").open("wb") as out,
        (folder / f"log-{run}").open("wb") as log,
    ):
        process = subprocess.Popen(
            [sys.executable, str(script), *arguments],
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


def wait_for(what: str, process: subprocess.Popen[bytes], done: Callable[[], bool]) -> None:
    """Wait until something is so, while a process runs."""
    deadline = time.monotonic() + DEADLINE
    while not done():
        with contextlib.suppress(subprocess.TimeoutExpired):
            raise AssertionError(
                f"not reached: {what}; the process ended with {process.wait(0.05)}"
            )
        assert time.monotonic() < deadline, f"not reached: {what}"


def appear(file: Path, text: str) -> None:
    """Let a file appear at once."""
    draft = file.parent.parent / f"draft-{file.name}"
    draft.write_text(text, encoding="utf-8")
    draft.rename(file)


def tables(output: Path) -> list[list[list[str]]]:
    """The rows of the complete tables that a job has shown."""
    found: list[list[list[str]]] = []
    rules = 0
    for line in output.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("+--"):
            rules += 1
            if rules % 3 == 1:
                rows: list[list[str]] = []
            elif rules % 3 == 0:
                found.append(rows)
        elif line.startswith("|") and rules % 3 == 2:
            rows.append([each.strip() for each in line.strip("|").split("|")])
    return found
