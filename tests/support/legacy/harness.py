"""Runs a legacy example as its owner would: as a process of its own, in real time.

Where one batch ends and the next begins depends on the clock, so it differs between two runs.
The tests therefore compare what no boundary can change: sums over all batches, last values.
Nothing here waits for a fixed time; every wait is for a condition, with a deadline that only a
broken job reaches.
"""

from __future__ import annotations

import ast
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.support.streaming.processes import session_members

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "legacy_examples"
ENGINES = ("spark", "compat")
DEADLINE = 300.0

Lines = Sequence[str]


# -- what the jobs read --------------------------------------------------------------------------


class LineServer:
    """Serves lines to whoever is connected, and goes on with the next client when one leaves."""

    def __init__(self, pause: float = 0.1) -> None:
        self._pause = pause
        self._chunks: list[bytes] = []
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._in_flight = False
        self._connected = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, name="line-server", daemon=True)
        self._thread.start()

    def send(self, lines: Iterable[str], chunk: int = 5) -> None:
        """Queues lines; they leave in chunks with a short pause, so that several batches get some.

        Returns at once. Lines queued before a client connects wait for it.
        """
        data = [line + "\n" for line in lines]
        with self._changed:
            for i in range(0, len(data), chunk):
                self._chunks.append("".join(data[i : i + chunk]).encode())
            self._changed.notify_all()

    def wait_sent(self, deadline: float = DEADLINE) -> None:
        with self._changed:
            if not self._changed.wait_for(
                lambda: not self._chunks and not self._in_flight, deadline
            ):
                raise AssertionError(f"{len(self._chunks)} chunks are not sent")

    def wait_disconnected(self, deadline: float = DEADLINE) -> None:
        """Waits until the client has gone: what is sent after that is for the next one."""
        with self._changed:
            if not self._changed.wait_for(lambda: not self._connected, deadline):
                raise AssertionError("the client is still connected")

    def close(self) -> None:
        self._closed.set()
        with self._changed:
            self._changed.notify_all()
        # shutdown wakes the thread out of accept(), close alone does not
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)

    def _serve(self) -> None:
        while not self._closed.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with client, contextlib.suppress(OSError):
                self._set_connected(True)
                self._talk(client)
            self._set_connected(False)

    def _set_connected(self, connected: bool) -> None:
        with self._changed:
            self._connected = connected
            self._changed.notify_all()

    def _talk(self, client: socket.socket) -> None:
        while True:
            with self._changed:
                while not self._chunks:
                    # the client never writes: readable means that it has gone
                    if self._closed.is_set() or _gone(client):
                        return
                    self._changed.wait(0.2)
                if self._closed.is_set() or _gone(client):
                    return
                chunk = self._chunks.pop(0)
                self._in_flight = True
            try:
                client.sendall(chunk)
            finally:
                with self._changed:
                    self._in_flight = False
                    self._changed.notify_all()
            self._closed.wait(self._pause)


def _gone(client: socket.socket) -> bool:
    return bool(select.select([client], [], [], 0)[0])


# -- the jobs ------------------------------------------------------------------------------------


