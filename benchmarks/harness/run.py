"""One engine's process, seen from the harness: started, asked, paused and ended."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from .figures import Measured
from .job import Place
from .processes import PeakMemory, send

ROOT: Final = Path(__file__).resolve().parents[2]
_LOG_END: Final = 3000


class RunFailed(Exception):
    """The process of an engine failed; the text has its traceback and the end of its log."""


class Run:
    """A job on one engine.

    The process is paused between its turns, so that it takes nothing from the others.

    Parameters
    ----------
    job : str
        its name
    place : Place
        where it runs
    """

    def __init__(self, job: str, place: Place) -> None:
        self._name = f"{job} on {place.engine}"
        self._folder = place.folder
        self._log = place.folder / "log"
        self._first: float | None = None
        temporary = place.folder / "tmp"
        temporary.mkdir(parents=True)
        given = {"job": job, **asdict(place), "folder": str(place.folder)}
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYSPARK_PYTHON": sys.executable,  # else the workers of DStreams are any python3
            "SPARK_LOCAL_IP": "127.0.0.1",
            "TMPDIR": str(temporary),
            "XDG_CACHE_HOME": str(temporary),  # no archive of classes, which the others lack
        }
        with self._log.open("wb") as log:
            self._started = time.monotonic()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.harness.child", json.dumps(given)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=place.folder,
                env=environment,
                text=True,
                # the kernel hangs up a group with stopped processes whose leader's parent ends
                start_new_session=True,
            )
        self._paused = False

    def step(self, measure: str) -> Measured:
        """Run one round of a measure; returns it with the peak memory.

        Raises
        ------
        RunFailed
            if the engine failed
        """
        if self._paused:
            send(self._process.pid, signal.SIGCONT)
            self._paused = False
        assert self._process.stdin is not None and self._process.stdout is not None
        with PeakMemory(self._process.pid) as memory:
            try:
                self._process.stdin.write(measure + "\n")
                self._process.stdin.flush()
            except BrokenPipeError:
                line = ""
            else:
                line = self._process.stdout.readline()
        found: dict[str, Any] = json.loads(line) if line else {"error": "it ended"}
        if "error" in found:
            tail = self._log.read_text(errors="replace")[-_LOG_END:]
            raise RunFailed(f"{self._name} failed: {found['error']}\n{tail}")
        measured = Measured.from_json(found["measured"])
        figures = {**measured.figures, "memory": memory.peak}
        if self._first is None and measured.first is not None:
            self._first = figures["first"] = measured.first - self._started
        return replace(measured, figures=figures)

    def pause(self) -> None:
        """Let the process stand still until its next step."""
        send(self._process.pid, signal.SIGSTOP)
        self._paused = True

    def end(self) -> None:
        """Kill the process with its descendants and remove its files."""
        send(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(BrokenPipeError):  # a command that nobody has read
                assert pipe is not None
                pipe.close()
        # what dies may still have written a file; the folder of the whole run is removed later
        shutil.rmtree(self._folder, ignore_errors=True)
