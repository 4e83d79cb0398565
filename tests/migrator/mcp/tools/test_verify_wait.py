"""The tool `verify_wait`."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from tests.support.migrator.assistant import Assistant, processes_in, run_apart, talk, without_spark

pytestmark = pytest.mark.slow

GIVEN = {"job": "jobs/job.py", "migrated": "moved/new.py", "recording": "recorded"}
DEADLINE_SECONDS = 60.0


def plant(project: Path, text: str) -> None:
    """Give the migrated job a fault of `fake_run_job`."""
    new = project / "moved" / "new.py"
    new.write_text(f"{new.read_text()}# {text}\n")


async def no_process_is_left(project: Path) -> None:
    with anyio.fail_after(DEADLINE_SECONDS):
        while processes_in(project):
            await anyio.sleep(0.05)


def test_a_result_that_takes_longer_than_a_call(project: Path) -> None:
    async def work(assistant: Assistant) -> None:
        begun = await assistant.result("verify", **GIVEN, wait_seconds=0.01)
        assert (begun["status"], begun["verification"]) == ("running", None)
        found = await assistant.result("verify_wait", run=begun["run"], wait_seconds=600)
        assert found["status"] == "finished"
        assert found["verification"]["result"] == "equal"
        # it is kept
        assert await assistant.result("verify_wait", run=begun["run"]) == found

    talk(project, work, python_path=without_spark(project.parent / "site"))


def test_an_error_reaches_who_waits(project: Path) -> None:
    (project / "verify-job").mkdir()
    (project / "verify-job" / "mine").touch()

    async def work(assistant: Assistant) -> None:
        begun = await assistant.result("verify", **GIVEN, wait_seconds=0.01)
        answer = await assistant.call("verify_wait", run=begun["run"], wait_seconds=600)
        assert "has files that `migrate verify` has not made" in answer.error

    talk(project, work, python_path=without_spark(project.parent / "site"))


def test_a_cancelled_wait_ends_the_verification(project: Path) -> None:
    plant(project, "SLEEPS")

    async def work(assistant: Assistant) -> None:
        begun = await assistant.result("verify", **GIVEN, wait_seconds=0.01)
        with anyio.fail_after(DEADLINE_SECONDS):
            while not processes_in(project / "verify-job"):
                await anyio.sleep(0.05)
        with anyio.move_on_after(0.5):
            await assistant.call("verify_wait", run=begun["run"], wait_seconds=600)
        await no_process_is_left(project)
        answer = await assistant.call("verify_wait", run=begun["run"])
        assert "verify-1 was cancelled; call verify again" in answer.error

    talk(project, work, python_path=without_spark(project.parent / "site"))


def test_a_verification_ends_with_its_client(project: Path) -> None:
    plant(project, "SLEEPS")

    async def work(assistant: Assistant) -> None:
        await assistant.result("verify", **GIVEN, wait_seconds=0.01)
        with anyio.fail_after(DEADLINE_SECONDS):
            while not processes_in(project / "verify-job"):
                await anyio.sleep(0.05)

    talk(project, work, python_path=without_spark(project.parent / "site"))
    run_apart(no_process_is_left, project)


def test_they_run_one_after_another_and_are_no_more_than_four(project: Path) -> None:
    plant(project, "SLEEPS")

    async def work(assistant: Assistant) -> None:
        runs = [
            await assistant.result("verify", **GIVEN, out=f"verify-{n}", wait_seconds=0.01)
            for n in range(4)
        ]
        with anyio.fail_after(DEADLINE_SECONDS):
            while not processes_in(project / "verify-0"):
                await anyio.sleep(0.05)
        last = await assistant.result("verify_wait", run=runs[3]["run"], wait_seconds=0.01)
        assert last["step"] == "waiting for the verification before"
        answer = await assistant.call("verify", **GIVEN, out="verify-4", wait_seconds=0.01)
        assert "4 verifications have not ended" in answer.error
        assert not any((project / f"verify-{n}").exists() for n in (1, 2, 3, 4))

    talk(project, work, python_path=without_spark(project.parent / "site"))
    run_apart(no_process_is_left, project)
