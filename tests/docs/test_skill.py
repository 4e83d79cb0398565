"""The skill: its commands move a job that `migrate` cannot move, one after another, to the end."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests.support.fenced import DOCS, ROOT, commands, languages
from tests.support.migrator.assistant import call
from tests.support.page_commands import run, words

pytestmark = pytest.mark.slow

SKILL = ROOT / "skills" / "move-a-dstream-job" / "SKILL.md"
JOB = Path(__file__).parent / "two_sources_job"
VIEWS = b"shoes ann\nshoes bob\ntea eve\npens ann\npens bob\n"
CLICKS = b"shoes bob\ntea eve\nlamps ann\n"
ARGUMENTS = "localhost 9998 9999"
VERIFY = f"migrate verify job.py --migrated new.py --input recorded -- {ARGUMENTS}"


class Step(NamedTuple):
    """A command, its exit code, what it says, and the file that is `new.py` from then on."""

    command: str
    code: int
    said: tuple[str, ...]
    new: str = ""


STEPS = [
    Step("migrate job.py --check", 1, ("1 job, once rewritten: 1 runs",)),
    Step("migrate job.py --target structured --check --explain", 1, ("[TWO_SOURCES]",)),
    Step("migrate explain D860", 0, ("# D860: no-structured-form",)),
    Step(
        f"migrate record job.py --batches 3 --out recorded -- {ARGUMENTS}",
        0,
        ("3 batches, 8 records",),
        # an inner join loses what was seen and not clicked on
        "planted.py",
    ),
    Step(
        VERIFY,
        1,
        (
            "job.py: different, first in batch 1",
            "operator: join at new.py:20",
            "('pens', 2, 0)",
            "smallest input that differs (1 batch, 1 record)",
        ),
    ),
    Step("cat verify-job/smallest.jsonl", 0, ('["pens ',)),
    Step("python -m pytest verify-job/test_job.py", 1, ("1 failed",), "fixed.py"),
    Step("python -m pytest verify-job/test_job.py", 0, ("1 passed",)),
    Step(VERIFY, 0, ("job.py: equal", "3 of 3 batches equal; 1 output")),
    Step(
        f"migrate test-scaffold new.py --input recorded --out tests -- {ARGUMENTS}",
        0,
        ("3 batches, 2 outputs",),
    ),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(JOB / "job.py", tmp_path)
    return tmp_path


@pytest.fixture
def ports() -> Iterator[list[int]]:
    """The ports of the servers of views and clicks."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(serve_lines(data)) for data in (VIEWS, CLICKS)]


@contextlib.contextmanager
def serve_lines(data: bytes) -> Iterator[int]:
    """A server that sends the same to whoever connects; gives its port."""
    peers: list[socket.socket] = []
    with socket.create_server(("localhost", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peers.append(server.accept()[0])
                    peers[-1].sendall(data)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(server.getsockname()[1])
        # wakes the thread
        server.shutdown(socket.SHUT_RDWR)
        thread.join(30)
        for peer in peers:
            peer.close()


def test_assistants_can_read_it() -> None:
    text = SKILL.read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    found = yaml.safe_load(front)
    # what the format allows
    assert found.keys() == {"name", "description"}
    assert found["name"] == SKILL.parent.name
    assert re.fullmatch("[a-z0-9-]{1,64}", found["name"])
    assert 0 < len(found["description"]) <= 1024
    assert len(body.splitlines()) < 500
    assert languages(SKILL) == {"sh"}


def test_every_command_is_known() -> None:
    assert commands(SKILL) == [step.command for step in STEPS]


def test_the_tools_and_pages_that_it_names_exist(folder: Path) -> None:
    text = SKILL.read_text(encoding="utf-8")
    table = re.findall(r"^\| [\d, ]+ \| .* \| `(\w+)` \|$", text, re.MULTILINE)
    assert len(table) == 8
    for tool in table:
        # each refuses an argument that none has
        assert "no_such_argument" in call(folder, tool, no_such_argument=1).error
    pages = re.findall(r"`docs/([\w-]+\.md)`", text)
    assert len(pages) >= 2
    assert all((DOCS / page).is_file() for page in pages)


def test_migrate_cannot_move_the_job(folder: Path) -> None:
    """In neither form, and not with consent."""
    for options in ("", "--portable", "--unsafe-fixes"):
        command = f"migrate job.py --target structured --check --format json {options}"
        report = json.loads(run(words(command), folder).stdout)
        assert report["files"][0]["structured"] is None
        assert [f["code"] for f in report["findings"] if not f["fixed"]] == ["D860"]


def test_the_cheap_steps(folder: Path, ports: list[int]) -> None:
    for step in STEPS[:4]:
        carry_out(step, folder, ports)


@pytest.mark.full
def test_the_job_is_moved(folder: Path, ports: list[int]) -> None:
    for step in STEPS:
        carry_out(step, folder, ports)
    done = run(words("python -m pytest tests"), folder, timeout=600)
    assert "1 passed" in done.stdout, done.stdout


def carry_out(step: Step, folder: Path, ports: list[int]) -> None:
    command = step.command
    for name, port in zip(("9998", "9999"), ports, strict=True):
        command = command.replace(name, str(port))
    if command.startswith("cat "):
        code, said = 0, (folder / command.removeprefix("cat ")).read_text(encoding="utf-8")
    else:
        done = run(words(command), folder, timeout=1200)
        code, said = done.returncode, done.stdout + done.stderr
    assert code == step.code, f"{command}\n{said}"
    for text in step.said:
        assert text in said, f"{command}\n{said}"
    if step.new:
        shutil.copy(JOB / step.new, folder / "new.py")
