"""Runs a function for many arguments, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from types import FrameType
from typing import NoReturn, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")
_GRACE_SECONDS = 10
"""For what a process that is ended puts back."""


class ProcessDiedError(Exception):
    """A process has ended without a result, such as one for which there was no memory."""


def usable_cpus() -> int:
    """Return how many CPUs this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def run_in_processes(
    function: Callable[[Argument], Result],
    arguments: Iterable[Argument],
    count: int,
    modules: Sequence[str] = (),
) -> Iterator[tuple[int, Result | ProcessDiedError]]:
    """Yield the results of a function as they come, each with the number of its argument.

    The processes are forks of one that has imported what they need. One that dies takes no other
    with it; all of them end with the iterator, which is for the main thread.

    Parameters
    ----------
    function : callable
        A function of a module, which raises nothing.
    count : int
        How many processes run at a time.
    modules : sequence of str
        What the function imports only when it is called.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([function.__module__, *modules])
    _start_server()
    waiting = deque(enumerate(arguments))
    running: dict[Connection, tuple[int, ForkServerProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < count:
                number, argument = waiting.popleft()
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(theirs, function, argument))
                with _signals_later():
                    process.start()
                    running[ours] = number, process
                # without our copy of it, the end of the process ends what is read
                theirs.close()
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                number, process = running.pop(ready)
                yield number, _result(ready, process)
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join(_GRACE_SECONDS)
            process.kill()


@contextmanager
def _signals_later() -> Iterator[None]:
    """Let signals wait that would end this process, so that no other one is forgotten."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_server() -> None:
    """Start the process that the others are forks of; Ctrl-C does not reach its imports."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


def _result(connection: Connection, process: ForkServerProcess) -> Result | ProcessDiedError:
    try:
        with connection:
            result: Result = connection.recv()
    except EOFError:
        process.join()
        code = process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return ProcessDiedError(f"its process was ended {how}")
    process.join()
    return result


def _work(
    connection: Connection, function: Callable[[Argument], Result], argument: Argument
) -> None:
    # Ctrl-C goes to all processes of a terminal; the first one ends the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    result = function(argument)
    # the first process may have ended meanwhile
    with connection, suppress(BrokenPipeError):
        connection.send(result)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
