"""Runs jobs under a manual clock, on one engine, and records what they print.

``python -c "from tests.support.legacy.drive import main; main()" ENGINE PLAN OUTPUT``, with a plan
of :mod:`tests.support.legacy.plans`. One process runs all jobs of the plan one after another;
they share its JVM, as jobs of one process do, so that its start is paid once. The engine is
``spark``, ``compat`` for jobs as they were, or ``migrated`` for jobs that import this package.

What the jobs call is the engine's own API with three additions: ``start`` defines one more output,
which tells when a batch is complete; the ports of sockets are those of servers in this process; the
clock moves when everything that was sent has been received.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from dstream_compat.testing.batch_marks import MARKS, mark
from dstream_compat.testing.capture import not_by_the_job
from dstream_compat.testing.engines import CompatEngine, Engine, SparkEngine, connector_owners
from tests.support.legacy.feeding import Sockets, Topics, listens, publish, put
from tests.support.legacy.scripts import Scripts, appear, empty, workers_import
from tests.support.streaming import fewer_calls
from tests.support.waiting import DEADLINE, wait_for

EXAMPLES = Path(__file__).resolve().parents[3] / "legacy_examples"
SOURCES = ("socketTextStream", "textFileStream", "queueStream")
CONNECTORS = ("createStream", "createDirectStream")
SPARKS_OWN = ("spark-warehouse", "artifacts", "metastore_db", "derby.log")


def written(folder: Path) -> dict[str, list[str]]:
    """Return the lines of every visible file that a job left, but for its checkpoints."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8").splitlines()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.name.startswith(".")
        and path.suffix != ".pyc"
        and "checkpoint" not in path.relative_to(folder).parts[0]
        and path.relative_to(folder).parts[0] not in SPARKS_OWN
    }


