"""Runs unchanged examples under a manual clock, on one engine, and records what they print.

``python -c "from tests.support.legacy.drive import main; main()" ENGINE PLAN OUTPUT``, with a plan
from :mod:`tests.legacy_examples.plans`. One process runs all jobs of the plan one after another;
they share its JVM, as jobs of one process do, so that its start is paid once.

What the jobs call is the engine's own API with three additions: ``start`` defines one more output,
which tells when a batch is complete; the source's host and port are those of a server in this
process; the clock moves when everything that was sent has been received.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import runpy
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from tests.support.streaming import fewer_calls

DEADLINE = 300.0
EXAMPLES = Path(__file__).resolve().parents[3] / "legacy_examples"


class Batches:
    """Knows which batches are complete; used by a function that checkpoints can refer to."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._done: set[float] = set()
        self._closed = False

    def add(self, at: float) -> None:
        with self._changed:
            self._done.add(at)
            self._changed.notify_all()

    def wait(self, at: float) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: at in self._done or self._closed, DEADLINE):
                raise AssertionError(f"batch {at} did not end; done: {sorted(self._done)}")

    def open(self) -> None:
        with self._changed:
            self._done.clear()
            self._closed = False

    def close(self) -> None:
        """The job has ended; nobody needs to wait any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


BATCHES = Batches()


def mark(at: Any, rdd: Any) -> None:
    """The additional output: it comes last, so it ends the batch."""
    BATCHES.add(at.timestamp())


def written(folder: Path) -> dict[str, list[str]]:
    """Return the lines of every visible file that a job left, but for its checkpoints."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8").splitlines()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.name.startswith(".")
        and "checkpoint" not in path.relative_to(folder).parts[0]
    }


def wait_for(condition: Callable[[], bool], what: str) -> None:
    pause = threading.Event()
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never so: {what}")
        pause.wait(0.01)


class Real:
    """Where DStreams keep what a test has to wait for."""

    def received(self, ssc: Any) -> int:
        tracker = ssc._jssc.ssc().scheduler().receiverTracker()
        field = tracker.getClass().getDeclaredField("receivedBlockTracker")
        field.setAccessible(True)
        blocks = field.get(tracker).getUnallocatedBlocks(0)
        return sum(blocks.apply(i).numRecords().get() for i in range(blocks.size()))

    def advance(self, ssc: Any, milliseconds: int) -> None:
        ssc._jssc.ssc().scheduler().clock().advance(milliseconds)


class Ours:
    """The same of ours."""

    def received(self, ssc: Any) -> int:
        return int(ssc._job.sources[0].received())

    def advance(self, ssc: Any, milliseconds: int) -> None:
        ssc._clock.advance(milliseconds)


class Runner:
    """Runs jobs; `engine` says how to look into their context."""

    def __init__(self, engine: Real | Ours) -> None:
        from pyspark.streaming import DStream, StreamingContext

        self._engine = engine
        self._context = StreamingContext
        self._input: Any = None
        self._started: Any = None
        self._ready = threading.Event()
        self._ended = threading.Event()
        self._problems: list[str] = []
        self._peer: socket.socket | None = None
        runner = self
        foreach, start = DStream.foreachRDD, StreamingContext.start

        def remembering(make: Any) -> Any:
            @functools.wraps(make)
            def method(*args: Any, **options: Any) -> Any:
                runner._input = make(*args, **options)
                return runner._input

            return method

        def marking(context: Any) -> None:
            foreach(runner._input, mark)
            start(context)
            runner._started = context
            runner._ready.set()

        for name in ("socketTextStream", "textFileStream", "queueStream"):
            setattr(StreamingContext, name, remembering(getattr(StreamingContext, name)))
        StreamingContext.start = marking

    def run(self, job: dict[str, Any], folder: Path) -> dict[str, Any]:
        """Run one job in a folder of its own; return what it printed and how it ended."""
        folder.mkdir(parents=True)
        os.chdir(folder)
        BATCHES.open()
        self._ready.clear()
        self._started = None
        self._ended.clear()
        self._problems = []
        self._peer = None
        listener = socket.create_server(("127.0.0.1", 0))
        known = {"PORT": str(listener.getsockname()[1]), "FOLDER": str(folder)}
        args = [str(arg).format_map(known) for arg in job["args"]]
        for name, text in job.get("files", {}).items():
            Path(name).write_text(text, encoding="utf-8")
        mover = threading.Thread(target=self._guard, args=(job, listener), daemon=True)
        mover.start()
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                code = self._script(EXAMPLES / job["script"], args)
        finally:
            self._ended.set()
            BATCHES.close()
            self._ready.set()
            mover.join(DEADLINE)
            if (left := SparkContext._active_spark_context) is not None:
                left.stop()
            listener.close()
            if self._peer is not None:
                self._peer.close()
        return {
            "stdout": out.getvalue(),
            "code": code,
            "problems": self._problems,
            "files": written(folder),
        }

    def _script(self, path: Path, args: list[str]) -> object:
        before = set(sys.modules)
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        argv, sys.argv = sys.argv, [str(path), *args]
        sys.path.insert(0, str(path.parent))
        try:
            runpy.run_path(str(path), run_name="__main__")
            return 0
        except SystemExit as ended:
            return ended.code or 0
        except BaseException:
            self._note(traceback.format_exc())
            return 1
        finally:
            sys.path.remove(str(path.parent))
            sys.argv = argv
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for name in set(sys.modules) - before:
                if str(getattr(sys.modules[name], "__file__", "")).startswith(str(EXAMPLES)):
                    del sys.modules[name]

    def _note(self, problem: str) -> None:
        self._problems.append(problem)
        print(problem, file=sys.stderr, flush=True)

    def _guard(self, job: dict[str, Any], listener: socket.socket) -> None:
        try:
            self._play(job, listener)
        except BaseException:
            self._note(traceback.format_exc())
        if not self._ended.is_set() and self._started is not None and job["end"] == "stop":
            self._started.stop(True, False)

    def _play(self, job: dict[str, Any], listener: socket.socket) -> None:
        if not self._ready.wait(DEADLINE) or self._ended.is_set():
            raise AssertionError("the job did not start")
        ssc, step = self._started, int(job["interval"] * 1000)
        if "{PORT}" in job["args"]:
            listener.settimeout(DEADLINE)
            self._peer, _ = listener.accept()
        for number, entry in enumerate(job["steps"], 1):
            if lines := entry.get("lines"):
                assert self._peer is not None
                self._peer.sendall("".join(f"{line}\n" for line in lines).encode())
                sent = len(lines)
                wait_for(
                    lambda sent=sent: self._engine.received(ssc) == sent,
                    f"{sent} lines of step {number} are received",
                )
            for name, text in entry.get("files", {}).items():
                draft = Path(f"draft-{Path(name).name}")
                draft.write_text(text, encoding="utf-8")
                at = (number - 0.5) * job["interval"]
                os.utime(draft, (at, at))
                draft.rename(name)
            self._engine.advance(ssc, step)
            BATCHES.wait(number * job["interval"])
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
    if name == "compat":
        import dstream_compat

        dstream_compat.install()
    fewer_calls.install()
    runner = Runner(Ours() if name == "compat" else Real())
    results = [
        runner.run(job, output.parent / name / str(number))
        for number, job in enumerate(json.loads(plan.read_text(encoding="utf-8")))
    ]
    output.write_text(json.dumps(results), encoding="utf-8")
    if SparkContext._gateway is not None:
        SparkContext._gateway.shutdown()
