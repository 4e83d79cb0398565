"""Runs jobs of Structured Streaming under a scripted clock, and records what their batches give."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import signal
import threading
import time
import traceback
from pathlib import Path
from typing import Any

from pyspark import RDD, SparkContext
from pyspark.sql import SparkSession

from dstream_compat.testing import query_clock
from dstream_compat.testing.capture import not_by_the_job, watch_files
from dstream_compat.testing.captured_rdds import watch_rdds
from dstream_compat.testing.query_sources import Replaced
from tests.support.legacy.scripts import Scripts, appear, empty, workers_import
from tests.support.waiting import DEADLINE

PORT = 9999


class Results(Scripts):
    """Runs the jobs as they were rewritten.

    Parameters
    ----------
    connect : bool
        on Spark Connect, whose server then runs in the JVM of this process
    """

    def __init__(self, connect: bool) -> None:
        self._connect = connect
        self._replaced = Replaced()
        if connect:
            # only this process sees it, not its JVM: a port of its own for the server
            os.environ["SPARK_TESTING"] = "1"
            os.environ["SPARK_REMOTE"] = "local[2]"
            from pyspark.sql.connect.streaming import readwriter
        else:
            from pyspark.sql.streaming import readwriter  # type: ignore[no-redef]

            watch_rdds(RDD)
        self._replaced.readers(readwriter.DataStreamReader)
        self._replaced.writers(readwriter.DataStreamWriter)
        self._replaced.prepare = self._prepare
        self._replaced.clients(importlib.import_module("paho.mqtt.client"))
        watch_files()

    def run(self, job: dict[str, Any], folder: Path, events: Path | None = None) -> dict[str, Any]:
        """Run one job; return how it ended."""
        assert events is not None
        empty(folder)
        os.chdir(folder)
        self._step_events, self._events_file = [], events
        self._problems, self._error, self._sessions = [], [], []
        self._time = query_clock.SharedTime()
        self._ended = threading.Event()
        self._started_one = threading.Event()
        variables = dict(os.environ)
        known = {"PORT": str(PORT), "FOLDER": str(folder), "BROKER": "127.0.0.1:1"}
        args = [str(arg).format_map(known) for arg in job["args"]]
        with not_by_the_job():
            for name, text in job.get("files", {}).items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(text, encoding="utf-8")
        for step in job["steps"]:
            for name in step.get("files", {}):
                Path(name).parent.mkdir(parents=True, exist_ok=True)
        root = Path(job["root"])
        places = {
            "folder": str(folder),
            "script": str(root / job["script"]),
            "events": str(events),
        }
        triggers = job.get("triggers", [job["interval"]])
        in_milliseconds = [round(each * 1000) for each in triggers]
        self._replaced.begin(places, round(job["interval"] * 1000), in_milliseconds)
        workers_import([root])
        player = threading.Thread(target=self._guard_queries, args=(job,), daemon=True)
        player.start()
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                code = self._script(root, job, args, [root])
        finally:
            self._ended.set()
            self._started_one.set()
            player.join(DEADLINE)
            self._stop_spark()
            os.environ.clear()
            os.environ.update(variables)
        return {
            "stdout": out.getvalue(),
            "code": code,
            "problems": [*self._problems, *self._replaced.problems],
            "error": self._error,
            "events": self._step_events,
        }

    def _prepare(self, session: Any) -> None:
        if session not in self._sessions:
            self._sessions.append(session)
            query_clock.script(session, self._time, self._problems)
        self._started_one.set()

    def _guard_queries(self, job: dict[str, Any]) -> None:
        try:
            if self._started_one.wait(DEADLINE) and not self._ended.is_set():
                self._play_queries(job)
        except BaseException:
            self._note(traceback.format_exc())
        for query in self._replaced.started if job["end"] == "stop" else ():
            try:
                query.stop()
            except Exception as error:
                self._note(f"a query cannot be stopped: {error!r}")

    def _play_queries(self, job: dict[str, Any]) -> None:
        interval = round(job["interval"] * 1000)
        self._wait_for_all(job.get("queries", 1))
        read = self._new_events(0, 0)
        for number, step in enumerate(job["steps"], 1):
            lines = step.get("lines") or {}
            lines = {0: lines} if isinstance(lines, list) else {int(k): v for k, v in lines.items()}
            if 0 in lines:
                lines[PORT] = lines.pop(0)
            given = {f"socket:{port}": texts for port, texts in lines.items()}
            for kind in ("kafka", "mqtt"):
                given |= {f"{kind}:{topic}": own for topic, own in step.get("records", {}).items()}
            for one in self._replaced.inputs:
                one.add(number, number * interval, given)
            # results compare times of files with that of their start
            appear(step.get("files", {}), time.time())
            self._time.advance(interval)
            read = self._new_events(number, read)
            for query in self._replaced.started:
                if error := query.exception():
                    raise AssertionError(f"interval {number}: {error}")
        if job["end"] == "SIGTERM":
            os.kill(os.getpid(), signal.SIGTERM)
        if job["end"] == "itself" and not self._ended.wait(DEADLINE):
            raise AssertionError("the job does not end by itself")

    def _wait_for_all(self, count: int) -> None:
        """Wait until the job has started all its queries."""
        pause = threading.Event()
        while len(self._replaced.started) < count and not self._ended.is_set():
            pause.wait(0.01)
        self._time.settle()

    def _new_events(self, step: int, read: int) -> int:
        lines = self._events_file.read_text(encoding="utf-8").splitlines()
        self._step_events += [json.loads(line) | {"step": step} for line in lines[read:]]
        return len(lines)

    def _stop_spark(self) -> None:
        if self._connect:
            from pyspark.sql.connect.session import SparkSession as Remote

            if Remote._default_session is not None:
                Remote._default_session.stop()
        if SparkSession._instantiatedSession is not None:
            SparkSession._instantiatedSession.stop()
        if SparkContext._active_spark_context is not None:
            SparkContext._active_spark_context.stop()