class Runner(Scripts):
    """Runs jobs; `engine` says how to look into their context."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._inputs: list[Any] = []
        self._started: Any = None
        self._ready = threading.Event()
        self._ended = threading.Event()
        super().__init__()
        self._marks = True
        self._sockets = Sockets()
        start = engine.context.start

        def marking(context: Any) -> None:
            if self._inputs and self._marks:
                engine.stream.foreachRDD(self._inputs[-1], mark)
            start(context)
            self._started = context
            self._ready.set()

        engine.context.start = marking
        for name in SOURCES:
            self._remember(engine.context, name)

    def _remember(self, owner: Any, name: str) -> None:
        make = getattr(owner, name)

        @functools.wraps(make)
        def method(*args: Any, **options: Any) -> Any:
            if name == "socketTextStream" and len(args) == 3:
                context, _, port = args
                args = (context, "127.0.0.1", self._sockets.wanted(port))
            self._inputs.append(make(*args, **options))
            return self._inputs[-1]

        setattr(owner, name, staticmethod(method) if name in CONNECTORS else method)

    def remember_connectors(self) -> None:
        """Let streams of other servers tell when batches are complete, too."""
        for owner in connector_owners(self._engine):
            for name in CONNECTORS:
                if hasattr(owner, name):
                    self._remember(owner, name)

    def run(self, job: dict[str, Any], folder: Path) -> dict[str, Any]:
        """Run one job in its folder; return what it printed, left and raised."""
        if not job.get("again"):
            empty(folder)
        os.chdir(folder)
        MARKS.open()
        self._ready.clear()
        self._ended.clear()
        self._started = None
        self._inputs, self._problems, self._error = [], [], []
        self._marks = job["end"] != "fails"
        self._sockets = Sockets()
        broker, variables = os.environ.get("TEST_KAFKA", ""), dict(os.environ)
        known = {"PORT": str(self._sockets.port(0)), "FOLDER": str(folder), "BROKER": broker}
        args = [str(arg).format_map(known) for arg in job["args"]]
        with not_by_the_job():
            for name, text in job.get("files", {}).items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(text.replace("{BROKER}", broker), encoding="utf-8")
        before = written(folder)
        player = threading.Thread(target=self._guard, args=(job,), daemon=True)
        if job["end"] != "exits":
            player.start()
        root = Path(job.get("root", EXAMPLES))
        folders = [(root / job["script"]).parent, *(root / one for one in job.get("paths", ()))]
        workers_import(folders)
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                code = self._script(root, job, args, folders)
        finally:
            self._ended.set()
            MARKS.close()
            self._ready.set()
            if player.ident is not None:
                player.join(DEADLINE)
            if self._started is not None:
                self._started.stop(True, False)
            if (left := SparkContext._active_spark_context) is not None:
                left.stop()
            self._sockets.close()
            os.environ.clear()
            os.environ.update(variables)
        return {
            "stdout": out.getvalue(),
            "code": code,
            "problems": self._problems,
            "error": self._error,
            "files": {k: v for k, v in written(folder).items() if before.get(k) != v},
        }

    def _guard(self, job: dict[str, Any]) -> None:
        try:
            if self._ready.wait(DEADLINE) and self._started is not None:
                self._play(job)
            elif job["end"] != "fails":
                raise AssertionError("the job did not start")
        except BaseException:
            self._note(traceback.format_exc())
        if not self._ended.is_set() and self._started is not None and job["end"] == "stop":
            # only the streams: PySpark fails if the job stops Spark at the same time
            self._started.stop(False, False)

    def _settle(self, ssc: Any, at: int) -> None:
        """Wait until a batch is in the checkpoint, which DStreams write after its outputs."""
        folder = self._engine.checkpoint_folder(ssc)
        if folder is not None:
            done = Path(folder.removeprefix("file:"), f"checkpoint-{at}")
            wait_for(done.exists, f"{done} is written")

    def _play(self, job: dict[str, Any]) -> None:
        ssc, step = self._started, round(job["interval"] * 1000)
        passed = round(job.get("since", 0) * 1000)
        topics = Topics()
        self._sockets.accept()
        if isinstance(self._engine, CompatEngine):
            wait_for(lambda: all(map(listens, ssc._job.inputs)), "its receivers listen")
        for number, entry in enumerate(job["steps"], 1):
            sent = publish(entry.get("messages", {})) + put(entry.get("puts", {}))
            if lines := entry.get("lines"):
                if isinstance(lines, list):
                    lines = {self._sockets.first(): lines}
                sent += self._sockets.send({int(port): texts for port, texts in lines.items()})
            if sent:
                wait_for(
                    lambda sent=sent: self._engine.count_received(ssc, len(self._inputs)) == sent,
                    f"{sent} records of step {number} are received",
                )
            at = passed + number * step
            appear(entry.get("files", {}), (at - step / 2) / 1000)
            topics.send(entry.get("records", {}))
            self._engine.advance(ssc, step)
            MARKS.wait(at, DEADLINE)
        topics.close()
        if job["steps"]:
            self._settle(ssc, passed + len(job["steps"]) * step)
        if job["end"] == "SIGTERM":
            os.kill(os.getpid(), signal.SIGTERM)
        if job["end"] != "stop":
            # it stops by itself, gracefully: that takes the end of the interval
            pause = threading.Event()
            while not self._ended.is_set():
                with contextlib.suppress(Exception):
                    self._engine.advance(ssc, step)
                pause.wait(0.1)


def main() -> None:
    """Run a plan: a JSON list of jobs; write a JSON object of what each one did."""
    name, plan, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    engine = SparkEngine() if name == "spark" else CompatEngine(installed=name == "compat")
    fewer_calls.install()
    runner = Runner(engine)
    if name == "migrated":
        runner.remember_connectors()
    results = [
        runner.run(job, Path(job.get("folder", output.parent / name / str(number))))
        for number, job in enumerate(json.loads(plan.read_text(encoding="utf-8")))
    ]
    output.write_text(json.dumps(results), encoding="utf-8")
    if SparkContext._gateway is not None:
        SparkContext._gateway.shutdown()
