"""The process of the search is bounded in time and memory, and a new one takes its place."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from migrator.verify import process, session
from migrator.verify.process import DSTREAMS, Limits, RunFailed, Work, end_session
from migrator.verify.processes import members
from migrator.verify.session import JobProcess

SERVER = """
import json, os, sys, time
from pathlib import Path
count, code = 0, 0
for line in sys.stdin:
    count += 1
    exec(Path(json.loads(line)["job"]).read_text())
    print(json.dumps({"code": code}), flush=True)
"""
NOTE = "open('../../runs', 'a').write(f'{os.getpid()} {sys.argv[1:]}' + chr(10))\n"

Ask = Callable[..., None]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Run a program in the process of a session."""
    monkeypatch.setattr(session, "COMMAND", (sys.executable, "-c", SERVER))
    monkeypatch.setattr(session, "_START_SECONDS", 5.0)
    made: list[JobProcess] = []

    def run(program: str, limits: Limits | None = None) -> None:
        if not made:
            made.append(JobProcess(tmp_path / "a" / "b", limits or Limits(seconds=10.0)))
        job = tmp_path / "job.py"
        job.write_text(NOTE + program)
        results, log = tmp_path / "results.jsonl", tmp_path / "run.log"
        made[0].run(Work("job", DSTREAMS, job, (), tmp_path / "in", results, log))

    yield run
    for one in made:
        one.__exit__(None, None, None)


def runs(folder: Path) -> list[list[str]]:
    return [line.split(" ", 1) for line in (folder / "runs").read_text().splitlines()]


def test_one_process_runs_all(ask: Ask, tmp_path: Path) -> None:
    ask("")
    ask("")
    assert len({pid for pid, _ in runs(tmp_path)}) == 1


def test_a_process_that_dies_after_other_runs_is_started_again(ask: Ask, tmp_path: Path) -> None:
    ask("")
    ask("if count > 1: os._exit(3)")
    first, second, third = (pid for pid, _ in runs(tmp_path))
    assert first == second != third


def test_a_new_process_that_dies_is_said(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match=r"ended with exit code 3; .*session\.log"):
        ask("print('why', file=sys.stderr, flush=True); os._exit(3)")
    assert "why" in (tmp_path / "a" / "b" / "session.log").read_text()
    ask("")
    assert len(runs(tmp_path)) == 2


def test_a_run_that_was_killed_is_said(ask: Ask) -> None:
    with pytest.raises(RunFailed, match="ended by signal 9"):
        ask("code = -9")
    ask("")


@pytest.mark.slow
def test_a_process_that_does_not_answer_is_ended(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match="gave no answer in 5"):
        ask("time.sleep(600)", Limits(seconds=0.5))
    ask("")
    stuck, fresh = (int(pid) for pid, _ in runs(tmp_path))
    assert stuck != fresh
    assert not Path(f"/proc/{stuck}").exists()


@pytest.mark.slow
def test_the_limit_of_memory_is_that_of_the_process(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match=r"it took \d+ MiB of memory, more than 128 MiB"):
        ask("eaten = bytearray(2**28); time.sleep(600)", Limits(seconds=60.0, memory=2**27))
    assert runs(tmp_path)[0][1] == "['--memory', '512m']"


@pytest.mark.parametrize(
    ("machine", "given", "bound", "heap"),
    [
        (2**34, 0, 2**33, "1024m"),
        (2**31, 0, 2**30, "614m"),
        (2**29, 0, 2**28, "512m"),
        (2**34, 2**32, 2**32, "2457m"),
        (2**34, 2**28, 2**28, "512m"),
    ],
)
def test_how_much_a_run_may_use(
    monkeypatch: pytest.MonkeyPatch, machine: int, given: int, bound: int, heap: str
) -> None:
    monkeypatch.setattr("migrator.verify.process.machine_bytes", lambda: machine)
    limits = Limits(memory=given)
    assert (limits.bytes(), limits.heap()) == (bound, heap)
    assert limits.excess(bound) == ""
    assert "more than" in limits.excess(bound + 1)


@pytest.mark.parametrize(("text", "share"), [("max\n", 1), ("1048576\n", 0), ("9" * 19, 1)])
def test_a_container_may_have_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, share: int
) -> None:
    (tmp_path / "limit").write_text(text)
    monkeypatch.setattr(process, "_GROUP_LIMITS", (tmp_path / "limit", tmp_path / "missing"))
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert process.machine_bytes() == (whole if share else 2**20)


FAMILY = """
import os, sys
data = bytearray(2**26)
pids = [os.fork() for _ in range(2)]
print(flush=True)
os.read(0, 1)
"""


def test_what_processes_share_counts_once_where_it_matters() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FAMILY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as leader:
        assert leader.stdout is not None
        for _ in range(4):
            leader.stdout.readline()
        pids = members(leader.pid)
        resident = process.used_bytes(pids, 2**40)
        assert resident > 4 * 2**26
        assert process.used_bytes(pids, 2**27) < resident - 2 * 2**26
        end_session(leader)
