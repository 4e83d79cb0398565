"""The jobs of the golden projects, migrated with one command, give the outputs of the originals.

Originals run on Spark's own DStreams, migrated jobs import this package; both under a manual clock,
so every batch is compared. Where the DStreams of Spark 4 have no such source, what the job has to
print is computed without Spark, and compared in total.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.components import jars
from tests.support.components.kafka import Broker
from tests.support.legacy.driven import comparable
from tests.support.migrator import python2_jobs
from tests.support.migrator.golden_jobs import TESTS, Outcome, run_all
from tests.support.migrator.plans import JOBS
from tests.support.migrator.plans.golden import Golden
from tests.support.streaming.kafka_fixtures import broker, kafka_cache  # noqa: F401

pytestmark = pytest.mark.slow

Results = dict[str, dict[int, Outcome | None]]
PROJECTS = list(dict.fromkeys(job.project for job in JOBS))
LONG_RUN = frozenset(PROJECTS[1::2])
"""The long run has all of them."""


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest,
    broker: Broker,  # noqa: F811
    kafka_cache: Path,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> Results:
    """What the jobs of the selected tests did, by engine and number."""
    tests = [item for item in request.session.items if item.path == request.path]
    params = [item.callspec.params for item in tests if hasattr(item, "callspec")]
    numbers = sorted({one["number"] for one in params if "number" in one})
    chosen = [JOBS[number] for number in numbers]
    for topic, partitions in {name: n for job in chosen for name, n in job.kafka.items()}.items():
        broker.create(topic, partitions)
    folder = tmp_path_factory.mktemp("golden")
    found = run_all(chosen, folder, broker.address, jars.connector(kafka_cache))
    return {name: dict(zip(numbers, own, strict=True)) for name, own in found.items()}


def test_every_project_with_a_job_is_here() -> None:
    folders = ("projects", "python2_projects")
    projects = {f"{name}/{path.name}" for name in folders for path in (TESTS / name).iterdir()}
    # its has_key() is told, not rewritten: nothing proves that the receiver is a dict
    projects -= {"projects/python2_calls"}
    # the others have none, or in Scala only
    others = {"input_projects/java_and_python", "input_projects/python2_kafka"}
    assert {job.project for job in JOBS} == projects | others


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, id=str(job), marks=pytest.mark.full if job.project in LONG_RUN else ())
        for number, job in enumerate(JOBS)
    ],
)
def test_job(results: Results, number: int) -> None:
    job, before, after = JOBS[number], results["spark"][number], results["migrated"][number]
    assert after is not None
    assert after["problems"] == []
    assert raised(after, job)
    if before is None:
        assert total(job, *printed(after, job)) == total(job, *computed(job))
        return
    assert before["problems"] == []
    if job.by_hand:
        assert before["code"] == 0
        assert after["error"]
        return
    assert raised(before, job)
    assert (after["code"], bool(after["error"])) == (before["code"], bool(before["error"]))
    expected = shown(before, job)
    assert any(expected.values()) or job.error
    assert shown(after, job) == expected
    assert files(after) == files(before)


@pytest.mark.parametrize("job", [job for job in JOBS if job.python2], ids=str)
def test_outputs_of_python2(job: Golden) -> None:
    """What migrated jobs are compared with is what Python 2.7 prints, where there is one."""
    python = python2_jobs.interpreter()
    if python is None:
        pytest.skip("there is no Python 2.7")
    assert python2_jobs.run(python, job) == python2_jobs.expected(job)


def raised(outcome: Outcome, job: Golden) -> bool:
    """Whether a job ended as it has to, with an exception or without."""
    if not job.error:
        return bool(job.by_hand) or not outcome["error"]
    return any(re.search(job.error, text) for text in outcome["error"])


def shown(outcome: Outcome, job: Golden) -> dict[str, Any]:
    """Return what a job printed."""
    lines = outcome["stdout"].splitlines(keepends=True)
    if job.python2:  # `print x,` has no blank at the end of its line there
        lines = [line.rstrip() + "\n" for line in lines]
    kept = [line for line in lines if not job.ignored or not line.startswith(job.ignored)]
    found = comparable("".join(kept), job.plan)
    if not any(isinstance(batch, tuple) for batch in found["batches"]):
        found["batches"] = []  # no block was printed, only other lines
    if job.unordered:
        found["other lines"].sort()
    return found


def printed(outcome: Outcome, job: Golden) -> tuple[list[Counter[str]], list[str]]:
    """Return the blocks and the other lines that a job printed, up to its last step."""
    found = shown(outcome, job)
    return [elements for _, elements, _ in found["batches"]], found["other lines"]


def computed(job: Golden) -> tuple[list[Counter[str]], list[str]]:
    """Return the same as plain Python has it, or had it: Python 2.7."""
    if job.python2:
        return printed({"stdout": python2_jobs.expected(job)}, job)
    return [Counter(block) for block in job.blocks or ()], job.lines or []


def total(job: Golden, blocks: list[Counter[str]], lines: list[str]) -> object:
    """Return what has to be the same."""
    return (blocks, lines) if job.total is None else job.total(blocks, lines)


def files(outcome: Outcome) -> dict[str, list[str]]:
    """Return the lines of the files that a job left, in any order."""
    return {name: sorted(lines) for name, lines in outcome["files"].items()}
