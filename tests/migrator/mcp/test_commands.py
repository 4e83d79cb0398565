"""Commands are bounded in time and memory, and end when a call is cancelled or the server dies."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from mcp.server.mcpserver.exceptions import ToolError

from migrator.mcp import commands
from migrator.mcp.commands import Commands
from tests.support.migrator.assistant import Assistant, processes_in, run_apart, talk, without_spark
from tests.support.waiting import wait_for

PROGRAM = "program"
DEADLINE_SECONDS = 60.0


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., commands.CommandResult]:
    """Run a program as a command in a folder."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def run_it(text: str, seconds: float = 60.0, memory: int = 0) -> commands.CommandResult:
        (tmp_path / f"{PROGRAM}.py").write_text(text)
        (tmp_path / "here").mkdir(exist_ok=True)
        runner = Commands(tmp_path / "here", memory)

        async def work() -> commands.CommandResult:
            return await runner.run(["a b", "--c"], seconds, module=PROGRAM)

        return run_apart(work)

    return run_it


def test_a_command_gets_its_arguments_and_its_folder(
    run: Callable[..., commands.CommandResult], tmp_path: Path
) -> None:
    ended = run(
        "import os, sys\nprint(sys.argv[1:], os.getcwd(), os.environ['MIGRATE_WITHIN'])\n"
        "print('one', file=sys.stderr)\nprint('two', end='', file=sys.stderr)\nsys.exit(1)"
    )
    here = tmp_path / "here"
    assert ended.output.decode() == f"['a b', '--c'] {here} {here}\n"
    assert (ended.code, ended.messages) == (1, ["one", "two"])
    ended.refuse_failure()


@pytest.mark.parametrize("runs_jobs", [False, True])
def test_a_command_imports_from_the_folder_only_if_it_runs_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs_jobs: bool
) -> None:
    here = tmp_path / "here"
    (here / "lib").mkdir(parents=True)
    (tmp_path / "link").symlink_to(here)
    (tmp_path / f"{PROGRAM}.py").write_text("import sys\nprint(*sys.path[1:], sep='\\n')")
    paths = ["", str(tmp_path), str(here), str(tmp_path / "link" / "lib"), "relative", ""]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))

    async def work() -> commands.CommandResult:
        return await Commands(here, 0).run([], 60.0, module=PROGRAM, runs_jobs=runs_jobs)

    entries = run_apart(work).output.decode().splitlines()
    inside = {str(here), str(tmp_path / "link" / "lib")}
    assert set(entries) & inside == (inside if runs_jobs else set())
    assert {str(tmp_path), os.path.abspath("relative")} <= set(entries)


def test_a_failure_says_what_the_command_said(run: Callable[..., commands.CommandResult]) -> None:
    ended = run("import sys\nprint('migrate: it is so', file=sys.stderr)\nsys.exit(2)")
    with pytest.raises(ToolError, match=r"^it is so$"):
        ended.refuse_failure()
    with pytest.raises(ToolError, match="ended with exit code 3"):
        run("import sys\nsys.exit(3)").refuse_failure()


@pytest.mark.slow
def test_a_command_that_takes_too_long_is_ended(
    run: Callable[..., commands.CommandResult], tmp_path: Path
) -> None:
    with pytest.raises(ToolError, match=r"longer than 0\.5 s and was ended; .*--timeout"):
        run("import threading\nthreading.Event().wait()", seconds=0.5)
    wait_for(lambda: not processes_in(tmp_path), "no process is left")


