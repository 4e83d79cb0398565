"""Runs commands in processes of their own, bounded in time and memory, which end when cancelled.

Decision 0138: The server for assistants runs the commands of `migrate` as processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import ByteReceiveStream, Process
from mcp.server.mcpserver.exceptions import ToolError

from migrator.discover.paths import WITHIN
from migrator.verify.process import Limits, environment, used_bytes
from migrator.verify.processes import Processes, descendants, kill, members

MIGRATE = "migrator"
DSTREAM_COMPAT = "dstream_compat"
Progress = Callable[[str], Awaitable[None]]
# -P: no module of the working folder takes the place of one of Python, or of this package
_COMMAND = (sys.executable, "-P", "-m", "migrator.mcp.child")
_AT_ONCE = 4
# a report of 500 jobs has some 10 MB
_MOST_OUTPUT = 256 * 2**20
_MOST_LINES = 1000
_LONGEST_LINE = 2**16
_POLL_SECONDS = 0.2
_ENDING_POLL_SECONDS = 0.05
# until a command that was asked to end has ended the jobs that it runs
_GRACE_SECONDS = 15.0
_PREFIX = "migrate: "


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended: its exit code, its result, and the last lines of its messages."""

    code: int
    output: bytes
    messages: list[str]

    def refuse_failure(self) -> None:
        """Raise an error with what the command said if it could not be carried out.

        Raises
        ------
        ToolError
            If its exit code is neither 0 nor 1.
        """
        if self.code not in (0, 1):
            text = "\n".join(self.messages[-20:]).removeprefix(_PREFIX)
            raise ToolError(text or f"the command ended with exit code {self.code}")

    def values(self) -> Any:
        """Return the result, which is JSON.

        Raises
        ------
        ToolError
            If it is none, with what the command said.
        """
        if not self.output:
            self.refuse_failure()
        try:
            return json.loads(self.output)
        except ValueError as error:
            said = "\n".join(self.messages[-20:])
            text = f"the command gave no result (exit code {self.code}): {error}\n{said}"
            raise ToolError(text) from error


class Commands:
    """Runs commands for one folder.

    Parameters
    ----------
    root : Path
        The real path of the folder, outside of which they look for no other files.
    memory : int
        Bytes that a command may use; 0 for the usual share of the machine.
    """

    def __init__(self, root: Path, memory: int) -> None:
        self._root = root
        self._limits = Limits(memory=memory)
        self._running: set[_Running] = set()
        self._turn = anyio.Semaphore(_AT_ONCE)

    async def end_all(self) -> None:
        """End all commands that run, with what they have started."""
        async with anyio.create_task_group() as tasks:
            for running in self._running:
                tasks.start_soon(running.end)

    async def run(
        self,
        arguments: Sequence[str],
        seconds: float,
        *,
        module: str = MIGRATE,
        folder: Path | None = None,
        progress: Progress | None = None,
        may_time_out: bool = False,
        runs_jobs: bool = False,
    ) -> CommandResult:
        """Run a command; it has ended, with all that it started, when this returns or raises.

        Parameters
        ----------
        arguments : sequence of str
            What follows the name of the command.
        seconds : float
            How long it may take.
        module : str
            The module that is the command.
        folder : Path, optional
            Its working folder, the root by default.
        progress : callable, optional
            Told of each line that it prints as a message.
        may_time_out : bool
            Whether it is ended without an error when the time is up.
        runs_jobs : bool
            Whether it runs code of the folder, which may import what PYTHONPATH names there.

        Raises
        ------
        ToolError
            If it takes too much time or memory, or prints too much.
        """
        own = {
            "PYTHONPATH": _python_path(None if runs_jobs else self._root),
            WITHIN: os.fspath(self._root),
            "NO_COLOR": "1",
        }
        async with self._turn:
            process = await anyio.open_process(
                [*_COMMAND, module, *arguments],
                cwd=folder or self._root,
                env={**environment(), **own},
                start_new_session=True,
            )
            running = _Running(process, progress)
            self._running.add(running)
            scope = anyio.move_on_after(seconds)
            try:
                with scope:
                    async with anyio.create_task_group() as tasks:
                        tasks.start_soon(running.read_output)
                        tasks.start_soon(running.read_messages)
                        tasks.start_soon(self._watch, running)
                        await process.wait()
                        running.has_ended.set()
                        # one that was killed has not ended its jobs, which may hold its pipes
                        running.end_started()
                if scope.cancelled_caught and may_time_out:
                    await running.ask_to_end()
            finally:
                await running.end()
                self._running.discard(running)
        if running.excess:
            raise ToolError(running.excess)
        if scope.cancelled_caught and not may_time_out:
            raise ToolError(
                f"it took longer than {seconds:g} s and was ended; give a smaller part, or start "
                "the server with a larger --timeout (--run-timeout for runs of jobs)"
            )
        return CommandResult(process.returncode or 0, bytes(running.output), running.messages)

    async def _watch(self, running: _Running) -> None:
        while not running.has_ended.is_set() and not running.excess:
            running.note_started()
            used = used_bytes(members(running.process.pid), self._limits.bytes())
            if too_much := self._limits.excess(used):
                running.stop(f"{too_much}; give a smaller part, or start with a larger --memory")
            with anyio.move_on_after(_POLL_SECONDS):
                await running.has_ended.wait()