class Job:
    """A running example whose output can be waited for."""

    def __init__(self, engine: str, script: str, args: Iterable[object], cwd: Path) -> None:
        self.stdout: list[str] = []
        self.stderr: list[str] = []
        self._changed = threading.Condition()
        self._open_streams = 2
        self._process = subprocess.Popen(
            command(engine, script, args),
            cwd=cwd,
            env=environment(engine),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            # a session of its own: the JVM and its workers can be found and ended with it
            start_new_session=True,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        for stream, into in (
            (self._process.stdout, self.stdout),
            (self._process.stderr, self.stderr),
        ):
            threading.Thread(target=self._read, args=(stream, into), daemon=True).start()

    def wait_until(
        self, condition: Callable[[Lines], bool], what: str, deadline: float = DEADLINE
    ) -> None:
        """Waits until `condition` holds for the lines printed so far."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or condition(self.stdout), deadline)
            if condition(self.stdout):
                return
            ended = self._ended
        raise AssertionError(self._report(f"{'ended' if ended else 'time is up'} before: {what}"))

    def wait_exit(self, deadline: float = DEADLINE) -> int:
        """Waits for the end of the process and of its output; returns the exit code."""
        try:
            code = self._process.wait(deadline)
        except subprocess.TimeoutExpired:
            raise AssertionError(self._report("did not end")) from None
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended, 30):
                raise AssertionError(self._report("left processes behind"))
        return code

    def signal(self, number: signal.Signals) -> None:
        """Signals the Python process alone, as `kill <pid>` does."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """Kills everything that the job started; no JVM may outlive its test."""
        session_end(self._process)
        with self._changed:
            # the JVM shares our pipes, so they end when it has
            self._changed.wait_for(lambda: self._ended, 30)

    @property
    def _ended(self) -> bool:
        return self._open_streams == 0

    def _read(self, stream: IO[str], into: list[str]) -> None:
        with stream:
            for line in stream:
                with self._changed:
                    into.append(line.rstrip("\n"))
                    self._changed.notify_all()
        with self._changed:
            self._open_streams -= 1
            self._changed.notify_all()

    def _report(self, problem: str) -> str:
        return "\n".join(
            [
                problem,
                f"exit code: {self._process.poll()}",
                "--- the last lines of stdout",
                *self.stdout[-40:],
                "--- the last lines of stderr",
                *self.stderr[-60:],
            ]
        )


@contextlib.contextmanager
def run_job(engine: str, script: str, args: Iterable[object], cwd: Path) -> Iterator[Job]:
    """Starts an example on one engine and makes sure that nothing of it stays."""
    job = Job(engine, script, args, cwd)
    try:
        yield job
    finally:
        job.kill()


def command(engine: str, script: str, args: Iterable[object]) -> list[str]:
    start = {"spark": [sys.executable], "compat": [sys.executable, "-m", "dstream_compat", "run"]}
    return [*start[engine], str(EXAMPLES / script), *map(str, args)]


def environment(engine: str) -> dict[str, str]:
    env = dict(os.environ)
    # without it a pipe holds printed lines back
    env["PYTHONUNBUFFERED"] = "1"
    env["SPARK_LOCAL_IP"] = "127.0.0.1"
    # receivers hold a core each, so a machine with one core needs the number said
    env["PYSPARK_SUBMIT_ARGS"] = "--master local[2] --conf spark.ui.enabled=false pyspark-shell"
    if engine == "spark":
        # workers are "python3" by default, which need not be the Python of the tests; the
        # replacement has to get this right by itself
        env["PYSPARK_PYTHON"] = sys.executable
    else:
        env.pop("PYSPARK_PYTHON", None)
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), env.get("PYTHONPATH")]))
    return env


def session_end(leader: subprocess.Popen[Any]) -> None:
    """Kill a process and all that it started."""
    for pid in session_members(leader.pid):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    leader.wait(30)


# -- what the jobs print -------------------------------------------------------------------------

_RULE = "-" * 43


@dataclass(frozen=True)
class Block:
    """What one `pprint` printed for one batch."""

    time: str
    elements: list[str] = field(default_factory=list)
    cut: bool = False

    def values(self) -> list[Any]:
        return [ast.literal_eval(element) for element in self.elements]


def blocks(lines: Lines) -> list[Block]:
    """All complete `pprint` blocks, in the order in which they were printed."""
    found: list[Block] = []
    i = 0
    while i + 2 < len(lines):
        if not (lines[i] == lines[i + 2] == _RULE and lines[i + 1].startswith("Time: ")):
            i += 1
            continue
        end = i + 3
        while end < len(lines) and lines[end] != "":
            end += 1
        if end == len(lines):
            break
        elements = list(lines[i + 3 : end])
        cut = elements[-1:] == ["..."]
        found.append(
            Block(lines[i + 1].removeprefix("Time: "), elements[:-1] if cut else elements, cut)
        )
        i = end + 1
    return found


def values(lines: Lines) -> list[Any]:
    """The elements of all blocks, as Python values."""
    return [value for block in blocks(lines) for value in block.values()]


def add_up(pairs: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    totals: dict[Any, int] = {}
    for key, count in pairs:
        totals[key] = totals.get(key, 0) + count
    return totals


def settled(condition: Callable[[Lines], bool], batches: int = 2) -> Callable[[Lines], bool]:
    """Holds when `condition` does and that many batches came after it.

    The later batches would show anything that is counted twice.
    """
    reached_at: list[int] = []

    def check(lines: Lines) -> bool:
        times = len({block.time for block in blocks(lines)})
        if not reached_at and condition(lines):
            reached_at.append(times)
        return bool(reached_at) and times >= reached_at[0] + batches

    return check
