"""docs/assistants.md: the server starts as the page says, and its calls do what it says."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters

from tests.support.fenced import DOCS, ROOT, blocks, languages, values
from tests.support.migrator import assistant
from tests.support.migrator.assistant import Assistant, talk, without_spark
from tests.support.programs import give_up

pytestmark = pytest.mark.slow

PAGE = DOCS / "assistants.md"
SETTINGS, *BLOCKS = blocks(PAGE, "json")
CALLS: list[dict[str, Any]] = [json.loads(line) for block in BLOCKS for line in values(block)]
CHECKPOINT = ROOT / "tests" / "dstream_compat" / "old_checkpoint" / "fixtures" / "lagging"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    place = tmp_path / "jobs"
    shutil.copytree(ROOT / "legacy_examples", place / "legacy_examples", ignore=ignored)
    shutil.copytree(CHECKPOINT, place / "old-checkpoint")
    return place


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a server that serves lines to whoever connects."""
    peers: list[socket.socket] = []
    with socket.create_server(("localhost", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peers.append(server.accept()[0])
                    peers[-1].sendall(b"a b b\nc a\n")

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        # wakes the thread
        server.shutdown(socket.SHUT_RDWR)
        thread.join(30)
        for peer in peers:
            peer.close()


def test_what_the_page_has() -> None:
    assert languages(PAGE) == {"json"}
    tools = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(tools) == len(set(tools)) == 8
    # each tool is called in the walk-through
    assert {call["tool"] for call in CALLS} == set(tools)


def test_the_table_of_tools(tmp_path: Path) -> None:
    """It has all of them, and says which of them write and run jobs."""
    rows = re.findall(r"^\| `(\w+)` \| .* \| (yes|no) \| (yes|no) \|$", PAGE.read_text(), re.M)

    async def work(connected: Assistant) -> None:
        tools = (await connected.client.list_tools()).tools
        annotations = {tool.name: tool.annotations for tool in tools}
        assert {name for name, _, _ in rows} == annotations.keys()
        for name, writes, runs in rows:
            hints = annotations[name]
            assert hints is not None
            assert hints.read_only_hint == (writes == "no"), name
            # only the code of jobs may destroy something
            assert bool(hints.destructive_hint) == (runs == "yes")

    talk(tmp_path, work)


def test_options_that_the_page_names_exist() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "migrator", "mcp", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    named = set(re.findall(r"`(--[a-z-]+)`", PAGE.read_text(encoding="utf-8")))
    assert named == {"--read-only", "--timeout", "--run-timeout", "--memory"}
    assert named <= set(re.findall(r"--[a-z-]+", shown))


def test_the_settings_start_the_server(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = json.loads(SETTINGS)["mcpServers"]["migrate"]
    command = Path(sys.executable).parent / settings["command"]
    if not command.exists():
        give_up(f"there is no {command}: the package is installed elsewhere")
    parameters = StdioServerParameters(
        command=str(command), args=settings["args"], cwd=folder, env=dict(os.environ)
    )
    monkeypatch.setattr(assistant, "parameters", lambda *_, **__: parameters)
    found = talk(folder, lambda connected: connected.result("scan"))
    assert len(found["jobs"]) > 10


def test_the_calls_with_a_process_that_stands_for_spark(folder: Path, port: int) -> None:
    site = without_spark(folder.parent / "site")
    results = walk(folder, port, site)
    assert results["verify_wait"]["verification"]["batches"] == 5


@pytest.mark.full
def test_the_calls(folder: Path, port: int) -> None:
    results = walk(folder, port, "")
    verification = results["verify_wait"]["verification"]
    assert verification["result"] == "equal"
    assert verification["migrated"]["engine"] == "structured"


def walk(folder: Path, port: int, site: str) -> dict[str, dict[str, Any]]:
    """Make all calls of the page; return the results by tool."""
    results = {}

    async def work(connected: Assistant) -> None:
        for call in CALLS:
            given = json.loads(json.dumps(call["arguments"]).replace("9999", str(port)))
            results[call["tool"]] = await connected.result(call["tool"], **given)
        while results["verify_wait"]["status"] == "running":
            results["verify_wait"] = await connected.result(call["tool"], **given)

    talk(folder, work, python_path=site)
    assert results["scan"]["summary"]["jobs"]["needs"] > 0
    assert results["remains"]["reasons"]
    assert results["explain"]["text"].startswith("# D860")
    assert "readStream" in results["preview"]["text"]
    assert results["preview"]["steps"]
    assert (results["record"]["batches"], results["record"]["records"]) == (5, 2)
    assert results["checkpoint_show"]["states"]
    return results