class _Running:
    """A process, what it has printed, and why it had to be ended."""

    def __init__(self, process: Process, progress: Progress | None) -> None:
        self.process = process
        self.output = bytearray()
        self.messages: list[str] = []
        self.excess = ""
        self.has_ended = anyio.Event()
        self._progress = progress
        # all that it has started, which may have sessions of their own and outlive it
        self._started: Processes = {}
        self._is_asked = False

    async def read_output(self) -> None:
        """Keep what it prints on standard output."""
        async for data in _chunks(self.process.stdout):
            if len(self.output) + len(data) > _MOST_OUTPUT:
                self.stop(f"its result has more than {_MOST_OUTPUT >> 20} MiB; give a smaller part")
                return
            self.output += data

    async def read_messages(self) -> None:
        """Keep the last lines that it prints on standard error, and tell of them."""
        rest = b""
        async for data in _chunks(self.process.stderr):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-_LONGEST_LINE:]
            for line in lines:
                await self._tell(line)
        if rest:
            await self._tell(rest)

    async def _tell(self, line: bytes) -> None:
        text = line[:_LONGEST_LINE].decode("utf-8", "replace")
        self.messages = [*self.messages[1 - _MOST_LINES :], text]
        if self._progress is not None:
            await self._progress(text.removeprefix(_PREFIX))

    def stop(self, why: str) -> None:
        """Kill it, for a reason that the caller is told."""
        self.excess = why
        kill(descendants(self.process.pid))

    async def ask_to_end(self) -> None:
        """Ask it to end, and keep what it still prints."""
        self._ask_once()
        with anyio.move_on_after(_GRACE_SECONDS):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self.read_output)
                tasks.start_soon(self.read_messages)
                await self.process.wait()

    async def end(self) -> None:
        """End it, and all that it has started, also when the call is cancelled."""
        with anyio.CancelScope(shield=True):
            self._ask_once()
            with anyio.move_on_after(_GRACE_SECONDS):
                await self._wait()
            # what it has just started when it was asked, it may not have known yet
            self.end_started()
            await self.process.wait()
            await self.process.aclose()

    def _ask_once(self) -> None:
        """Ask it to end: it ends the jobs that it runs, which are in sessions of their own."""
        if self.process.returncode is None and not self._is_asked:
            self._is_asked = True
            self.note_started()
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

    def end_started(self) -> None:
        """Kill what it has started and left behind."""
        kill(self._started)

    def note_started(self) -> None:
        """Note what it has started until now."""
        self._started |= descendants(self.process.pid)

    async def _wait(self) -> None:
        """Wait until it has ended, and note what it has started."""
        while self.process.returncode is None:
            self.note_started()
            with anyio.move_on_after(_ENDING_POLL_SECONDS):
                await self.process.wait()


def _python_path(without: Path | None) -> str:
    """Return the PYTHONPATH of a command, without entries in a folder if there is one.

    An entry that is empty or relative would be the working folder of the command, or below it.
    """
    package, *entries = environment()["PYTHONPATH"].split(os.pathsep)
    paths = [os.path.abspath(entry) for entry in entries if entry]
    kept = [
        path
        for path in paths
        if without is None or not Path(os.path.realpath(path)).is_relative_to(without)
    ]
    return os.pathsep.join([package, *kept])


async def _chunks(stream: ByteReceiveStream | None) -> AsyncIterator[bytes]:
    assert stream is not None
    async for data in stream:
        yield data
