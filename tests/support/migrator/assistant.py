"""Drives `migrate mcp` as an assistant does: by the SDK's own client, over stdio."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from tests.support.fenced import ROOT
from tests.support.migrator import fake_run_job

T = TypeVar("T")
_SITE = """
import sys
from migrator.verify import process, session
process.COMMAND = (sys.executable, {script!r})
session.COMMAND = (*process.COMMAND, "serve")
"""


class Answer(NamedTuple):
    """What a tool gave: its structured result, or the text of its error."""

    result: dict[str, Any]
    error: str


class Assistant:
    """An assistant that is connected to a server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool."""
        answer = await self.client.call_tool(tool, arguments)
        if answer.is_error:
            return Answer({}, answer.content[0].text)  # type: ignore[union-attr]
        assert isinstance(answer.structured_content, dict)
        return Answer(answer.structured_content, "")

    async def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that has to give a result."""
        answer = await self.call(tool, **arguments)
        assert answer.error == "", answer.error
        return answer.result


def parameters(folder: Path, *options: str, python_path: str = "") -> StdioServerParameters:
    """How the server for a folder is started."""
    path = os.pathsep.join(filter(None, [python_path, str(ROOT), os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "migrator", "mcp", *options, str(folder)], env=env
    )


def run_apart(work: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """Run a coroutine in a thread of its own: a browser of other tests has the loop of this one."""
    with start_blocking_portal() as portal:
        return portal.call(work, *arguments)


def talk(
    folder: Path,
    work: Callable[[Assistant], Awaitable[T]],
    *options: str,
    python_path: str = "",
) -> T:
    """Start the server for a folder, and let an assistant work with it."""

    async def connected() -> T:
        server = stdio_client(parameters(folder, *options, python_path=python_path))
        async with Client(server) as client:
            return await work(Assistant(client))

    return run_apart(connected)


class Connection:
    """A server that several tests call, from a thread of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        server = stdio_client(parameters(folder, *options))
        client = self._portal.wrap_async_context_manager(Client(server))
        self._assistant = Assistant(self._stack.enter_context(client))

    def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool."""
        return self._portal.call(partial(self._assistant.call, tool, **arguments))

    def close(self) -> None:
        """End the server."""
        self._stack.close()


def call(folder: Path, tool: str, *options: str, **arguments: Any) -> Answer:
    """Start the server for a folder, and call one tool."""
    return talk(folder, lambda assistant: assistant.call(tool, **arguments), *options)


def without_spark(folder: Path) -> str:
    """A folder for PYTHONPATH with which `fake_run_job` runs jobs in the place of Spark."""
    folder.mkdir()
    text = _SITE.format(script=fake_run_job.__file__)
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    return str(folder)


def processes_in(folder: Path) -> set[int]:
    """The processes whose working folder is below a folder: jobs that a verification runs."""
    return set(_processes(os.path.realpath(folder)))


def _processes(folder: str) -> Iterator[int]:
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            # the folder of a killed job may be gone, which the link says behind its path
            if f"{os.readlink(place)}/".startswith(f"{folder}/"):
                yield int(place.parent.name)