@pytest.mark.slow
def test_a_command_that_ignores_the_request_to_end_is_killed_with_what_it_has_started(
    run: Callable[..., commands.CommandResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_GRACE_SECONDS", 0.5)
    program = (
        "import signal, subprocess, sys, threading\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "wait = [sys.executable, '-c', 'import threading; threading.Event().wait()']\n"
        "subprocess.Popen(wait, start_new_session=True)\n"
        "threading.Event().wait()"
    )
    with pytest.raises(ToolError, match="longer than 2 s"):
        run(program, seconds=2)
    wait_for(lambda: not processes_in(tmp_path), "no process is left")


@pytest.mark.slow
def test_a_command_that_is_killed_leaves_nothing_that_it_has_started(
    run: Callable[..., commands.CommandResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_POLL_SECONDS", 0.05)
    ended = run(
        "import os, signal, subprocess, sys, threading\n"
        "wait = [sys.executable, '-c', 'import threading; threading.Event().wait()']\n"
        "subprocess.Popen(wait, start_new_session=True)\n"
        "threading.Event().wait(2)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert ended.code == -9
    wait_for(lambda: not processes_in(tmp_path), "no process is left")


@pytest.mark.slow
def test_a_command_that_takes_too_much_memory_is_ended(
    run: Callable[..., commands.CommandResult], tmp_path: Path
) -> None:
    with pytest.raises(ToolError, match=r"MiB of memory, more than 128 MiB; .*--memory"):
        run("import threading\na = bytearray(2**28)\nthreading.Event().wait()", memory=2**27)
    wait_for(lambda: not processes_in(tmp_path), "no process is left")


def test_a_command_that_prints_too_much_is_ended(
    run: Callable[..., commands.CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_MOST_OUTPUT", 2**20)
    with pytest.raises(ToolError, match="more than 1 MiB; give a smaller part"):
        run("import sys\nwhile True:\n    sys.stdout.write('x' * 1000)")


def test_messages_are_the_last_ones(
    run: Callable[..., commands.CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_MOST_LINES", 3)
    monkeypatch.setattr(commands, "_LONGEST_LINE", 10)
    ended = run(
        "import sys\nfor n in range(1000):\n    print(n, file=sys.stderr)\n"
        "print('x' * 10**6, file=sys.stderr)"
    )
    assert ended.messages == ["998", "999", "x" * 10]


async def verification_begins(project: Path) -> None:
    with anyio.fail_after(DEADLINE_SECONDS):
        while not processes_in(project / "verify-job"):
            await anyio.sleep(0.05)


def let_jobs_sleep(project: Path) -> None:
    (project / "moved" / "new.py").write_text(
        "from dstream_compat import StreamingContext  # SLEEPS\n"
    )
    old = project / "jobs" / "job.py"
    old.write_text(old.read_text() + "# SLEEPS\n")


VERIFY = {
    "job": "jobs/job.py",
    "migrated": "moved/new.py",
    "recording": "recorded",
    "wait_seconds": 600,
}


@pytest.mark.slow
def test_a_cancelled_verification_leaves_no_process(project: Path, tmp_path: Path) -> None:
    let_jobs_sleep(project)

    async def work(assistant: Assistant) -> None:
        await cancelled_verification(assistant, project)
        # the server goes on
        assert (await assistant.result("scan"))["jobs"]

    talk(project, work, python_path=without_spark(tmp_path / "site"))


@pytest.mark.slow
def test_a_cancelled_verification_leaves_no_spark(project: Path) -> None:
    async def work(assistant: Assistant) -> None:
        await cancelled_verification(assistant, project)

    talk(project, work)


async def cancelled_verification(assistant: Assistant, project: Path) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: assistant.call("verify", **VERIFY))
        await verification_begins(project)
        tasks.cancel_scope.cancel()
    with anyio.fail_after(DEADLINE_SECONDS):
        while processes_in(project):
            await anyio.sleep(0.05)


@pytest.mark.slow
def test_a_server_whose_client_is_gone_leaves_no_process(project: Path, tmp_path: Path) -> None:
    let_jobs_sleep(project)

    async def work(assistant: Assistant) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: assistant.call("verify", **VERIFY))
            await verification_begins(project)
            # the client closes the pipe
            tasks.cancel_scope.cancel()

    talk(project, work, python_path=without_spark(tmp_path / "site"))
    wait_for(lambda: not processes_in(project), "no process is left")


@pytest.mark.slow
def test_a_server_that_is_killed_leaves_no_process(project: Path, tmp_path: Path) -> None:
    let_jobs_sleep(project)

    async def work(assistant: Assistant) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: assistant.call("verify", **VERIFY))
            await verification_begins(project)
            os.kill(server_of(project), signal.SIGKILL)
            tasks.cancel_scope.cancel()

    talk(project, work, python_path=without_spark(tmp_path / "site"))
    wait_for(lambda: not processes_in(project), "no process is left")


def server_of(project: Path) -> int:
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        words = place.read_bytes().split(b"\0")
        if words[:5] == [sys.executable.encode(), b"-m", b"migrator", b"mcp", bytes(project)]:
            return int(place.parent.name)
    raise AssertionError("there is no server")


@pytest.mark.parametrize(("code", "output"), [(0, b""), (1, b""), (1, b"no JSON"), (0, b'{"a":')])
def test_a_command_without_a_result_says_what_it_said(code: int, output: bytes) -> None:
    result = commands.CommandResult(code, output, ["first", "it failed"])
    with pytest.raises(ToolError, match=r"no result .exit code [01].*\n(.*\n)*it failed"):
        result.values()
