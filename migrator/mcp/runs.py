"""Verifications that go on when the call that began them has ended.

Many assistants end a call after a minute, and Spark needs longer.
"""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from migrator.mcp.commands import Progress

_MOST_RUNS = 8
_MOST_UNFINISHED = 4
_WAITING = "waiting for the verification before"


@dataclass(eq=False, slots=True)
class BackgroundRun:
    """A verification: its name, what it does now, and its result or error.

    Parameters
    ----------
    steps : int
        How many steps it has begun.
    change : anyio.Event
        Set when it begins the next step or ends.
    scope : anyio.CancelScope
        Ends it.
    """

    name: str
    step: str = _WAITING
    steps: int = 0
    result: Any = None
    error: Exception | None = None
    is_finished: bool = False
    change: anyio.Event = field(default_factory=anyio.Event)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    async def tell(self, step: str) -> None:
        """Note what it does now."""
        self.step, self.steps = step, self.steps + 1
        self._set_change()

    def finish(self) -> None:
        """Note that it has ended."""
        self.is_finished = True
        self._set_change()

    def _set_change(self) -> None:
        before, self.change = self.change, anyio.Event()
        before.set()


class Runs:
    """The verifications of a server, one of which runs at a time."""

    def __init__(self) -> None:
        self.tasks: TaskGroup | None = None
        self._runs: dict[str, BackgroundRun] = {}
        self._numbers = itertools.count(1)
        # each may take half of the memory
        self._turn = anyio.Lock()

    def start(self, work: Callable[[Progress], Awaitable[Any]]) -> BackgroundRun:
        """Begin a verification.

        Parameters
        ----------
        work : callable
            Carries it out; it is given what to call with each step.

        Raises
        ------
        ToolError
            If too many have not ended.
        """
        unfinished = [run.name for run in self._runs.values() if not run.is_finished]
        if len(unfinished) >= _MOST_UNFINISHED:
            raise ToolError(
                f"{len(unfinished)} verifications have not ended ({', '.join(unfinished)}); wait "
                "for one with verify_wait"
            )
        finished = [run.name for run in self._runs.values() if run.is_finished]
        for name in finished[: max(len(self._runs) + 1 - _MOST_RUNS, 0)]:
            del self._runs[name]
        run = BackgroundRun(f"verify-{next(self._numbers)}")
        self._runs[run.name] = run
        assert self.tasks is not None
        self.tasks.start_soon(self._carry_out, run, work)
        return run

    def find(self, name: str) -> BackgroundRun:
        """Return the verification of a name.

        Raises
        ------
        ToolError
            If there is none, or it is not kept any more.
        """
        if name not in self._runs:
            raise ToolError(f"there is no verification {name[:100]!r} that is kept; call verify")
        return self._runs[name]

    async def wait(self, run: BackgroundRun, seconds: float, context: Context) -> None:
        """Wait until a verification has ended, or for some seconds; tell the client of its steps.

        If the call is cancelled, the verification is ended.
        """
        try:
            with anyio.move_on_after(seconds):
                while not run.is_finished:
                    change = run.change
                    await context.report_progress(run.steps, None, run.step)
                    await change.wait()
        except anyio.get_cancelled_exc_class():
            run.scope.cancel()
            with anyio.CancelScope(shield=True):
                while not run.is_finished:
                    await run.change.wait()
            raise
        if run.error is not None:
            raise run.error

    async def _carry_out(
        self, run: BackgroundRun, work: Callable[[Progress], Awaitable[Any]]
    ) -> None:
        try:
            with run.scope:
                async with self._turn:
                    run.result = await work(run.tell)
            if run.scope.cancelled_caught:
                run.error = ToolError(f"{run.name} was cancelled; call verify again")
        except Exception as error:
            # it belongs to whoever asks for the result
            run.error = error
        finally:
            run.finish()
